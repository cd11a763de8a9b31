#!/usr/bin/env bash
# tools/typescript.sh COMMAND…: compiles clients/typescript with the compiler of its package-lock.json. Then it runs the
# command, with the path of node in PGTASKER_TEST_NODE. It installs Debian's npm if npm is missing and you are root.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
client=$root/clients/typescript

fail() { echo "typescript.sh: $*" >&2; exit 1; }
if ! command -v npm >/dev/null; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "npm is missing: install it"
  echo "typescript.sh: installing npm" >&2
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends npm >/dev/null || fail "apt-get could not install npm"
fi
# After npm ci has installed the packages, the lock file in node_modules is newer than the lock file of the client.
if [ ! "$client/node_modules/.package-lock.json" -nt "$client/package-lock.json" ]; then
  (cd "$client" && npm ci --ignore-scripts --no-audit --no-fund --silent 2>/dev/null) || fail "npm could not install the compiler"
fi
# Tests run the test kit in vitest, too. The client does not need the packages of vitest.
if [ ! "$client/vitest/node_modules/.package-lock.json" -nt "$client/vitest/package-lock.json" ]; then
  (cd "$client/vitest" && npm ci --ignore-scripts --no-audit --no-fund --silent 2>/dev/null) || fail "npm could not install vitest"
fi
# The compiler writes only files whose sources have changed since its last run, so later runs by npm pack and by the tests of
# the pages have nothing to do. First delete the output of sources that no longer exist.
if [ -d "$client/build" ]; then
  (cd "$client/build" && find . -name '*.js' | while read -r made; do
    [ -e "../${made%.js}.ts" ] || rm -f "$made" "${made%.js}.d.ts"
  done)
fi
(cd "$client" && node_modules/.bin/tsc)
PGTASKER_TEST_NODE=$(command -v node)
export PGTASKER_TEST_NODE
exec "$@"
