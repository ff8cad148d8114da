#!/bin/sh
# Makes every picture of docs/gallery again, from real runs on this machine. Takes about forty minutes.
# Usage: examples/gallery/gallery.sh [RUN...]      such as: examples/gallery/gallery.sh ramp far-nodes
#
# A run that needs what this machine lacks is left out, and said so: nginx (views, servers), globus-gridftp-server (gridftp*, classes),
# slapd (mds2-sizes, mds-table, mds-far-nodes), sshd (copies-sizes, predict), squid, nginx and root (squid), gmond and root (ganglia,
# gridftp-gmond), root and /dev/net/tun for an emulated network (emulated() below), 12,100 open files (echo).
# KEEP=DIR keeps the runs below DIR; DIPERF=COMMAND is used instead of ./diperf.
# A new one: a line in list(), a line in file(), and a section in docs/gallery.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
papers=$top/examples/papers
runs=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf "$runs"' EXIT
diperf=${DIPERF:-$top/diperf}
all="ramp bounds levels search joins overload figures sizes changes views servers gridftp classes far-nodes ganglia probes time
echo ingest mds2-sizes ws-mds-sizes ws-mds-lan-wan mds-joins mds-table mds-far-nodes copies-sizes gridftp-parallel-links
gridftp-far-nodes gridftp-competing gridftp-buffers gridftp-windows gridftp-gmond predict squid"

# The pictures of a run: FIGURE=PICTURE, or the same name for both.
list() {
    case $1 in
    ramp) echo main time-table load-throughput-response heat percentiles ecdf distribution \
        clients-throughput clients-utilisation generator clock-bounds clock-tester-1=clock-tester ;;
    bounds) echo main=bounds error-bounds=../error-bounds send-lag ;;
    levels) echo levels model ;;
    search) echo search ;;
    joins) echo joins ;;
    overload) echo failures ;;
    figures) echo custom-1=custom ;;
    sizes) echo grid-levels-throughput=sizes-throughput grid-levels-response-time-p50=sizes-response ;;
    changes) echo compare-effects compare-time compare-percentiles compare-ecdf ;;
    views) echo client-server-log=client-server server-server=server ;;
    servers) echo grid-throughput-in-bits=servers ;;
    gridftp) echo custom-1=gridftp load-throughput-response=gridftp-calls ;;
    classes) echo grid-throughput-in-bits=classes ;;
    far-nodes) echo bubbles network-latency network-bandwidth network-time testers=testers-far ;;
    ganglia) echo custom-1=ganglia ;;
    probes) echo grid-throughput-in-bits=probes-throughput grid-response-time-p50=probes-response ;;
    time) echo time-table=time-server ;;
    echo) echo load-throughput=echo ;;
    ingest) echo grid-levels-throughput=ingest ;;
    mds2-sizes) echo grid-levels-throughput=mds2-throughput grid-levels-response-time-p50=mds2-response ;;
    ws-mds-sizes) echo grid-levels-throughput=ws-mds-throughput grid-levels-response-time-p50=ws-mds-response ;;
    ws-mds-lan-wan) echo time-table=mds-lan-wan groups=mds-groups groups-response=mds-groups-response ;;
    mds-joins) echo joins=mds-joins time-table=mds-time-table ;;
    mds-table) echo grid-response-time-p50=mds-table ;;
    mds-far-nodes) echo bubbles=mds-bubbles ;;
    copies-sizes) echo grid-throughput-in-bits=copies ;;
    squid) echo grid-throughput-in-bits=squid grid-throughput-in-bits-2=squid-affinity ;;
    gridftp-parallel-links) echo grid-throughput-in-bits=gridftp-parallel-links ;;
    gridftp-far-nodes) echo bubbles=gridftp-bubbles testers=gridftp-testers ;;
    gridftp-windows) echo custom-1=gridftp-windows custom-2=gridftp-retransmits ;;
    gridftp-gmond) echo custom-1=gridftp-gmond client-server-log=gridftp-gmond-log ;;
    gridftp-competing) echo grid-throughput-in-bits=gridftp-competing ;;
    gridftp-buffers) echo grid-throughput-in-bits=gridftp-buffers ;;
    predict) echo grid-throughput-in-bits=predict-throughput grid-response-time-p50=predict-response ;;
    *)
        echo "gallery: no run '$1'; there are: $all" >&2
        exit 2 ;;
    esac
}

file() {
    case $1 in
    far-nodes | time | echo | ingest | mds* | ws-mds* | copies-sizes | gridftp-* | predict | squid) echo "$papers/$1.yml" ;;
    *) echo "$here/$1.yml" ;;
    esac
}

# Says of a run whether its hosts are those of an emulated network.
emulated() {
    grep -q 'kind: emulated' "$(file "$1")"
}

# Says what a run needs and this machine has not.
lacks() {
    if emulated "$1" && { [ "$(id -u)" != 0 ] || [ ! -c /dev/net/tun ]; }; then
        echo "root and /dev/net/tun, for a network of its own"
        return 1
    fi
    case $1 in
    views | servers | far-nodes | probes) need nginx ;;
    gridftp | classes) need globus-gridftp-server ;;
    mds2-sizes | mds-table | mds-far-nodes) need slapadd ;;
    copies-sizes | predict) need globus-gridftp-server && need sshd ;;
    squid) need squid && need nginx && root ;;
    ganglia) need nginx && need gmond && root ;;
    gridftp-gmond) need globus-gridftp-server && need gmond && root ;;
    gridftp-*) need globus-gridftp-server ;;
    echo) [ "$(ulimit -n)" -ge 12100 ] || ulimit -n 12100 2>/dev/null || echo "12,100 open files" ;;
    esac
}

need() {
    command -v "$1" >/dev/null || { echo "$1" && false; }
}

root() {
    [ "$(id -u)" = 0 ] || { echo root && false; }
}

for run in ${*:-$all}; do
    pictures=$(list "$run")
    lack=$(lacks "$run") || true
    if [ -n "$lack" ]; then
        echo "gallery: left out $run, which needs $lack" >&2
        continue
    fi
    service=
    case $run in
    time)
        "$diperf" time-server &
        service=$! ;;
    echo)
        ulimit -n 12100
        java "$top/examples/servers/EchoServer.java" 7007 &
        service=$! ;;
    esac
    rm -rf "${runs:?}/$run"
    "$diperf" run "$(file "$run")" --out "$runs/$run" --quiet || echo "gallery: the run $run says $?" >&2
    [ -z "$service" ] || kill "$service"
    figures=$runs/$run/figures
    if [ "$run" = changes ]; then
        figures=$runs/$run/compared/figures
        "$diperf" compare "$runs/$run" --allow-suspect --out "$runs/$run/compared" >/dev/null || true
    fi
    set --
    for pair in $pictures; do
        if [ -f "$figures/${pair%%=*}.png" ]; then
            set -- "$@" "$figures/${pair%%=*}.png" "$top/docs/gallery/${pair##*=}.png"
        else
            echo "gallery: $run made no figure ${pair%%=*}" >&2
        fi
    done
    java "$here/Shrink.java" "$@"
done
