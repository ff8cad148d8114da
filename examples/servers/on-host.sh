#!/bin/sh
# Runs a command on another host of the emulated network that a service is in. Usage: on-host.sh HOST COMMAND...
set -eu
host=$1
shift
for process in /proc/[0-9]*; do
    if [ "$(nsenter --target "${process#/proc/}" --uts hostname 2>/dev/null)" = "$host" ]; then
        exec nsenter --target "${process#/proc/}" --net --uts --mount "$@"
    fi
done
echo "on-host.sh: expected a host of the network, got '$host'" >&2
exit 1
