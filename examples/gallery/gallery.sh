#!/bin/sh
# Makes every picture of docs/gallery again, from real runs on this machine. Takes about eight minutes.
# Usage: examples/gallery/gallery.sh [RUN...]      such as: examples/gallery/gallery.sh ramp far-nodes
# The runs far-nodes, time and echo need more than Java: see their files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
diperf=${DIPERF:-$top/diperf}
mkdir -p "$top/docs/gallery"

# Runs a file; then FIGURE=PICTURE for each figure that is kept. The words before the command come first.
take() {
    file=$1
    shift
    name=$(basename "$file" .yml)
    $before "$diperf" run "$file" --out "$runs/$name" --quiet ||
        echo "gallery: the run of $file says $?" >&2
    for pair in "$@"; do
        java "$here/Shrink.java" "$runs/$name/figures/${pair%%=*}.png" "$top/docs/gallery/${pair##*=}.png"
    done
}

for run in ${*:-ramp levels search groups joins overload figures far-nodes}; do
    before=
    case $run in
    ramp) take "$here/ramp.yml" main=main time-table=time-table load-throughput-response=load-throughput-response \
        load-throughput=load-throughput heat=heat percentiles=percentiles ecdf=ecdf distribution=distribution \
        clients-throughput=clients-throughput clients-utilisation=clients-utilisation testers=testers send-lag=send-lag \
        generator=generator clock-bounds=clock-bounds clock-tester-1=clock-tester ;;
    levels) take "$here/levels.yml" levels=levels model=model ;;
    search) take "$here/search.yml" search=search ;;
    groups) take "$here/groups.yml" groups=groups groups-response=groups-response ;;
    joins) take "$here/joins.yml" joins=joins ;;
    overload) take "$here/overload.yml" failures=failures ;;
    figures) take "$here/figures.yml" custom-1=custom ;;
    far-nodes)
        # A network of its own, which root may make, and others where the kernel lets them.
        before="unshare $([ "$(id -u)" = 0 ] && echo -n || echo -rn) python3 $here/../papers/far-nodes.py"
        take "$here/../papers/far-nodes.yml" bubbles=bubbles network-latency=network-latency \
            network-bandwidth=network-bandwidth network-time=network-time testers=testers-far ;;
    time)
        "$diperf" time-server &
        server=$!
        take "$here/../papers/time.yml" time-table=time-server
        kill $server ;;
    echo)
        ulimit -n 65536
        java "$here/../papers/EchoServer.java" 7007 &
        server=$!
        take "$here/../papers/echo.yml" load-throughput=echo
        kill $server ;;
    *) echo "gallery: no run '$run'; there are: ramp levels search groups joins overload figures far-nodes time echo" >&2
        exit 2 ;;
    esac
done
