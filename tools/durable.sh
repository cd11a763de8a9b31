#!/bin/sh
# durable.sh COMMAND…: runs COMMAND, such as a benchmark, with a new PostgreSQL that commits durably, to a disk and not to
# memory. PGTASKER_TEST_DATABASE_URL has its address. The data is in DURABLE_DIR, or else in /var/tmp.
set -eu

bin=${PGTASKER_TEST_PGBIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)}
dir=$(mktemp -d "${DURABLE_DIR:-/var/tmp}/pgtasker-durable.XXXXXX")
as_postgres() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown postgres "$dir"
  as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups env HOME="$dir" "$@"; }
fi
stop() {
  as_postgres "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap stop EXIT INT TERM

# bench/calls counts statements with this extension, if the server has it.
preload=
[ -e "$("$bin/pg_config" --pkglibdir 2>/dev/null)/pg_stat_statements.so" ] && preload="-c shared_preload_libraries=pg_stat_statements"

as_postgres "$bin/initdb" -D "$dir/data" -U postgres -A trust >/dev/null
as_postgres "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w start -o "-c listen_addresses='' -k $dir \
  -c shared_buffers=1GB -c max_wal_size=8GB -c checkpoint_timeout=30min -c max_connections=200 \
  -c max_locks_per_transaction=256 -c timezone=UTC $preload" >/dev/null
PGTASKER_TEST_DATABASE_URL="postgres://postgres@/postgres?host=$dir" "$@"
