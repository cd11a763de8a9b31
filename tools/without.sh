#!/usr/bin/env bash
# Deletes one feature from a temporary copy of the working tree, and tests the rest. The rest must load, and its tests must
# pass.
#
#   without.sh publishing pgtap/kernel/claim pgtap/kernel/create
#
# A feature consists of its folders in db/schema and pgtap, its lines in db/schema/schema.sql, and its lines in the doors. The
# script can delete a feature that no door calls, such as publishing. It refuses any other feature.
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
  # PostgreSQL would notice a remaining call of a deleted function only when the call runs.
  if grep -rnE "tasker\.$function *\(" db/schema --include='*.sql' | grep -vE '\$\$|comment on'; then
    echo "without: these lines still call tasker.$function of the feature $feature" >&2
    exit 1
  fi
done
git init --quiet # compose reads the tags of releases, and this new repository has none
go run ./internal/cmd/schema compose >/dev/null
go build -o pgtest ./internal/cmd/pgtest
./pgtest pgtap "$@"
