#!/bin/sh
# A GridFTP server until it is stopped, with files small (8 KiB), medium (1 MiB) and large (64 MiB) in /tmp/diperf-gridftp, where it
# also writes what it transferred. Needs globus-gridftp-server-progs. Usage: gridftp-server.sh ADDRESS PORT, where ADDRESS may be
# any; an address without a name cannot be listened on alone.
set -eu
folder=/tmp/diperf-gridftp
mkdir -p "$folder"
chmod 755 "$folder"
for file in small:8 medium:1024 large:65536; do
    [ -f "$folder/${file%:*}" ] || head -c $((${file#*:} * 1024)) /dev/urandom > "$folder/${file%:*}"
done
rm -f "$folder/transfers-$2"
: > "$folder/transfers-$2"
chmod 666 "$folder/transfers-$2"
[ "$1" = any ] || only="-control-interface $1 -data-interface $1"
exec globus-gridftp-server -p "$2" ${only:-} -connections-max 5000 -log-transfer "$folder/transfers-$2" \
    -aa $([ "$(id -u)" = 0 ] && echo "-anonymous-user nobody")
