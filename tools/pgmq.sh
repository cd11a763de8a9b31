#!/usr/bin/env bash
# tools/pgmq.sh [MAJOR]: makes a PostgreSQL server with the real pgmq extension, with which the tests compare messaging in this
# repository.
#
# Copies a server of tools/servers.sh (default: 15) to .cache/servers-pgmq/MAJOR,
# adds the extension and prints the directory of the programs, for
# PGTASKER_TEST_PGBIN:
#
#   PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go test ./internal/tests/pgmqtest
#
# The extension is plain SQL. The script downloads a pinned version from npm, and
# keeps none of it in the repository. Needs npm.
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
  mv "$work/server" "$target" # the rename makes a server appear only when it is complete
fi
chmod a+rX "$servers"
echo "$target/bin"
