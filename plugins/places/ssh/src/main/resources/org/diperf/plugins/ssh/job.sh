# Runs one program of a run and says when it has ended: job.sh RUN_FOLDER NAME, its input on 0, the controller on 3.
umask 077
cd "$1" || exit 1
name=$2
exec 4<&0 </dev/null
trap 'asked=yes' TERM HUP INT
sh "./$name.sh" <&4 4<&- 3>&- &
program=$!
exec 4<&-
trap '' PIPE
while :; do
    wait "$program"
    code=$?
    kill -0 "$program" 2>/dev/null || break
done
echo "$code" >"$name.part" && mv -f "$name.part" "$name.exit"
words=$(tail -n 4 "$name.log" 2>/dev/null | tr '\n\r\t' ';  ' | tr -cd '\40-\176' | head -c 1200)
printf 'ended %s %s %s\n' "$name" "$code" "$words" >&3 2>/dev/null
