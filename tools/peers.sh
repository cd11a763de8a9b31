#!/usr/bin/env bash
# tools/peers.sh COMMAND…: runs a benchmark with the peers that are measured beside the engine: a server that has the real
# pgmq (PGTASKER_TEST_PGBIN, tools/pgmq.sh) and the program of graphile-worker (PGTASKER_GRAPHILE), in the newest version
# that npm has, kept in .cache/graphile-worker. A peer that the script cannot get is left out, and the benchmark says so.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
target=$root/.cache/graphile-worker

if [ -z "${PGTASKER_TEST_PGBIN:-}" ] && bin=$("$root/tools/pgmq.sh"); then
  export PGTASKER_TEST_PGBIN=$bin
fi
if command -v npm >/dev/null; then
  mkdir -p "$target"
  (cd "$target" && npm install --ignore-scripts --no-audit --no-fund --silent --no-save graphile-worker@latest >/dev/null 2>&1) ||
    echo "peers.sh: npm does not deliver graphile-worker" >&2
fi
if [ -x "$target/node_modules/.bin/graphile-worker" ]; then
  export PGTASKER_GRAPHILE=$target/node_modules/.bin/graphile-worker
fi
exec "$@"
