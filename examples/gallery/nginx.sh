#!/bin/sh
# nginx with files 4KiB to 8MiB, until it is stopped. Usage: nginx.sh ADDRESS:PORT [WORKERS [BEHIND]]: with
# BEHIND, another address and port, it passes all requests on.
# Its process id and its access log stand in /tmp/diperf-gallery.
set -eu
folder=/tmp/diperf-gallery
mkdir -p "$folder"
rm -f "$folder/access.log"
for file in 4KiB:4 32KiB:32 256KiB:256 2MiB:2048 8MiB:8192; do
    [ -f "$folder/${file%:*}" ] || head -c $((${file#*:} * 1024)) /dev/urandom > "$folder/${file%:*}"
done
chmod 755 "$folder"
cat > "$folder/nginx.conf" <<END
$([ "$(id -u)" = 0 ] && echo "user root;")
daemon off; pid $folder/pid; error_log stderr; worker_processes ${2:-1};
events { worker_connections 1024; }
http {
  log_format diperf '\$msec \$status \$bytes_sent \$request_time'; access_log $folder/access.log diperf;
  keepalive_requests 1000000000; sendfile on;
  client_body_temp_path $folder/b; proxy_temp_path $folder/p; fastcgi_temp_path $folder/f;
  uwsgi_temp_path $folder/u; scgi_temp_path $folder/s;
  $([ $# -lt 3 ] || echo "upstream behind { server $3; keepalive 256; keepalive_requests 1000000000; }")
  server {
    listen $1; root $folder;
    $([ $# -lt 3 ] || echo 'location / { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ""; }')
  }
}
END
exec nginx -p "$folder" -c "$folder/nginx.conf"
