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

func TestStandIn_GivesEachFileADatabaseThatNoOtherUses(t *testing.T) {
	t.Setenv(envNames, "one,two")
	t.Setenv(envLocks, t.TempDir())
	t.Setenv("PGDATABASE", "of pg_prove")
	_, unlock, err := freeDatabase(t.Context()) // as a file that runs already
	require.NoError(t, err)
	for _, want := range []string{"two\n", "two\n", "one\n"} {
		if want == "one\n" {
			require.NoError(t, unlock())
		}
		cmd := pgtestCommand(t, "PGDATABASE")
		cmd.Env = append(cmd.Env, envPsql+"=printenv")
		got := finish(t, cmd)
		require.Zero(t, got.code, got.stderr)
		require.Equal(t, want, got.stdout, "what the program finds in its environment")
	}
}

func TestFreeDatabase_IsUsedByNoOtherFile(t *testing.T) {
	t.Setenv(envNames, "one,two")
	t.Setenv(envLocks, t.TempDir())
	first, unlock, err := freeDatabase(t.Context())
	require.NoError(t, err)
	second, _, err := freeDatabase(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, []string{first, second})
	_, _, err = freeDatabase(t.Context())
	require.EqualError(t, err, "every database for pgTAP is in use")
	require.NoError(t, unlock())
	again, _, err := freeDatabase(t.Context())
	require.NoError(t, err)
	require.Equal(t, "one", again)
	t.Setenv(envLocks, filepath.Join(t.TempDir(), "gone"))
	_, _, err = freeDatabase(t.Context())
	require.Error(t, err)
}
