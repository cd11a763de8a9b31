#!/usr/bin/env bash
# tools/citus.sh SOURCE: a PostgreSQL with Citus, built from the source tree in the directory SOURCE.
#
#   git clone --branch v13.2.2 https://github.com/citusdata/citus /tmp/citus
#   PGTASKER_TEST_CITUS=$(tools/citus.sh /tmp/citus) go test ./internal/tests/citustest
#
# The server is a copy of the server in PGTASKER_TEST_PGBIN, or of the newest server on this machine that has headers
# (Debian: postgresql-server-dev-15). Citus is installed into that copy only, under .cache/citus. The script prints the
# directory of the programs, for PGTASKER_TEST_CITUS. It builds a source tree once. Citus is AGPL, so its source is not
# kept here.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cache=$root/.cache/citus
say() { echo "citus.sh: $*" >&2; }
fail() { say "$*"; exit 1; }

source=${1:-}
[ -n "$source" ] || fail "name a source tree of Citus: make test-citus CITUS=/path/to/citus
  git clone --branch v13.2.2 https://github.com/citusdata/citus /path/to/citus"
[ -x "$source/configure" ] && [ -d "$source/src/backend/distributed" ] || fail "$source is no source tree of Citus"
version=$(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" "$source/configure")

# Find the programs of a PostgreSQL that has headers.
config=
candidates=${PGTASKER_TEST_PGBIN:-$(ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/local/pgsql/bin 2>/dev/null | sort -V)}
for found in $candidates; do
  [ -x "$found/pg_config" ] && [ -f "$("$found/pg_config" --pgxs)" ] && config=$found/pg_config
done
[ -n "$config" ] || fail "found no PostgreSQL with headers: on Debian apt-get install postgresql-15 postgresql-server-dev-15"
stamp="layout 1, Citus $version, $("$config" --version)"
name=citus-$version-$("$config" --version | tr -dc '0-9.' | cut -d . -f 1)
target=$cache/$name
bin=$target$("$config" --bindir)

mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9
rm -rf "$cache"/.new-* # of runs that were killed
if [ "$(cat "$target/stamp" 2>/dev/null)" != "$stamp" ]; then
  say "building Citus $version for $("$config" --version): some minutes"
  work=$(mktemp -d "$cache/.new-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  cp -r "$source" "$work/source"
  rm -rf "$work/source/.git"
  # Build without libcurl, which Citus needs only to report its use, and without LLVM, since clang may be missing.
  if ! (cd "$work/source" && ./configure --quiet --without-libcurl PG_CONFIG="$config" &&
    nice -n 19 make -s -j "${JOBS:-$(nproc)}" with_llvm=no extension && make -s with_llvm=no install-extension DESTDIR="$work/server") >"$work/log" 2>&1; then
    tail -n 20 "$work/log" >&2
    fail "Citus could not be built; on Debian it needs
  apt-get install gcc make flex libssl-dev liblz4-dev libzstd-dev libkrb5-dev libpam0g-dev libselinux1-dev libxslt1-dev libreadline-dev zlib1g-dev"
  fi
  # A server finds its files relative to its programs, so that a copy with the same layout works below another root.
  for place in --bindir --pkglibdir --sharedir; do
    from=$("$config" "$place")
    mkdir -p "$work/server$from"
    cp -rLn "$from/." "$work/server$from/"
  done
  # The settings with which initdb creates clusters.
  cat >> "$work/server$("$config" --sharedir)/postgresql.conf.sample" <<'CONF'
shared_preload_libraries = 'citus'
max_worker_processes = 64 # each database with Citus has one
max_prepared_transactions = 64
CONF
  chmod -R a+rX "$work/server"
  echo "$stamp" > "$work/server/stamp"
  rm -rf "${target:?}"
  mv "$work/server" "$target" # the rename makes a server appear only when it is complete
fi
chmod a+rX "$root/.cache" "$cache"
echo "$bin"
