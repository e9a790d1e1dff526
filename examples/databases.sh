#!/bin/sh
# Cassandra beside MariaDB: the same table (a number as key, a text of 500 bytes), the same rows, the same numbers of
# requests in flight, one graph page. In MariaDB each request in flight is a connection.
#
#   examples/databases.sh [PAGE]
#
# PAGE is databases.html where not given. From the environment: CSTRESS, the program (cstress); NODES, hosts of Cassandra
# (not set: one node of tools/cassandra, removed at the end); N, rows (20000); THREADS (64). MariaDB is started in a folder of
# its own (packages mariadb-server-core and mariadb-client-core) and removed at the end.
set -eu

page=${1:-databases.html}
cstress=${CSTRESS:-cstress}
kit=$(dirname "$0")/../tools/cassandra
name=example-databases
: "${N:=20000}" "${THREADS:=64}"
PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
server=''
own=no

finish() {
    [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
    [ "$own" = no ] || "$kit" wipe "$name"
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

start_mariadb() {
    mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$folder/data" \
        --auth-root-authentication-method=normal --skip-test-db >"$folder/install.log"
    mariadbd --no-defaults --user="$(id -un)" --datadir="$folder/data" --socket="$folder/socket" \
        --pid-file="$folder/pid" --skip-networking --max-connections=1000 >"$folder/log" 2>&1 &
    server=$!
    until mariadb --no-defaults --user=root --socket="$folder/socket" -e 'SELECT 1' >/dev/null 2>&1; do
        kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
        sleep 0.1
    done
}

run() {
    revision=$1 command=$2
    shift 2
    "$cstress" "$command" n="$N" no-warmup -pop "seq=1..$N" -schema table=kv -col "size=FIXED(500)" \
        -rate "threads=$THREADS" -log no-settings \
        -graph "file=$page" "title=Cassandra and MariaDB" "revision=$revision" "$@"
}

if [ -z "${NODES:-}" ]; then
    own=yes
    "$kit" wipe "$name"
    "$kit" start "$name" --for load
    NODES=$("$kit" env "$name")
    NODES=${NODES#*=}
fi
start_mariadb

for command in write read; do
    run Cassandra "$command" -mode native cql3 -node "$NODES"
    run MariaDB "$command" -mode mysql user=root "socket=$folder/socket"
done
echo "the page is $page"
