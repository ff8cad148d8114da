#!/bin/sh
# nginx on port 8080 with a file of 200 kB, in a folder that is removed when it ends.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head -c 200000 /dev/urandom > "$folder/200k"
chmod 755 "$folder"
cat > "$folder/nginx.conf" <<END
user root; master_process off; daemon off; pid $folder/pid; error_log stderr; worker_processes 1;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path $folder/b; proxy_temp_path $folder/p; fastcgi_temp_path $folder/f;
  uwsgi_temp_path $folder/u; scgi_temp_path $folder/s; server { listen 8080; root $folder; } }
END
nginx -p "$folder" -c "$folder/nginx.conf"
