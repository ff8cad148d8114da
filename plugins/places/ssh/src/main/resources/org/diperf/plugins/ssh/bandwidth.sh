# Says how many bytes go between this machine and the service in how many microseconds; or why that cannot be told.
export LC_ALL=C
if [ "$by" = iperf ]; then
    command -v iperf3 >/dev/null 2>&1 || { echo "why there is no iperf3 on this machine; nws needs only bash"; exit 0; }
    iperf3 -c "$host" -p "$port" -t 1 -J 2>/dev/null | while read -r line; do
        case $line in
        *'"sum_received"'*) received=1 ;;
        '"seconds"'*) seconds=${line#*:} ;;
        '"bytes"'*) [ -n "$received" ] && bytes=${line#*:} ;;
        '}'*)
            if [ -n "$received" ] && [ -n "$bytes" ]; then
                echo "bytes ${bytes%,}"
                echo "${seconds%,}" | { IFS=. read -r whole part; part=${part}000000; echo "micros $((whole * 1000000 + 1${part%"${part#??????}"} - 1000000))"; }
                exit
            fi ;;
        esac
    done
    exit 0
fi
command -v bash >/dev/null 2>&1 || { echo "why there is no bash on this machine"; exit 0; }
limit=
command -v timeout >/dev/null 2>&1 && limit="timeout 15"
$limit bash -c '
    # Who hangs up is told of, and does not end this.
    trap "" PIPE
    by=$1 host=$2 port=$3 path=$4
    no() {
        echo "why $host:$port did not answer as $by does"
        exit
    }
    # Waits for a byte that is 0.
    answer() { read -r -d "" -t 5 -u 3 _ || no; }
    # Ever more bytes, until they take long enough to tell.
    for mib in 1 4 16 64; do
        exec 3<>"/dev/tcp/$host/$port" || { echo "why nothing answers at $host:$port"; exit; }
        if [ "$by" = nws ]; then
            # A number that names the protocol, 8 bytes of size, 4 of the buffer; then one byte there and back.
            printf "NWSP\\0\\0\\0\\0$(printf "\\\\x%02x\\\\x%02x" $((mib >> 4)) $((mib << 4 & 255)))\\0\\0\\0\\x40\\0\\0" >&3
            answer
            printf "\\0" >&3
            answer
            before=$EPOCHREALTIME
            head -c $((mib << 20)) /dev/zero >&3
            answer
            bytes=$((mib << 20))
        else
            before=$EPOCHREALTIME
            printf "GET %s HTTP/1.0\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n" "$path" "$host" >&3
            bytes=$(head -c $((64 << 20)) <&3 | wc -c)
        fi
        micros=$(( ${EPOCHREALTIME//./} - ${before//./} ))
        exec 3>&-
        [ "$bytes" -gt 0 ] || no
        [ "$by" = http ] || [ "$micros" -gt 300000 ] && break
    done
    echo "bytes $bytes"
    echo "micros $micros"
    ' bash "$by" "$host" "$port" "$path" 2>/dev/null
exit 0
