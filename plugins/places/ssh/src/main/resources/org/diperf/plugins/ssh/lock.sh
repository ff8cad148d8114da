# The lock of a folder that several runs, and several machines with one disk, may share. Held for milliseconds: nothing is
# hashed, sent or removed in bulk under it. Only one that the same holder has had for 20 s was left by a script that died.
lock() {
    tries=0
    misses=0
    seen=
    until mkdir "$base/lock" 2>/dev/null; do
        mkdir -p "$base" 2>/dev/null
        holder=$(cat "$base/lock/holder" 2>/dev/null)
        [ "$holder" = "$seen" ] || { seen=$holder; tries=0; }
        tries=$((tries + 1))
        if [ $tries -gt 200 ]; then
            # Another one that waits may have broken it first.
            if mv "$base/lock" "$base/lock-$$" 2>/dev/null; then
                rm -rf "$base/lock-$$"
                tries=0
            else
                misses=$((misses + 1))
                [ $misses -gt 10 ] && echo "$base cannot be locked" >&2 && exit 1
            fi
        fi
        sleep 0.1 2>/dev/null || sleep 1
    done
    held="$(uname -n) $$ $(date +%s%N)"
    # Where the disk is full the lock is one that nobody holds, and goes as such.
    echo "$held" >"$base/lock/holder" || { held=; rm -f "$base/lock/holder"; }
}
unlock() {
    if [ "$(cat "$base/lock/holder" 2>/dev/null)" = "$held" ]; then
        rm -rf "$base/lock"
    fi
}
