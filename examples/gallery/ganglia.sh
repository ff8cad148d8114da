#!/bin/sh
# gmond beside a server, until that is stopped, in a network of their own, because gmond counts nothing of the loopback: the server is to
# listen on 10.88.0.1, and what gmond tells is read at 10.88.0.1:23649. Needs root. Usage: ganglia.sh SERVER...
set -eu
if [ "${DIPERF_GANGLIA:-}" != inside ]; then
    DIPERF_GANGLIA=inside unshare --net sh "$0" "$@" &
    inside=$!
    trap 'kill $inside' TERM INT
    while [ "$(readlink /proc/$inside/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
    ip link add diperf-g type veth peer name eth0 netns $inside # gone with that network
    ip addr add 10.88.0.2/30 dev diperf-g
    ip link set diperf-g up
    wait $inside
    exit
fi
until ip link set eth0 up 2>/dev/null; do sleep 0.1; done
ip addr add 10.88.0.1/30 dev eth0
ip link set lo up
folder=/tmp/diperf-gallery
modules=$(dirname "$(find /usr/lib* -name modnet.so 2>/dev/null | head -n 1)")
mkdir -p "$folder"
cat > "$folder/gmond.conf" <<END
globals { daemonize = no setuid = no mute = no deaf = no host_dmax = 0 cleanup_threshold = 300 send_metadata_interval = 5 }
cluster { name = "gallery" }
udp_send_channel { host = 127.0.0.1 port = 23648 }
udp_recv_channel { bind = 127.0.0.1 port = 23648 }
tcp_accept_channel { bind = 10.88.0.1 port = 23649 }
modules {
  module { name = "core_metrics" }
  module { name = "cpu_module" path = "$modules/modcpu.so" }
  module { name = "mem_module" path = "$modules/modmem.so" }
  module { name = "net_module" path = "$modules/modnet.so" }
  module { name = "load_module" path = "$modules/modload.so" }
}
collection_group { collect_once = yes time_threshold = 5 metric { name = "cpu_num" } metric { name = "mem_total" } }
collection_group { collect_every = 1 time_threshold = 1
  metric { name = "cpu_idle" value_threshold = 0 } metric { name = "cpu_user" value_threshold = 0 }
  metric { name = "cpu_system" value_threshold = 0 } metric { name = "mem_free" value_threshold = 0 }
  metric { name = "mem_cached" value_threshold = 0 } metric { name = "mem_buffers" value_threshold = 0 }
  metric { name = "bytes_in" value_threshold = 0 } metric { name = "bytes_out" value_threshold = 0 }
  metric { name = "load_one" value_threshold = 0 }
}
END
gmond -c "$folder/gmond.conf" &
gmond=$!
"$@" &
server=$!
trap 'kill $server $gmond' TERM INT
# Nothing else listens in this network. From outside, a gateway could answer in its place until it is there.
until [ "$(cat /proc/net/tcp /proc/net/tcp6 | awk '$4 == "0A"' | wc -l)" -ge 2 ]; do sleep 0.1; done
echo 'gmond and the server are ready'
wait $server
