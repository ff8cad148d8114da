# The lock of a folder that several runs, and several machines with one disk, may share. Held for milliseconds.
lock() {
    tries=0
    until mkdir "$base/lock" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -gt 200 ] && rmdir "$base/lock" 2>/dev/null
        [ $tries -gt 210 ] && echo "$base cannot be locked" >&2 && exit 1
        mkdir -p "$base" 2>/dev/null
        sleep 0.1 2>/dev/null || sleep 1
    done
}
unlock() {
    rmdir "$base/lock" 2>/dev/null
}
