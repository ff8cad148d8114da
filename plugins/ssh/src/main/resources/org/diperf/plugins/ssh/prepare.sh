# Makes the folder of a run and says which of the wanted contents are not here. Several machines may share the disk.
umask 077
nl='
'
if [ -z "$folder" ]; then
    if [ -n "$HOME" ] && [ -d "$HOME" ] && [ -w "$HOME" ]; then folder=$HOME/.diperf; else folder=/tmp/diperf-$(id -u); fi
fi
mkdir -p "$folder" || exit 1
[ -O "$folder" ] && [ ! -L "$folder" ] || { echo "$folder belongs to somebody else: choose another with testbed.folder" >&2; exit 1; }
chmod 700 "$folder" || exit 1
base=$(cd "$folder" && pwd -P) || exit 1
lock
mkdir -p "$base/cache" "$base/runs/$run/tools" "$base/runs/$run/files" || { unlock; exit 1; }
[ -s "$base/disk" ] || { head -c 16 /dev/urandom | sha256sum | head -c 32 >"$base/disk"; } || { unlock; exit 1; }
printf '%s\n' "$wanted" >>"$base/runs/$run/uses"
echo "base $base"
echo "disk $(cat "$base/disk")"
# Registered above, so nobody removes what is found here.
printf '%s\n' "$wanted" | while read -r digest; do
    [ -n "$digest" ] || continue
    if [ -f "$base/cache/$digest" ]; then
        found=$(sha256sum <"$base/cache/$digest")
        [ "${found%% *}" = "$digest" ] && continue
        rm -rf "$base/cache/$digest" "$base/cache/$digest.d"
    fi
    echo "missing $digest"
done
printf '%s' "$job" >"$base/runs/$run/job.sh" || { unlock; exit 1; }
unlock
