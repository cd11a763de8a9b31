#!/usr/bin/env bash
# Proves that gen/ and tasklib/gen/ are the output of sqlc from queries/, and that gen/sqlfn and executor/*_gen.go are
# the output of internal/cmd/face. It refuses a stale file, a file without a source, and a field without a type. The script does
# not change the tree.
set -euo pipefail
cd "$(dirname "$0")/.."

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# Generate into an empty folder, since "sqlc diff" does not notice the file of a query that was deleted.
mkdir -p "$made/db" "$made/gen" "$made/tasklib/gen"
cp -r sqlc.yaml queries "$made"
cp -r db/migrations "$made/db/"
cp gen/doc.go "$made/gen/"
cp tasklib/gen/doc.go "$made/tasklib/gen/"
GOWORK=off go tool -modfile=tools/go.mod sqlc generate --file "$made/sqlc.yaml"
if ! diff -r --exclude=sqlfn gen "$made/gen" || ! diff -r tasklib/gen "$made/tasklib/gen"; then
  echo "generated Go is out of date: run make generate" >&2
  exit 1
fi

# gen/sqlfn and executor/*_gen.go come from gen/, executor/ and db/schema.
go test -count=1 -run '^TestGenerate_' ./internal/cmd/face

# interface{} occurs in sqlc's DBTX. Anywhere else, except in a comment, it is a type that sqlc did not know.
if grep -nE '(^\s+[A-Z]\w*\s+|\) \(|, \w+ )(\[\]|\*)*(interface\{\}|any\b)' gen/*.go tasklib/gen/*.go | grep -vE '^[^:]+:[0-9]+:\s*//'; then
  echo "generated Go has untyped fields, results or parameters: cast them in queries/" >&2
  exit 1
fi
