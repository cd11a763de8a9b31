#!/usr/bin/env bash
# Deletes one feature from a scratch copy of the working tree, and runs tests over the rest. The rest must load, and its tests
# must pass.
#
#   without.sh publishing pgtap/kernel/claim pgtap/kernel/create
#
# A feature is its folders in db/schema and pgtap, its lines in db/schema/schema.sql, and its lines in the doors. This script
# can delete features without a line in a door (publishing), and refuses features that a door calls.
set -euo pipefail
cd "$(dirname "$0")/.."
feature=${1:?usage: without.sh FEATURE PGTAP_FOLDER…}
shift
[ -d "db/schema/functions/features/$feature" ] || { echo "without: there is no feature $feature in db/schema/functions/features" >&2; exit 1; }

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files --cached --others --exclude-standard | while read -r file; do [ ! -e "$file" ] || echo "$file"; done |
  tar -cf - -T - | tar -xf - -C "$copy"
cd "$copy"

gone=$(find db/schema/functions/features/"$feature" -name '*.sql' -exec basename {} .sql \;)
find db/schema pgtap -type d -path "*/features/$feature" -prune -exec rm -rf {} +
sed -i "/features\/$feature\//d" db/schema/schema.sql
for function in $gone; do
  # A remaining call, outside comments, would fail only when it runs.
  if grep -rnE "tasker\.$function *\(" db/schema --include='*.sql' | grep -vE '\$\$|comment on'; then
    echo "without: these lines still call tasker.$function of the feature $feature" >&2
    exit 1
  fi
done
git init --quiet # compose reads the tags of releases: here are none
go run ./internal/cmd/schema compose >/dev/null
go build -o pgtest ./internal/cmd/pgtest
./pgtest pgtap "$@"
