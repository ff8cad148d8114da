# Removes the folder of a run and, unless they are kept, the contents that no other run uses. Spools stay.
clean() {
    [ -d "$base" ] || return 0
    # What is large goes without the lock; what the run uses stays registered until then.
    for each in "$base/runs/$run"/* "$base/runs/$run"/.[!.]*; do
        [ "${each##*/}" = uses ] || rm -rf "$each"
    done
    lock
    uses=$(cat "$base/runs/$run/uses" 2>/dev/null)
    rm -rf "$base/runs/$run"
    if [ "$cache" = remove ]; then
        for digest in $uses; do
            grep -qsF "$digest" "$base"/runs/*/uses && continue
            for each in "$base/cache/$digest" "$base/cache/$digest.d"; do
                [ ! -e "$each" ] || mv "$each" "$base/cache/gone-$run-${each##*/}"
            done
        done
    fi
    unlock
    rm -rf "$base/cache/gone-$run-"*
    lock
    [ "$cache" != remove ] || rmdir "$base/cache" 2>/dev/null
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
