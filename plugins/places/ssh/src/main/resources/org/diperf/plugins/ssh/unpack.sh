# Unpacks a Java that was sent, once, and says where its command is.
umask 077
to=$base/cache/$digest.d
if [ ! -d "$to" ]; then
    part=$base/cache/part-$$-$digest.d
    trap 'rm -rf "$part"' EXIT
    mkdir "$part" && gzip -dc <"$base/cache/$digest" | tar -xf - -C "$part" || exit 1
    mv "$part" "$to" 2>/dev/null || [ -d "$to" ] || exit 1
fi
for java in "$to"/bin/java "$to"/*/bin/java "$to"/*/*/bin/java; do
    [ -x "$java" ] && said=$("$java" -version 2>&1) && echo "$java" && exit 0
done
echo "no bin/java in it that runs here${said:+: $said}" >&2
exit 1
