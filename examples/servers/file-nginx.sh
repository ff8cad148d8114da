#!/bin/sh
# nginx on port 8080 with the files of a folder; without one, with a file of 200 kB. What it makes goes when it ends. Usage: file-nginx.sh [FOLDER]
set -eu
folder=$(mktemp -d)
nginx=
trap 'kill $nginx 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
trap exit INT TERM
chmod 755 "$folder"
root=${1:-$folder}
[ $# -gt 0 ] || head -c 200000 /dev/urandom > "$folder/200k"
cat > "$folder/nginx.conf" <<END
user root; master_process off; daemon off; pid $folder/pid; error_log stderr; worker_processes 1;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path $folder/b; proxy_temp_path $folder/p; fastcgi_temp_path $folder/f;
  uwsgi_temp_path $folder/u; scgi_temp_path $folder/s; server { listen 8080; root $root; } }
END
nginx -p "$folder" -c "$folder/nginx.conf" &
nginx=$!
wait $nginx
