# Removes the folder of a run and, unless they are kept, the contents that no other run uses.
clean() {
    [ -d "$base" ] || return 0
    lock
    uses=$(cat "$base/runs/$run/uses" 2>/dev/null)
    rm -rf "$base/runs/$run"
    if [ "$cache" = remove ]; then
        for digest in $uses; do
            grep -qsF "$digest" "$base"/runs/*/uses || rm -rf "$base/cache/$digest" "$base/cache/$digest.d"
        done
        rmdir "$base/cache" 2>/dev/null
    fi
    rmdir "$base/runs" 2>/dev/null
    if [ ! -d "$base/runs" ] && [ ! -d "$base/cache" ]; then
        rm -f "$base/disk"
    fi
    unlock
    rmdir "$base" 2>/dev/null
    if [ -d "$base/runs/$run" ]; then
        echo "$base/runs/$run cannot be removed" >&2
        return 1
    fi
    return 0
}
