#!/bin/sh
# Limit client and (optionally) another client against the null responder, alternately, in one run.
# usage: compare.sh [-r reps] [-s secs] [-c client_cpu] [-k responder_cpu] [-x "NxD NxD ..."] ['product command']
# In the product command %P is the port, %N the connections, %D the requests in flight per connection,
# %S the seconds.  Every row is measured from outside by limit-meter, so both sides use the same ruler.
# Prints, per point, the medians of ops/s and client CPU us/op (with min and max) and the ratios.
set -u
cd "$(dirname "$0")/../../build/bench" || exit 1
reps=5 secs=5 ccpu='' rcpu='' points="1x1 4x8 16x1 16x8 16x64" port=${PORT:-19042}
while getopts r:s:c:k:x: f; do
    case $f in
    r) reps=$OPTARG ;; s) secs=$OPTARG ;; c) ccpu=$OPTARG ;; k) rcpu=$OPTARG ;; x) points=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
prod=${1:-}
tmp=$(mktemp -d) || exit 1
./limit-responder -p "$port" ${rcpu:+-c "$rcpu"} 2>"$tmp/responder" &
rp=$!
trap 'kill $rp 2>/dev/null; wait $rp 2>/dev/null; rm -rf "$tmp"' EXIT INT TERM
sleep 1
on() { # command...: run under the meter, on the client's CPU if one was given
    if [ -n "$ccpu" ]; then taskset -c "$ccpu" ./limit-meter -p "$port" "$@" 2>>"$tmp/err"; else ./limit-meter -p "$port" "$@" 2>>"$tmp/err"; fi
}
field() { tr ' ' '\n' <"$1" | sed -n "s/^$2=//p" | sort -g; }
mid() { awk '{v[NR]=$1} END {if (NR) print (NR % 2 ? v[(NR+1)/2] : (v[NR/2]+v[NR/2+1])/2)}'; }
row() { # name file
    printf '%-22s %12.0f [%.0f .. %.0f]   %8.3f [%.3f .. %.3f]\n' "$1" "$(field "$2" ops_s | mid)" \
        "$(field "$2" ops_s | head -1)" "$(field "$2" ops_s | tail -1)" \
        "$(field "$2" cli_us | mid)" "$(field "$2" cli_us | head -1)" "$(field "$2" cli_us | tail -1)"
}
printf '%-22s %12s %s\n' point 'ops/s' '[min .. max]   client CPU us/op [min .. max]'
for x in $points; do
    n=${x%x*} d=${x#*x}
    i=0
    while [ $i -lt "$reps" ]; do
        on ./limit-client -p "$port" -m coal -n "$n" -d "$d" -s "$secs" -w 0.2 -g >>"$tmp/limit.$x"
        if [ -n "$prod" ]; then
            cmd=$(printf '%s' "$prod" | sed "s/%P/$port/g; s/%N/$n/g; s/%D/$d/g; s/%S/$secs/g")
            on sh -c "exec $cmd" >>"$tmp/prod.$x"
        fi
        i=$((i + 1))
    done
    row "limit $x" "$tmp/limit.$x"
    if [ -n "$prod" ] && [ -z "$(field "$tmp/prod.$x" ops_s)" ]; then
        echo "product $x: no EXECUTE reached the responder; the end of its output:"
        tail -5 "$tmp/err"
    elif [ -n "$prod" ]; then
        row "product $x" "$tmp/prod.$x"
        awk -v n="$x" -v a="$(field "$tmp/limit.$x" ops_s | mid)" -v b="$(field "$tmp/prod.$x" ops_s | mid)" \
            -v c="$(field "$tmp/limit.$x" cli_us | mid)" -v e="$(field "$tmp/prod.$x" cli_us | mid)" \
            'BEGIN {printf "ratio   %-14s ops/s %.2f of the limit, CPU/op %.2f times the limit\n", n, b / a, e / c}'
    fi
done
