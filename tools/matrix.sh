#!/usr/bin/env bash
# Runs tests and checks on each of these PostgreSQL majors: tools/matrix.sh 15 16 17 18. The servers come
# from tools/servers.sh. MATRIX selects the tests and checks: any of pgtap, go and verify, by default all three. ROOMS selects
# folders of pgtap/, by default all.
set -euo pipefail
cd "$(dirname "$0")/.."

for major in "$@"; do
  PGTASKER_TEST_PGBIN=$(tools/servers.sh "$major" | tail -1)
  export PGTASKER_TEST_PGBIN
  for what in ${MATRIX:-pgtap go verify}; do
    echo "== PostgreSQL $major: $what"
    case $what in
      pgtap)
        read -ra rooms <<< "${ROOMS:-}"
        go run ./internal/cmd/pgtest pgtap "${rooms[@]/#/pgtap/}" ;;
      go) make test-go ;;
      verify) go run ./internal/cmd/schema verify ;;
      *) echo "MATRIX knows pgtap, go and verify, not $what" >&2; exit 2 ;;
    esac
  done
done
