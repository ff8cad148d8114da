#!/bin/sh
# A GridFTP server on PORT and an sshd on PORT+1 until they are stopped, with files of 512 KiB to 256 MiB in /tmp/diperf-copies. On the
# loopback, or on any address of this machine. Needs globus-gridftp-server-progs, openssh-server and ssh-server.sh beside this.
# Usage: copies-server.sh PORT [any]
set -eu
folder=/tmp/diperf-copies
mkdir -p "$folder"
chmod 755 "$folder"
for size in 524288 1048576 16777216 67108864 268435456; do
    [ -f "$folder/$size" ] || head -c "$size" /dev/urandom > "$folder/$size"
done
only="-control-interface 127.0.0.1 -data-interface 127.0.0.1"
[ "${2:-}" != any ] || only=
sh ssh-server.sh $(($1 + 1)) ${2:-} &
ssh=$!
trap 'kill $ssh' EXIT INT TERM
globus-gridftp-server -p "$1" $only -connections-max 100 \
    -aa $([ "$(id -u)" = 0 ] && echo "-anonymous-user nobody") &
wait $!
