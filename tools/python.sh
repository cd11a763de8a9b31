#!/usr/bin/env bash
# tools/python.sh COMMAND…: checks the types of clients/python with Debian's mypy. As root it installs mypy, psycopg, pydantic
# and cryptography if they are missing. Then it runs the command, with the path of Python in PGTASKER_TEST_PYTHON. If npm is
# installed, PYRIGHT has the path of pyright, with which the tests also check the programs that must not type-check.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

fail() { echo "python.sh: $*" >&2; exit 1; }
install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "$1 is missing: install it"
  echo "python.sh: installing $1" >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends "$1" >/dev/null 2>&1 ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends "$1" >/dev/null; } ||
    fail "apt-get could not install $1"
}

command -v python3 >/dev/null || install python3
command -v mypy >/dev/null || install mypy
# Debian's Python has psycopg, even if another Python comes first in PATH.
python=$(command -v python3)
if ! "$python" -c 'import psycopg' 2>/dev/null; then
  python=/usr/bin/python3
  for module in psycopg pydantic cryptography pip wheel setuptools; do
    "$python" -c "import $module" 2>/dev/null || install "python3-$module"
  done
  # Without this package Debian's module venv makes no environment that has pip.
  "$python" -c 'import ensurepip' 2>/dev/null || install python3-venv
fi
"$python" -c 'import cryptography' 2>/dev/null || fail "$python has no cryptography: install it, or the tests of encrypted payloads would be skipped"
(cd "$root/clients/python" && mypy --no-error-summary --cache-dir "$root/.cache/mypy")
checker=$root/clients/python/pyright
if command -v npm >/dev/null; then
  if [ ! "$checker/node_modules/.package-lock.json" -nt "$checker/package-lock.json" ]; then
    (cd "$checker" && npm ci --ignore-scripts --no-audit --no-fund --silent 2>/dev/null) || fail "npm could not install pyright"
  fi
  export PYRIGHT=$checker/node_modules/.bin/pyright
else
  echo "python.sh: pyright checks nothing: npm is missing" >&2
fi
PGTASKER_TEST_PYTHON=$python MYPY_CACHE=$root/.cache/mypy
export PGTASKER_TEST_PYTHON MYPY_CACHE PYTHONDONTWRITEBYTECODE=1
exec "$@"
