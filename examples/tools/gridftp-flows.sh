#!/bin/sh
# The four command-flow diagrams of the study of Grid middleware on a 100 Gbit/s network: three files from server to server and from
# server to client, each with and without pipelining, drawn from what was really said on the control channels of this machine.
# Needs globus-gridftp-server-progs. Usage: examples/tools/gridftp-flows.sh [FOLDER]     (default: flows)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-flows}
diperf=${DIPERF:-$here/../../diperf}
mkdir -p "$out" /tmp/diperf-gridftp/to
chmod 777 /tmp/diperf-gridftp/to
sh "$here/../servers/gridftp-server.sh" 127.0.0.1 2814 &
source=$!
sh "$here/../servers/gridftp-server.sh" 127.0.0.1 2815 &
destination=$!
trap 'kill $source $destination; rm -rf /tmp/diperf-gridftp/to' EXIT
sleep 1

# flow NAME TITLE --set...
flow() {
    name=$1 title=$2
    shift 2
    "$diperf" run "$here/../papers/100gbps/04-command-flows.yml" --quiet --out "$out/runs/$name" "$@"
    mv /tmp/diperf-gridftp/dialogue "$out/$name.txt"
    java "$here/CommandFlow.java" "$out/$name.txt" "$out/$name.png" "$title"
}
rm -rf "$out/runs"
to=ftp://127.0.0.1:2815/tmp/diperf-gridftp/to/
flow server-to-server 'Server to server' --set client.with.direction=third-party --set "client.with.to=$to"
flow server-to-server-ahead 'Server to server, pipelined' --set client.with.direction=third-party --set "client.with.to=$to" \
    --set client.with.pipelining=4
flow server-to-client 'Server to client' --set client.with.direction=get
flow server-to-client-ahead 'Server to client, pipelined' --set client.with.direction=get --set client.with.pipelining=4
echo "drawn: $out/*.png"
