package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

func TestPgtap_Result(t *testing.T) {
	t.Parallel()
	requirePgtap(t)
	rows := []struct {
		name string
		body string
		code int
		says string
	}{
		{"a passing file passes", `select plan(1); select pass(); select * from finish();`, 0, "Result: PASS"},
		{"a failing test fails", `select plan(1); select is(1, 2, 'one is two'); select * from finish();`, 1, "want: 2"},
		{"too few tests fail", `select plan(2); select pass(); select * from finish();`, 1, "planned 2 tests but ran 1"},
		{"too many tests fail", `select plan(1); select pass(); select pass();`, 1, "planned 1 tests but ran 2"},
		{"an SQL error fails", `select plan(1); select pass(); select nonsense;`, 1, "Non-zero exit status: 3"},
		{"no test at all fails", `select 1 where false;`, 1, "No plan found"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeTest(t, filepath.Join(dir, "good.sql"), `select plan(1); select pass();`)
			writeTest(t, filepath.Join(dir, "test.sql"), row.body)
			got := finish(t, pgtestCommand(t, "pgtap", dir))
			require.Equal(t, row.code, got.code, got.stdout+got.stderr)
			require.Contains(t, got.stdout, row.says)
		})
	}
}

func TestPgtap_WithoutAnyFileFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := finish(t, pgtestCommand(t, "pgtap", dir))
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "no pgTAP test in "+dir)
}

func TestPgtap_MissingPgProveSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTest(t, filepath.Join(dir, "good.sql"), `select plan(1); select pass();`)
	cmd := pgtestCommand(t, "pgtap", dir)
	cmd.Env = append(cmd.Env, "PATH="+dir)
	got := finish(t, cmd)
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "apt-get install libtap-parser-sourcehandler-pgtap-perl")
}

func TestFixtures_ThatAreMissingEndAPlainRunOfPgProve(t *testing.T) {
	t.Parallel()
	requirePgtap(t)
	pool := pgtest.NewEmpty(t)
	_, err := pool.Exec(t.Context(), `create extension pgtap`)
	require.NoError(t, err)
	root, err := checkout.Root()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "pg_prove", "--norc", "pgtap/00_fixtures/are_loaded.sql", "pgtap/conventions/privileges.sql")
	cmd.Dir = root
	cmd.Env, err = clientEnv(pgtest.URL(pool))
	require.NoError(t, err)
	got := finish(t, cmd)
	require.NotZero(t, got.code)
	require.Contains(t, got.stdout+got.stderr, "load pgtap/fixtures/*.sql first")
	require.NotContains(t, got.stdout, "privileges.sql", "nothing else is tried")
}

func TestFindTests_LeavesFixturesOut(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"fixtures/10_a.sql", "claim/b.sql", "claim/a.sql", "claim/readme.md", "audit/c.sql"} {
		writeTest(t, filepath.Join(root, "pgtap", name), "")
	}

	files, err := findTests(root, []string{filepath.Join(root, "pgtap")})
	require.NoError(t, err)
	require.Equal(t, []string{"pgtap/audit/c.sql", "pgtap/claim/a.sql", "pgtap/claim/b.sql"}, files)

	files, err = findTests(root, []string{filepath.Join(root, "pgtap", "claim", "b.sql")})
	require.NoError(t, err)
	require.Equal(t, []string{"pgtap/claim/b.sql"}, files)

	_, err = findTests(root, []string{filepath.Join(root, "pgtap", "fixtures")})
	require.ErrorContains(t, err, "no pgTAP test in")
	_, err = findTests(root, []string{filepath.Join(root, "missing")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func writeTest(t *testing.T, path, body string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("begin;\n"+body+"\nrollback;\n"), 0o644))
}

func requirePgtap(t *testing.T) {
	t.Helper()
	requireProgram(t, "psql")
	requireProgram(t, "pg_prove")
	conn, err := pgx.Connect(t.Context(), pgtest.ServerURL(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var found bool
	err = conn.QueryRow(t.Context(),
		`select exists (select from pg_available_extensions where name = 'pgtap')`).Scan(&found)
	require.NoError(t, err)
	if !found {
		t.Skip("the server has no pgTAP")
	}
}

func requireProgram(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
}
