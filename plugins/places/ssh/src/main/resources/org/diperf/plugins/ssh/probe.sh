# Says what this machine is, a line a fact. Changes nothing.
export LC_ALL=C
echo "os $(uname -s)"
echo "release $(uname -r)"
echo "arch $(uname -m)"
pretty=$(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME")
[ -n "$pretty" ] && echo "system $pretty"
echo "cores $(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"
while read -r key value _; do
    [ "$key" = MemTotal: ] && echo "memory $value" && break
done </proc/meminfo
while read -r key value _; do
    [ "$key" = MemAvailable: ] && echo "free $value" && break
done </proc/meminfo
read -r load _ </proc/loadavg && echo "load $load"
# Of all processors, in ticks: busy and idle.
processors() {
    read -r _ user nice system idle wait irq soft steal _ </proc/stat
    echo "ticks $((user + nice + system + irq + soft + steal)) $((idle + wait))"
}
processors
sleep 0.5 2>/dev/null || sleep 1
processors
while read -r key value _; do
    [ "$key" = procs_running ] && echo "running $value" && break
done </proc/stat
for tool in setsid sha256sum head tail tar gzip grep mkdir mv; do
    command -v $tool >/dev/null 2>&1 || echo "lacks $tool"
done
if [ -z "$folder" ]; then
    if [ -n "$HOME" ] && [ -d "$HOME" ] && [ -w "$HOME" ]; then folder=$HOME/.diperf; else folder=/tmp/diperf-$(id -u); fi
fi
echo "folder $folder"
parent=$folder
while [ ! -d "$parent" ]; do
    case $parent in */*) parent=${parent%/*} ;; *) parent=. ;; esac
    [ -n "$parent" ] || parent=/
done
[ -w "$parent" ] || echo "unwritable $parent"
df -Pk "$parent" 2>/dev/null | { read -r _; read -r _ _ _ free _; echo "disk $free"; }
path=$(command -v "$java" 2>/dev/null)
if [ -n "$path" ]; then
    echo "javapath $path"
    "$java" -version 2>&1 | while IFS= read -r line; do echo "javasays $line"; done
fi
if command -v bash >/dev/null 2>&1 && [ -n "$target_host" ]; then
    limit=
    command -v timeout >/dev/null 2>&1 && limit="timeout 3"
    $limit bash -c '
        for i in 1 2 3; do
            before=$EPOCHREALTIME
            exec 3<>"/dev/tcp/$1/$2" || exit
            after=$EPOCHREALTIME
            exec 3>&-
            echo "connect $(( ${after//./} - ${before//./} ))"
        done' bash "$target_host" "$target_port" 2>/dev/null
fi
exit 0
