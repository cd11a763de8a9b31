#!/bin/sh
# bench-goals.sh: measures everything that the engine has goals for, and the commit BASE, River, DBOS and, for creations, pgmq
# and graphile-worker beside it. The script prints one table for docs/benchmarks.md. It takes about twenty minutes on a quiet
# machine with two cores. TURNS: the number of paired turns (9). BEHIND: the number of finished tasks in the last rows
# (1000000; 0 leaves these rows out). PARTS: the programs to run (calls, worker, diamond).
set -eu

cd "$(dirname "$0")/.."
[ -n "${BASE:-}" ] || { echo "bench-goals.sh: BASE names the commit to compare with: make bench-goals BASE=92eacbd4" >&2; exit 2; }
if [ "${1:-}" != inside ]; then
  exec tools/peers.sh tools/durable.sh "tools/$(basename "$0")" inside
fi
turns=${TURNS:-9} behind=${BEHIND:-1000000} parts=${PARTS:-calls worker diamond}
commit=$(git rev-parse --short "$BASE^{commit}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
export PGTASKER_GOALS="$tmp/goals"
: >"$PGTASKER_GOALS"
began=$(date +%s) before=$(cut -d' ' -f1 /proc/loadavg)

for part in $parts; do
  case $part in
  calls) go run -C bench ./calls -commit "$commit" -rounds "$turns" ;;
  worker)
    earlier=$PWD/.cache/bench-$commit # kept: it takes minutes to build on a busy machine
    if [ ! -x "$earlier/worker" ]; then
      rm -rf "$earlier"
      mkdir -p "$earlier/source"
      git archive "$commit" | tar -x -C "$earlier/source"
      GOWORK=off go build -C "$earlier/source/bench" -o "$earlier/worker" ./worker
    fi
    go run -C bench ./worker -goals "$earlier" -commit "$commit" -rounds "$turns" -jobs "${JOBS:-10000}" -diamonds "${DIAMONDS:-1000}" -chains "${CHAINS:-20}"
    ;;
  diamond)
    [ "$behind" = 0 ] || go run -C bench ./diamond -behind "$behind" -seconds 1 -rounds "$turns"
    ;;
  esac
done >&2

echo
echo "$turns turns of each, medians; load $before before and $(cut -d' ' -f1 /proc/loadavg) after, $(($(date +%s) - began)) s"
echo
echo "| | goal | measured | the rows alone | the noise: the same of two equal arms, lowest to highest |"
echo "|---|---|---|---|---|"
cat "$PGTASKER_GOALS"
