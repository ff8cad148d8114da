# Removes spools that are safe elsewhere, and the folders that are then empty.
printf '%s\n' "$spools" | while read -r spool; do
    rm -f "$spool" || exit 1
    rmdir "${spool%/*}" 2>/dev/null || :
done || exit 1
rmdir "$base/spool" 2>/dev/null
rmdir "$base" 2>/dev/null
exit 0
