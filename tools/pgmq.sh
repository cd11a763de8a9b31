#!/usr/bin/env bash
# tools/pgmq.sh [MAJOR]: a PostgreSQL server with the real pgmq extension, to compare ours with.
#
# Takes the server that tools/servers.sh makes (default: 15), puts a copy of it
# into .cache/servers-pgmq/MAJOR, adds the extension and prints the directory of
# the programs, for PGTASKER_TEST_PGBIN:
#
#   PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go test ./internal/tests/pgmqtest
#
# The extension is plain SQL. It comes from npm, pinned, and nothing of it is
# kept in the repository. Needs npm.
set -euo pipefail

package=@electric-sql/pglite-pgmq@0.0.6 # pgmq 1.11.1
major=${1:-15}
here=$(cd "$(dirname "$0")/.." && pwd)
servers=$here/.cache/servers-pgmq
target=$servers/$major
fail() { echo "pgmq.sh: $*" >&2; exit 1; }

bin=$("$here/tools/servers.sh" "$major")
mkdir -p "$servers"
exec 9>"$servers/.lock"
flock 9 # one at a time, so that nothing is fetched twice
rm -rf "$servers"/.new-* # of runs that were killed

stamp="$package on $(cat "${bin%/bin}/stamp")"
if [ "$(cat "$target/stamp-pgmq" 2>/dev/null)" != "$stamp" ]; then
  echo "pgmq.sh: fetching $package" >&2
  work=$(mktemp -d "$servers/.new-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  tarball=$(cd "$work" && npm pack --silent "$package" 2>/dev/null | tail -n 1) || fail "npm does not deliver $package"
  tar -xzf "$work/$tarball" -C "$work"
  tar -xzf "$work/package/dist/pgmq.tar.gz" -C "$work"
  cp -a "${bin%/bin}" "$work/server"
  cp "$work"/share/postgresql/extension/pgmq* "$work/server/share/postgresql/extension/"
  chmod -R a+rX "$work/server"
  echo "$stamp" > "$work/server/stamp-pgmq"
  rm -rf "${target:?}"
  mv "$work/server" "$target" # a server is whole or absent
fi
chmod a+rX "$servers"
echo "$target/bin"
