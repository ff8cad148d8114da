#!/usr/bin/env bash
# Figure 5 of the DiPerF paper, a line a transport: samples a second into one controller, made durable and acknowledged, from 1 to
# 10,000 concurrent testers that send as fast as they are acknowledged; by TCP with TLS, through a relay, and by UDP.
# Usage: examples/tools/transports.sh [SECONDS] [OUT_DIR]; leaves transports.csv, .png and .svg there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${1:-10}
out=${2:-.}
mkdir -p "$out"
csv=$out/transports.csv
: >"$csv"
# Beyond 100 testers those behind a relay, and those by UDP, share ways: 100 on each.
for transport in tcp relay udp; do
    for testers in 1 10 100 1000 10000; do
        per=1
        [ "$transport" = tcp ] || [ "$testers" -le 100 ] || per=100
        line=$("$here/benchmarks/swarm" "$transport" "$testers" "$per" 1 1000 0 "$seconds" | head -n 1)
        echo "$line"
        rate=$(echo "$line" | sed -n 's/.*; \([0-9]*\) samples\/s.*/\1/p')
        name=$(echo "$transport" | sed 's/tcp/TCP, TLS/; s/relay/through a relay/; s/udp/UDP, sealed/' | tr -d ',')
        echo "$name,$testers,$rate" >>"$csv"
    done
done
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
"$java" -cp "$here/diperf-analyzer/target/test-classes:$here/diperf-analyzer/target/classes:$(cat \
    "$here/diperf-controller/target/ingest.classpath")" org.diperf.analyzer.figure.TransportFigure \
    "$csv" "$out/transports.png" "$out/transports.svg"
