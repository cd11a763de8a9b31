package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReads_AreQueriesOfFunctionsThatWriteNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"list":  "create or replace function tasker.list(p text)\n  returns text\n  language plpgsql\n  stable\nas $$\nbegin\nend;\n$$;",
		"sum":   "create or replace function tasker.sum(a integer)\n  returns integer\n  immutable\nreturn a;",
		"make":  "create or replace function tasker.make()\n  returns text\n  language plpgsql\nas $$\nbegin\n  -- not stable\n  stable\nend;\n$$;",
		"both1": "create or replace function tasker.both(a text)\n  returns text\n  stable\nas $$ $$;",
		"both2": "create or replace function tasker.both(a integer)\n  returns text\n  volatile\nas $$ $$;",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".sql"), []byte(text), 0o600))
	}
	steady, err := readSteady(folder)
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"list": true, "sum": true, "make": false, "both": false}, steady)

	require.Equal(t, `// reading are the queries of package gen that only read, so a standby can run them.
var reading = map[string]bool{
"List": true,
"Sum": true,
}
`, reads([]string{
		"-- name: List :many\nselect * from tasker.list($1)\n", "-- name: Sum :one\nselect tasker.sum(1) + tasker.sum(2)",
		"-- name: Make :one\nselect tasker.make()", "-- name: Mixed :one\nselect tasker.sum(1), tasker.make()",
		"-- name: Both :one\nselect tasker.both(1)", "-- name: Write :exec\ninsert into t values (tasker.sum(1))", "select tasker.sum(1)",
	}, steady))
}
