#!/bin/sh
# bench-clients.sh GO: measures workers in Python and TypeScript beside the worker in Go. They run diamonds of empty handlers at
# default settings, over PostgreSQL and over HTTP, in turns of one run. tools/python.sh and tools/typescript.sh find the languages.
# TURNS is the number of turns, and TASKS the number of diamonds in each. ELEMENTS measures a map of so many elements instead, with
# a context of BYTES beside a small context.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python="env PYTHONPATH=$root/clients/python $PGTASKER_TEST_PYTHON -m bench.drain"
typescript="$PGTASKER_TEST_NODE $root/clients/typescript/build/test/drain.js"
cd "$root/bench"
"$1" run ./clients -tasks "${TASKS:-1000}" -turns "${TURNS:-5}" -elements "${ELEMENTS:-0}" -bytes "${BYTES:-800000}" \
  "python=$python" "typescript=$typescript" "python-http=$python http" "typescript-http=$typescript http"
