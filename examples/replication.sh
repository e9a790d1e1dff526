#!/bin/sh
# Two replicas against three: why does RF 3 read slower than RF 2? The same rows are written and read at QUORUM (two
# replicas must answer in either case; with RF 3 each write goes to one node more), and at ONE. All runs stand in one
# graph page, and the lines behind each table say which node got which share.
#
#   examples/replication.sh [PAGE]
#
# PAGE is replication.html where not given. From the environment: CSTRESS, the program (cstress); NODES, hosts of a
# cluster with three nodes or more (not set: three of tools/cassandra, removed at the end); N, rows (20000); THREADS (32).
set -eu

page=${1:-replication.html}
cstress=${CSTRESS:-cstress}
kit=$(dirname "$0")/../tools/cassandra
name=example-replication
: "${N:=20000}" "${THREADS:=32}"

if [ -z "${NODES:-}" ]; then
    trap '"$kit" wipe "$name"' EXIT
    trap 'exit 130' INT TERM
    "$kit" start "$name" --nodes 3
    NODES=$("$kit" env "$name")
    NODES=${NODES#*=}
fi

run() {
    factor=$1 command=$2 level=$3
    "$cstress" "$command" n="$N" cl="$level" no-warmup -pop "seq=1..$N" -rate "threads=$THREADS" \
        -schema "keyspace=replicas$factor" "replication(factor=$factor)" -node "$NODES" -log no-settings \
        -graph "file=$page" "title=RF 2 and RF 3" "revision=RF $factor, $level"
}

for factor in 2 3; do
    run "$factor" write QUORUM
    run "$factor" read QUORUM
    run "$factor" read ONE
done
echo "the page is $page"
