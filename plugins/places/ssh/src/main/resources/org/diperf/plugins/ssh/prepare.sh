# Makes the folder of a run and says which of the expected contents are not here. Several machines may share the disk.
umask 077
named=$folder
if [ -z "$folder" ]; then
    if [ -n "$HOME" ] && [ -d "$HOME" ] && [ -w "$HOME" ]; then folder=$HOME/.diperf; else folder=/tmp/diperf-$(id -u); fi
fi
mkdir -p "$folder" || exit 1
if [ -n "$named" ]; then
    # A folder that others may use too stays as it is: what is private gets a folder in it.
    case $(ls -ld "$folder") in
        drwx------*) ;;
        *) folder=$folder/diperf-$(id -u) && mkdir -p "$folder" || exit 1 ;;
    esac
fi
[ -O "$folder" ] && [ ! -L "$folder" ] || { echo "$folder belongs to somebody else: choose another with testbed.folder" >&2; exit 1; }
chmod 700 "$folder" || exit 1
base=$(cd "$folder" && pwd -P) || exit 1
lock
mkdir -p "$base/cache" "$base/runs/$run/tools" "$base/runs/$run/files" || { unlock; exit 1; }
[ -s "$base/disk" ] || { head -c 16 /dev/urandom | sha256sum | head -c 32 >"$base/disk"; } || { unlock; exit 1; }
printf '%s\n' "$expected" >>"$base/runs/$run/uses" || { unlock; exit 1; }
printf '%s' "$job" >"$base/runs/$run/job.sh" || { unlock; exit 1; }
disk=$(cat "$base/disk")
unlock
echo "base $base"
echo "disk $disk"
intact() {
    found=$(sha256sum <"$1") && [ "${found%% *}" = "$digest" ]
}
# Registered above, so nobody removes what is found here.
printf '%s\n' "$expected" | while read -r digest; do
    [ -n "$digest" ] || continue
    content=$base/cache/$digest
    if [ -f "$content" ]; then
        intact "$content" && continue
        # Another run may have sent it again meanwhile: what is taken away is looked at once more.
        part=$base/cache/part-$$-$digest
        if mv "$content" "$part" 2>/dev/null; then
            intact "$part" && mv -f "$part" "$content" && continue
            rm -rf "$part" "$content.d"
        fi
    fi
    echo "missing $digest"
done
