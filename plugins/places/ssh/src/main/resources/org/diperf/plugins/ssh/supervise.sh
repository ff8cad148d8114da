# Starts the programs of a run on this machine as the controller says, and stays until they have ended. Where the
# controller is gone for good, removes what it can no longer remove.
umask 077
nl='
'
export DIPERF_RUN="$run/supervisor/"
here=$base/runs/$run
names=
bye=
exec 3>&1
while IFS= read -r line; do
    case $line in
        'job '*) name=${line#job } script= input= part=script ;;
        input) part=input ;;
        ' '*) if [ $part = script ]; then script=$script${line# }$nl; else input=$input${line# }$nl; fi ;;
        end)
            printf '%s' "$script" >"$here/$name.sh" || { echo "ended $name 1 $here cannot be written" >&3; continue; }
            printf '%s' "$input" | DIPERF_RUN="$run/$name/" setsid sh "$here/job.sh" "$here" "$name" >"$here/$name.log" 2>&1 &
            names="$names $name"
            input=
            echo "started $name"
            ;;
        bye) bye=yes ;;
    esac
done
wait
[ -n "$bye" ] && exit 0
gone=
for name in $names; do
    case $name in tester-*) ;; *) continue ;; esac
    case $(cat "$here/$name.exit" 2>/dev/null) in
        # This tester's controller was gone.
        3) gone=yes ;;
        # It told this one to end, and so takes the logs and the rest.
        0 | 4 | 5) exit 0 ;;
    esac
done
[ -n "$gone" ] || exit 0
for name in $names; do
    rm -rf "$here/$name" "$here/$name".*
done
for left in "$here"/*.log; do
    [ -e "$left" ] && exit 0
done
clean
