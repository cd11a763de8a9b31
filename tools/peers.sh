#!/usr/bin/env bash
# tools/peers.sh COMMAND…: runs a benchmark with the other projects that it compares with the engine. The peers are a server
# with the real pgmq (tools/pgmq.sh, in PGTASKER_TEST_PGBIN), and the program of graphile-worker (in PGTASKER_GRAPHILE). The
# script keeps the newest version of graphile-worker that npm has in .cache/graphile-worker. It leaves out a peer that it cannot
# get, and the benchmark says so.
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
