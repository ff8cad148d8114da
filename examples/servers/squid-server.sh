#!/bin/sh
# Two Squids that share nothing, each with so many processes (workers), before one nginx: the service of squid.yml. Squid 1 listens on
# port 3128, Squid 2 on 3129, both on the addresses of two sites, 127.0.1.1 and 127.0.2.1. Stops all of it when it is told to.
# Needs root, squid and nginx. Usage: squid-server.sh WORKERS on|off     (on: each process keeps to a processor)
set -eu
workers=$1 affinity=$2
PATH=$PATH:/usr/sbin
folder=$(mktemp -d /tmp/diperf-squid.XXXXXX)
chmod 755 "$folder"
cores=$(nproc)
head -c 8388608 /dev/urandom > "$folder/8m.bin"
cat > "$folder/nginx.conf" <<CONF
daemon off; pid $folder/nginx.pid; error_log $folder/error.log; worker_processes 1;
events { worker_connections 1024; }
http {
    access_log off; sendfile on;
    client_body_temp_path $folder/b; proxy_temp_path $folder/p; fastcgi_temp_path $folder/f; uwsgi_temp_path $folder/u; scgi_temp_path $folder/s;
    server { listen 127.0.0.1:3180; root $folder; add_header Cache-Control "max-age=3600"; }
}
CONF
nginx -p "$folder" -c "$folder/nginx.conf" &
pids=$!
for number in 1 2; do
    own=$folder/$number
    mkdir "$own"
    chmod 777 "$own"
    {
        for site in 1 2; do echo "http_port 127.0.$site.1:$((3127 + number))"; done
        cat <<CONF
workers $workers
acl here src 127.0.0.0/8
http_access allow here
http_access deny all
cache_mem 64 MB
maximum_object_size_in_memory 16 MB
memory_cache_shared on
pid_filename $own/squid.pid
access_log none
cache_log $own/cache.log
coredump_dir $own
cache_effective_user proxy
shutdown_lifetime 0 seconds
visible_hostname squid-$number.test
pinger_enable off
CONF
        if [ "$affinity" = on ]; then
            processes= places=
            for worker in $(seq "$workers"); do
                processes=$processes${processes:+,}$worker
                places=$places${places:+,}$(((worker + number) % cores + 1))
            done
            echo "cpu_affinity_map process_numbers=$processes cores=$places"
        fi
    } > "$own/squid.conf"
    squid --foreground -n "study$$x${number}" -f "$own/squid.conf" &
    pids="$pids $!"
done
stop() {
    trap '' TERM
    kill $pids 2>/dev/null || true
    wait
    rm -rf "$folder"
    exit 0
}
trap stop TERM INT HUP
# Says so when all of it answers: the origin, and both Squids on both addresses.
for way in 127.0.0.1:3180 127.0.1.1:3128 127.0.2.1:3128 127.0.1.1:3129 127.0.2.1:3129; do
    until bash -c "exec 3<>/dev/tcp/${way%:*}/${way#*:}" 2>/dev/null; do sleep 0.1; done
done
echo "all of it is ready"
wait
