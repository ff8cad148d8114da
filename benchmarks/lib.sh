# What the scripts beside this file share; they source it. Not to be run by itself.
# shellcheck shell=bash
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=$(basename "$0")
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$here/diperf-controller/target/diperf-controller.jar
ticks=$(getconf CLK_TCK)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/diperf-$name.XXXXXX")
started=()

fail() {
    echo "$name: $*" >&2
    exit 3
}

need() {
    command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || fail "expected $1, got none; on Debian: apt-get install $2"
}

# Ends what this script started, by its process ID, and removes its files. KEEP=1 keeps the files.
cleanup() {
    local pid
    trap - EXIT INT TERM
    for pid in ${started[@]+"${started[@]}"}; do
        kill "$pid" 2>/dev/null || true
    done
    for pid in ${started[@]+"${started[@]}"}; do
        wait "$pid" 2>/dev/null || true
    done
    if [ -n "${KEEP:-}" ]; then
        echo "$name: files are in $scratch" >&2
    else
        rm -rf "$scratch"
    fi
    [ "${log:-off}" = off ] || rm -f "$log"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Starts a command on some cores: on CORES LOG COMMAND...; its process ID is then in $pid.
on() {
    local cores=$1 log=$2
    shift 2
    taskset -c "$cores" "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    started+=("$pid")
}

# Ends one process of ours and waits for it.
end() {
    local pid=$1 signal=${2:-TERM} kept=() other
    kill -"$signal" "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    for other in ${started[@]+"${started[@]}"}; do
        [ "$other" = "$pid" ] || kept+=("$other")
    done
    started=(${kept[@]+"${kept[@]}"})
}

# Waits up to so many seconds until a command succeeds: await SECONDS WHAT COMMAND... Where $watched is a process ID and
# $watched_log its output, its end ends the waiting too.
watched=
watched_log=/dev/null
await() {
    local until=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        if [ -n "$watched" ] && ! kill -0 "$watched" 2>/dev/null; then
            tail -n 20 "$watched_log" >&2
            fail "expected $what, but the process that should have brought it has ended"
        fi
        [ "$SECONDS" -lt "$until" ] || fail "expected $what, got none in time; see $scratch (KEEP=1 keeps it)"
        sleep 0.1
    done
}

build() {
    "$here/diperf" --version >/dev/null || fail 'the build failed'
    [ -f "$jar" ] || fail "expected $jar, got none"
}

# Installs a jar as an archive does, without a Java of its own; the command is then in $launcher.
install_jar() {
    launcher=$scratch/installed/bin/diperf
    mkdir -p "$scratch/installed/bin" "$scratch/installed/lib"
    cp "$here/dist/src/bin/diperf" "$launcher"
    cp "$1" "$scratch/installed/lib/diperf.jar"
}

# Waits for the archives of classes that a first run leaves in the background, in a cache of this script's.
await_classes() {
    await 120 'the archives of classes' classes_are_made
}

classes_are_made() {
    ! pgrep -f -- "-Xshare:dump.*$scratch"
}

# Where programs to measure beside are kept once they are got.
cache=${DIPERF_BENCH_CACHE:-$HOME/.cache/diperf-bench}

# Gets a program by Go, once: go_get NAME PACKAGE@VERSION; it is then $cache/bin/NAME.
go_get() {
    [ -x "$cache/bin/$1" ] || GOBIN=$cache/bin go install "$2" >"$scratch/$1.get" 2>&1
}

# Gets the jars of a profile of peers.d/pom.xml, once; they are then in $cache/PROFILE/lib.
packages() {
    local poms=$here/benchmarks/peers.d/pom.xml maven
    local done=$cache/$1/done-$(cksum <"$poms" | tr ' ' -)
    [ -e "$done" ] && return
    rm -rf "${cache:?}/$1"
    command -v mvn >/dev/null 2>&1 && maven=mvn || maven=$here/mvnw
    "$maven" -B -ntp -q -f "$poms" -P "$1" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
        -DoutputDirectory="$cache/$1/lib" >"$scratch/$1.get" 2>&1 && touch "$done"
}

get_k6() { go_get k6 go.k6.io/k6@v1.8.1; }

get_gatling() {
    packages gatling && javac -proc:none -cp "$cache/gatling/lib/*" -d "$scratch/gatling" "$here/benchmarks/peers.d/Peer.java"
}

# Starts Gatling: gatling_start CORES DIR TARGET SECONDS USERS [HTTP-VERSION]; its process ID is then in $pid.
gatling_start() {
    on "$1" "$2/log" "$java" -Xmx1g --add-opens java.base/java.lang=ALL-UNNAMED -Dtarget="$3" -Dseconds="$4" -Dusers="$5" -Dversion="${6:-1}" \
        -cp "$here/benchmarks/peers.d:$scratch/gatling:$cache/gatling/lib/*" io.gatling.app.Gatling -s Peer -rf "$2" -nr
}

nginx_bin() {
    command -v nginx || echo /usr/sbin/nginx
}

# Starts nginx with one worker: nginx_start CORES PORT [ACCESS_LOG]; its process ID is then in $nginx.
nginx_start() {
    local cores=$1 port=$2 log=${3:-off} dir=$scratch/nginx
    mkdir -p "$dir"
    [ "$log" = off ] || log="$log plain buffer=1m"
    cat >"$dir/nginx.conf" <<END
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid $dir/nginx.pid;
error_log $dir/error.log warn;
events { worker_connections 19000; }
http {
    log_format plain '\$connection \$status';
    access_log $log;
    client_body_temp_path $dir/body;
    proxy_temp_path $dir/proxy;
    fastcgi_temp_path $dir/fastcgi;
    uwsgi_temp_path $dir/uwsgi;
    scgi_temp_path $dir/scgi;
    keepalive_timeout 600s;
    keepalive_requests 1000000000;
    server {
        listen 127.0.0.1:$port backlog=16384;
        location = /status { stub_status; access_log off; }
        location / { default_type text/plain; return 200 "hello\n"; }
        location = /item { default_type application/json; return 200 '{"id":4711,"name":"thing","price":{"amount":12,"of":"EUR"}}'; }
    }
}
END
    on "$cores" "$dir/out.log" "$(nginx_bin)" -e "$dir/error.log" -p "$dir" -c "$dir/nginx.conf"
    nginx=$pid
    await 5 "nginx on port $port" curl -fsS "http://127.0.0.1:$port/status"
}

# Counts the requests that nginx has answered, the questions of this script not included.
asked=0
requests() {
    asked=$((asked + 1))
    served=$(curl -fsS "http://127.0.0.1:$1/status" | awk 'NR == 3 { print $3 }')
    served=$((served - asked))
}

# User and system CPU of a process and all its threads so far, in ticks of 1/CLK_TCK s.
cpu_ticks() {
    sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'
}

peak_rss_kib() {
    awk '$1 == "VmHWM:" { print $2 }' "/proc/$1/status"
}

now() {
    date +%s.%N
}

# The tester of a run: the child of its controller. Its process ID is then in $tester.
find_tester() {
    tester=$(pgrep -P "$1" -f diperf.role=diperf-tester | head -n 1)
    [ -n "$tester" ]
}

# A java command that keeps a JVM on some cores: pinned_java CORES [JAVA]
pinned_java() {
    local file=$scratch/java-on-$1
    printf '#!/bin/sh\nexec taskset -c %s %s "$@"\n' "$1" "${2:-$java}" >"$file"
    chmod +x "$file"
    echo "$file"
}

# Median of the numbers on standard input.
median() {
    sort -g | awk '{ v[NR] = $1 } END { if (NR) print (NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2) }'
}

# Geometric mean of A / B of the pairs "A B" on standard input, with its 95 % interval (Student's t) where there are several.
ratio() {
    awk 'BEGIN { split("12.71 4.30 3.18 2.78 2.57 2.45 2.36 2.31 2.26 2.23 2.20 2.18 2.16 2.14 2.13 2.12 2.11 2.10 2.09", t, " ") }
        { r = log($1 / $2); s += r; q += r * r; n++ }
        END { m = s / n
            if (n == 1) { printf "%.3f (1 pair)\n", exp(m); exit }
            d = q > n * m * m ? sqrt((q - n * m * m) / (n - 1)) : 0; e = (n - 1 in t ? t[n - 1] : 1.96) * d / sqrt(n)
            printf "%.3f (%.3f-%.3f, %d pairs)\n", exp(m), exp(m - e), exp(m + e), n }'
}

machine() {
    printf '%s, %s cores, Linux %s, %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
        "$(uname -r)" "$("$java" -version 2>&1 | sed -n 2p)"
}
