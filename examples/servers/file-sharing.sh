#!/bin/sh
# Files 1 to COUNT of BYTES each, which nginx gives on port 8080 and, where hosts of the emulated network are named, these give one another by BitTorrent: each
# answers on its own port 8081 when it has a file. Needs nginx; with hosts python3-libtorrent too, of the python3 in /usr/bin; file-nginx.sh, file-sharing.py and on-host.sh next to this. What is made goes
# when it ends. Usage: file-sharing.sh COUNT BYTES [HOST...]
set -eu
count=$1 bytes=$2
shift 2
here=$PWD
folder=$(mktemp -d)
all=
trap 'kill $all 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
trap exit INT TERM
mkdir "$folder/files"
number=1
while [ "$number" -le "$count" ]; do
    head -c "$bytes" /dev/urandom > "$folder/files/$number"
    number=$((number + 1))
done
chmod 755 "$folder"
if [ $# -gt 0 ]; then
    /usr/bin/python3 file-sharing.py share "$folder/files" 8082 > "$folder/share" &
    all=$!
    while ! grep -q 'all files are there' "$folder/share"; do sleep 0.1; done
    server=$(hostname)
    for host in "$@"; do
        mkdir "$folder/$host"
        sh on-host.sh "$host" /usr/bin/python3 "$here/file-sharing.py" peer "$folder/$host" 8081 "$server" &
        all="$all $!"
    done
    for host in "$@"; do
        while [ ! -f "$folder/$host.ready" ]; do sleep 0.1; done
    done
fi
sh file-nginx.sh "$folder/files" &
all="$all $!"
wait $!
