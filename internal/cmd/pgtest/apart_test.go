package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPgtap_AFileThatCountsBuffersHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	requirePgtap(t)
	dir := t.TempDir()
	// The first file leaves a table behind: both have it, the one that counts does not.
	writeTest(t, filepath.Join(dir, "a.sql"), "commit; create table public.left_behind (); begin; select plan(1); select pass();")
	writeTest(t, filepath.Join(dir, "b.sql"), "select plan(1); select has_table('public'::name, 'left_behind'::name); -- shares")
	writeTest(t, filepath.Join(dir, "c.sql"), "select plan(1); select hasnt_table('public'::name, 'left_behind'::name); -- counts buffers")
	got := finish(t, pgtestCommand(t, "pgtap", "-j", "1", dir))
	require.Zero(t, got.code, got.stdout+got.stderr)
	require.Contains(t, got.stdout, "Result: PASS")
}

func TestFreeDatabase_IsNoOthers(t *testing.T) {
	t.Setenv(envNames, "one,two")
	t.Setenv(envLocks, t.TempDir())
	first, err := freeDatabase()
	require.NoError(t, err)
	second, err := freeDatabase()
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, []string{first, second})
	t.Setenv(envLocks, filepath.Join(t.TempDir(), "gone"))
	_, err = freeDatabase()
	require.Error(t, err)
}
