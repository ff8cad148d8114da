#!/bin/sh
# What probes and transfers of the studies of iperf and the Network Weather Service go to, until it is stopped: iperf3 on port 5201, a sensor of
# NWS on 8060, GridFTP and FTP on 2811, an sshd on 2812. Needs iperf3, python3, globus-gridftp-server-progs, openssh-server, and nws-sensor.py and
# ssh-server.sh next to this.
set -eu
mkdir -p /tmp/diperf-probes
chmod 777 /tmp/diperf-probes
iperf3 -s > /dev/null &
all=$!
python3 nws-sensor.py 8060 &
all="$all $!"
sh ssh-server.sh 2812 any &
all="$all $!"
trap 'kill $all; rm -f /tmp/diperf-probes/put' EXIT INT TERM
globus-gridftp-server -p 2811 -connections-max 100 -aa $([ "$(id -u)" = 0 ] && echo "-anonymous-user nobody") &
all="$all $!"
wait $!
