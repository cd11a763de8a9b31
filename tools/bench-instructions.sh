#!/usr/bin/env bash
# tools/bench-instructions.sh: runs bench/instructions (make bench-instructions), for which it installs valgrind on Debian if it
# is missing and you are root. BASE: the commits to compare with. ROWS: measure the rows whose name contains this text.
# FUNCTIONS: how many of the server's functions to show. AGAIN=1: measure each schema twice.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v valgrind >/dev/null; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "bench-instructions.sh: valgrind is missing: install it" >&2; exit 1; }
  echo "bench-instructions.sh: installing valgrind" >&2
  [ -n "$(ls /var/lib/apt/lists/*Packages* 2>/dev/null)" ] || apt-get update -q >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends valgrind >&2
fi
exec "${GO:-go}" run -C bench ./instructions -base "${BASE:-}" -rows "${ROWS:-}" -functions "${FUNCTIONS:-0}" ${AGAIN:+-again}
