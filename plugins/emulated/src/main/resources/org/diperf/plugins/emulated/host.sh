# Becomes a host of an emulated network, in namespaces of its own: $1 name, $2 device in the lab or nothing, $3 address, $4 address and $5 prefix
# length in the management network, $6 device of its cable there, or - if the controller is a host too, $7 folder with the files that hosts
# have in common, $8 the controller's address.
set -e
echo "$1" > /proc/sys/kernel/hostname
mount --bind "$7/hosts" /etc/hosts
[ ! -e /etc/nsswitch.conf ] || mount --bind "$7/nsswitch.conf" /etc/nsswitch.conf
# Only where the kernel has it; IPv6 would fill the links with packets that nobody asked for.
[ ! -e /proc/sys/net/ipv6/conf/default/disable_ipv6 ] || echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
# A gigabit per second over 100 ms has 12 MB on its way.
echo '4096 131072 67108864' > /proc/sys/net/ipv4/tcp_rmem
echo '4096 16384 67108864' > /proc/sys/net/ipv4/tcp_wmem
[ -z "$2" ] || nsenter --target 1 --net ip link set "$2" netns $$
[ -z "$2" ] || ip -batch - <<END
link set $2 name eth0
link set eth0 txqueuelen 10000 up
addr add $3/32 dev eth0
route add default dev eth0 src $3
END
ip -batch - <<END
link set lo up
END
if [ "$6" = - ]; then
    ip addr add "$4/32" dev eth0
    ip route add "$8/32" dev eth0 src "$4"
else
    ip link add mgmt type veth peer name "$6" netns 1
    ip link set mgmt up
    ip addr add "$4/$5" dev mgmt
    nsenter --target 1 --net ip link set "$6" master mgmt up
    nsenter --target 1 --net ip link set "$6" type bridge_slave isolated on
fi
echo "up $1 $$"
exec sleep infinity
