#!/bin/sh
# A cluster that grows by one node under load: does the new node take its share, and do more nodes help? One run on the
# nodes that are there, one during which another joins, one on all of them. The three stand in one graph page, and the
# lines behind each table say which node got which share.
#
#   examples/growing.sh [PAGE]
#
# PAGE is growing.html where not given. From the environment: CSTRESS, the program (cstress); COUNT, nodes at the start
# (4); SECONDS_EACH, length of the first and the last run (20); THREADS (32). The nodes are those of tools/cassandra and
# are removed at the end.
set -eu

page=${1:-growing.html}
cstress=${CSTRESS:-cstress}
kit=$(dirname "$0")/../tools/cassandra
name=example-growing
: "${COUNT:=4}" "${SECONDS_EACH:=20}" "${THREADS:=32}"
load=''
how=''

finish() {
    [ -z "$load" ] || kill "$load" 2>/dev/null || true
    "$kit" wipe "$name"
}
trap finish EXIT
trap 'exit 130' INT TERM

nodes() {
    line=$("$kit" env "$name")
    echo "${line#*=}"
}

run() {
    revision=$1
    shift
    $how "$cstress" write "$@" cl=ONE no-warmup -pop seq=1..1000000 -rate "threads=$THREADS" \
        -schema "replication(factor=2)" -log no-settings \
        -graph "file=$page" "title=a cluster that grows" "revision=$revision" -node "$(nodes)"
}

"$kit" wipe "$name"
"$kit" start "$name" --nodes "$COUNT"
run "$COUNT nodes" "duration=${SECONDS_EACH}s"

# An interrupted run still prints its results and joins the page.
how='exec'
run growing duration=1h &
load=$!
how=''
"$kit" add "$name"
sleep "$SECONDS_EACH"
kill "$load"
wait "$load" || true
load=''

run "$((COUNT + 1)) nodes" "duration=${SECONDS_EACH}s"
echo "the page is $page"
