# Ends all processes that carry a mark in their environment: asks, and after the grace forces. Says what is left.
ours() {
    grep -lsF "DIPERF_RUN=$mark" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ process _; do
        echo "$process"
    done
}
gone() {
    tries=0
    while [ -n "$(ours)" ]; do
        [ $tries -ge "$1" ] && return 1
        tries=$((tries + 1))
        sleep 0.1 2>/dev/null || sleep 1
    done
}
gone "$patience" && exit 0
kill -TERM $(ours) 2>/dev/null
gone "$grace" && exit 0
kill -KILL $(ours) 2>/dev/null
gone 30 && exit 0
for process in $(ours); do
    echo "process $process ($(tr '\0' ' ' <"/proc/$process/cmdline" | head -c 200)) cannot be ended" >&2
done
exit 1
