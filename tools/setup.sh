#!/usr/bin/env bash
# Installs what the tests need where it is missing: a PostgreSQL server, pgTAP and pg_prove, and a C
# compiler for Go's race detector. Only on Debian and only as root; elsewhere it says what is missing.
set -euo pipefail

pgbin() { # the directory of the newest server's binaries, if any
  if [ -n "${PGTASKER_TEST_PGBIN:-}" ]; then echo "$PGTASKER_TEST_PGBIN"; return; fi
  find /usr/lib/postgresql -path '*/bin/postgres' 2>/dev/null | sort -V | tail -1 | xargs -r dirname
}

if [ -n "${PGTASKER_TEST_PGBIN:-}" ] && [ ! -x "$PGTASKER_TEST_PGBIN/postgres" ]; then
  echo "PGTASKER_TEST_PGBIN is $PGTASKER_TEST_PGBIN, where there is no postgres" >&2
  exit 1
fi

missing=()
[ -n "$(pgbin)" ] || missing+=(postgresql)
command -v psql >/dev/null || missing+=(postgresql-client)
command -v pg_prove >/dev/null || missing+=(libtap-parser-sourcehandler-pgtap-perl)
command -v gcc >/dev/null || missing+=(gcc libc6-dev)

# pgTAP is packaged for each major of the server.
pgtap() {
  local share
  share=$("$(pgbin)/pg_config" --sharedir 2>/dev/null || echo "$(pgbin)/../share/postgresql")
  [ -e "$share/extension/pgtap.control" ]
}
major() { "$(pgbin)/postgres" --version | grep -oE '[0-9]+' | head -1; }
if [ -n "$(pgbin)" ] && ! pgtap; then
  missing+=("postgresql-$(major)-pgtap")
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if [ -n "${PGTASKER_TEST_DATABASE_URL:-}" ]; then
  exit 0 # A server was given; what else is missing, the tests say themselves.
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need what is missing here: ${missing[*]}" >&2
  echo "Install it (on Debian as root: apt-get install ${missing[*]} postgresql-MAJOR-pgtap)," >&2
  echo "or name a server in PGTASKER_TEST_DATABASE_URL, or have a Docker engine." >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -qy --no-install-recommends "${missing[@]}"
if ! pgtap; then
  apt-get install -qy --no-install-recommends "postgresql-$(major)-pgtap"
fi
