#!/usr/bin/env bash
# Proves that gen/ and tasklib/gen/ are what sqlc makes of queries/ today: no stale file, no orphan, no untyped field.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
cp -r gen "$kept/gen"
mkdir "$kept/tasklib"
cp -r tasklib/gen "$kept/tasklib/gen"

# Generated into an emptied folder: "sqlc diff" would not notice the file of a query that is gone.
find gen tasklib/gen -name "*.go" ! -name doc.go -delete
if ! GOWORK=off go tool -modfile=tools/go.mod sqlc generate; then
  cp "$kept"/gen/*.go gen/
  cp "$kept"/tasklib/gen/*.go tasklib/gen/
  exit 1
fi
if ! diff -r "$kept/gen" gen || ! diff -r "$kept/tasklib/gen" tasklib/gen; then
  echo "generated Go was out of date and has been generated anew: look at it and commit it" >&2
  exit 1
fi

# interface{} stands in sqlc's DBTX; anywhere else but in a comment it is a type that sqlc did not know.
if grep -nE '(^\s+[A-Z]\w*\s+|\) \(|, \w+ )(\[\]|\*)*(interface\{\}|any\b)' gen/*.go tasklib/gen/*.go | grep -vE '^[^:]+:[0-9]+:\s*//'; then
  echo "generated Go has untyped fields, results or parameters: cast them in queries/" >&2
  exit 1
fi
