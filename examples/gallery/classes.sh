#!/bin/sh
# A GridFTP server with files of three classes, until it is stopped. Usage: classes.sh PORT
set -eu
folder=/tmp/diperf-gallery
mkdir -p "$folder"
for file in small:64 medium:2048 large:32768; do
    [ -f "$folder/${file%:*}" ] || head -c $((${file#*:} * 1024)) /dev/urandom > "$folder/${file%:*}"
done
chmod 755 "$folder"
exec globus-gridftp-server -p "$1" -control-interface 127.0.0.1 -data-interface 127.0.0.1 -aa \
    $([ "$(id -u)" = 0 ] && echo "-anonymous-user nobody")
