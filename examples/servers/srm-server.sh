#!/bin/sh
# A stand-in for a storage resource manager (SrmService.java next to this; it is no storage system) on SRM_PORT by plain HTTP, and the
# GridFTP server that its transfer URLs name on FTP_PORT, both on the loopback unless address=HOST says otherwise, until they are stopped. Files small (8 KiB), medium
# (1 MiB) and large (64 MiB) are in /tmp/diperf-srm; puts go to /tmp/diperf-srm/to. Needs globus-gridftp-server-progs and a JDK. With gsi=FOLDER both
# have GSI, by what grid-certificates.sh next to this makes in that folder, proxy.pem and trusted for the user too; that needs root.
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
gsi=
for each in "$@"; do
    case $each in
        address=*) host=${each#*=} ;;
        gsi=*) gsi=${each#*=} ;;
    esac
done
if [ -n "$gsi" ]; then
    name=$([ "$host" = 127.0.0.1 ] && echo localhost || echo "$host")
    rm -rf "$gsi"
    sh grid-certificates.sh "$gsi" "$name"
    echo '"/O=Grid/OU=test/CN=Test User" nobody' > "$gsi/grid-mapfile"
    export X509_CERT_DIR="$gsi/trusted" X509_USER_CERT="$gsi/host-cert.pem" X509_USER_KEY="$gsi/host-key.pem" GRIDMAP="$gsi/grid-mapfile"
    turl=gsiftp://$name:$ftp
    users=
else
    turl=ftp://$host:$ftp
    users="-aa $([ "$(id -u)" = 0 ] && echo "-anonymous-user nobody")"
fi
globus-gridftp-server -p "$ftp" -control-interface "$host" -data-interface "$host" -connections-max 5000 $users &
gridftp=$!
trap 'kill $gridftp' EXIT INT TERM
java SrmService.java "$srm" "$folder" "$turl" "$@" &
wait $!
