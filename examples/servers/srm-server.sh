#!/bin/sh
# A stand-in for a storage resource manager (SrmService.java beside this; it is no storage system) on SRM_PORT by plain HTTP, and the
# GridFTP server that its transfer URLs name on FTP_PORT, both on the loopback unless address=HOST says otherwise, until they are stopped. Files small (8 KiB), medium
# (1 MiB) and large (64 MiB) are in /tmp/diperf-srm; puts go to /tmp/diperf-srm/to. Needs globus-gridftp-server-progs and a JDK.
# Usage: srm-server.sh SRM_PORT FTP_PORT [NAME=VALUE]...     (names: see SrmService.java)
set -eu
folder=/tmp/diperf-srm
mkdir -p "$folder/to"
chmod 755 "$folder"
chmod 777 "$folder/to"
for file in small:8 medium:1024 large:65536; do
    [ -f "$folder/${file%:*}" ] || head -c $((${file#*:} * 1024)) /dev/urandom > "$folder/${file%:*}"
done
srm=$1 ftp=$2
shift 2
host=127.0.0.1
for each in "$@"; do
    case $each in address=*) host=${each#*=} ;; esac
done
globus-gridftp-server -p "$ftp" -control-interface "$host" -data-interface "$host" -connections-max 5000 \
    -aa $([ "$(id -u)" = 0 ] && echo "-anonymous-user nobody") &
gridftp=$!
trap 'kill $gridftp' EXIT INT TERM
java SrmService.java "$srm" "$folder" "ftp://$host:$ftp" "$@" &
wait $!
