#!/bin/sh
# Gives its host of an emulated network the TCP of 2003 and runs a command there: Reno, no selective acknowledgements nor what came later to find
# losses, and at least a second until a packet is sent again for want of an acknowledgement (RFC 2581, 2988). Usage: tcp-of-2003.sh COMMAND...
set -eu
set_() { echo "$2" > "/proc/sys/net/ipv4/$1"; }
set_ tcp_congestion_control reno
set_ tcp_sack 0
set_ tcp_frto 0
set_ tcp_recovery 0
set_ tcp_early_retrans 0
set_ tcp_no_metrics_save 1
ip route | while read -r route; do
    # shellcheck disable=SC2086  # words of a route
    ip route change $route rto_min 1s
done
exec "$@"
