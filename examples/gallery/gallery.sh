#!/bin/sh
# Makes every picture of docs/gallery again, from real runs on this machine: its own in a quarter of an hour, then those of the papers'
# studies (examples/papers/repeat --pictures), which take an hour.
# Usage: examples/gallery/gallery.sh [RUN...]      such as: examples/gallery/gallery.sh ramp levels
#
# A run that needs what this machine lacks is left out, and said so: nginx (views, servers), globus-gridftp-server (classes), gmond
# and root (ganglia), nginx and root and /dev/net/tun for an emulated network (probes).
# KEEP=DIR keeps the runs below DIR; DIPERF=COMMAND is used instead of ./diperf.
# A new one: a line in list(), and a section in docs/gallery.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
runs=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf "$runs"' EXIT
diperf=${DIPERF:-$top/diperf}
all="ramp bounds levels search joins overload figures sizes changes views servers classes ganglia probes"

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
    classes) echo grid-throughput-in-bits=classes ;;
    ganglia) echo custom-1=ganglia ;;
    probes) echo grid-throughput-in-bits=probes-throughput grid-response-time-p50=probes-response ;;
    *)
        echo "gallery: no run '$1'; there are: $all" >&2
        exit 2 ;;
    esac
}

# Says of a run whether its hosts are those of an emulated network.
emulated() {
    grep -q 'kind: emulated' "$here/$1.yml"
}

# Says what a run needs and this machine has not.
lacks() {
    if emulated "$1" && { [ "$(id -u)" != 0 ] || [ ! -c /dev/net/tun ]; }; then
        echo "root and /dev/net/tun, for a network of its own"
        return 1
    fi
    case $1 in
    views | servers | probes) need nginx ;;
    classes) need globus-gridftp-server ;;
    ganglia) need nginx && need gmond && root ;;
    esac
}

need() {
    command -v "$1" >/dev/null || { echo "$1" && false; }
}

root() {
    [ "$(id -u)" = 0 ] || { echo root && false; }
}

asked=$*
for run in ${asked:-$all}; do
    pictures=$(list "$run")
    lack=$(lacks "$run") || true
    if [ -n "$lack" ]; then
        echo "gallery: left out $run, which needs $lack" >&2
        continue
    fi
    rm -rf "${runs:?}/$run"
    "$diperf" run "$here/$run.yml" --out "$runs/$run" --quiet || echo "gallery: the run $run says $?" >&2
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
[ -n "$asked" ] || "$top/examples/papers/repeat" --pictures --out "$runs/papers"
