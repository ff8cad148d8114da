# Takes a file into the cache under the name of its content.
umask 077
part=$base/cache/part-$$-$digest
trap 'rm -f "$part"' EXIT
cat >"$part" || { df -Pk "$base" | tail -n 1 >&2; exit 1; }
found=$(sha256sum <"$part") || exit 1
[ "${found%% *}" = "$digest" ] || { echo "$base/cache: what came has another content; is the disk full?" >&2; exit 1; }
chmod "$mode" "$part" && mv -f "$part" "$base/cache/$digest"
