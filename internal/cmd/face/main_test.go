package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

func TestGenerate_WritesWhatIsCommitted(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	files, err := generate(root)
	require.NoError(t, err)
	require.Contains(t, files, "gen/sqlfn/claim_gen.go")
	have, err := filepath.Glob(filepath.Join(root, "gen", "sqlfn", "*_gen.go"))
	require.NoError(t, err)
	more, err := filepath.Glob(filepath.Join(root, "executor", "*_gen.go"))
	require.NoError(t, err)
	have = append(have, more...)
	require.Len(t, have, len(files), "files that nothing generates any more: run make generate")
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(have), "%s is out of date: run make generate", name)
	}
}

func TestExported_SpellsNamesAsGoDoes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"GcIdentities": "GCIdentities", "GetDLQEntry": "GetDLQEntry", "MsgIds": "MsgIDs", "TaskUUIDs": "TaskUUIDs",
		"StepUUIDsOf": "StepUUIDsOf", "ReadCt": "ReadCt", "IdentityTTL": "IdentityTTL", "UUIDGenerateV7": "UUIDGenerateV7",
	} {
		require.Equal(t, want, exported(name), name)
	}
}

func TestUnexported_KeepsParametersApartFromPackages(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"taskUuid": "taskUUID", "msgIds": "msgIDs", "argUuid": "argUUID", "argState": "argState", "limit": "limit", "stepUUIDs": "stepUUIDs",
	} {
		require.Equal(t, want, unexported(name), name)
	}
}

func TestMethodName_IsTheNameOfTheSQLFunction(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"get_dlq_entry": "GetDLQEntry", "task_uuid_of": "TaskUUIDOf", "gc_identities": "GCIdentities"} {
		require.Equal(t, want, methodName(name), name)
		require.Equal(t, name, sqlName(want), name)
	}
}

func TestWrap_BreaksBetweenWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"one two", "three", "four"}, wrap("one two three four", 8))
	require.Equal(t, []string{"averylongword", "x"}, wrap("averylongword x", 5))
	require.Equal(t, []string{""}, wrap("", 5))
}
