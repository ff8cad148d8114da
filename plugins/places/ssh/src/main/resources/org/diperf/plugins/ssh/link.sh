# Gives cached contents the names that a run has for them: lines of digest, blank, path.
umask 077
printf '%s\n' "$links" | while read -r digest path; do
    [ -n "$digest" ] || continue
    to=$base/runs/$run/$path
    mkdir -p "${to%/*}" && ln -sfn "$base/cache/$digest" "$to" || exit 1
done
