package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
)

var now = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// newRoot returns a git repository with the small schema of the tests of internal/schema.
func newRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, os.DirFS("../../schema/testdata/base")))
	git(t, root, "init", "--quiet")
	return root
}

func git(t *testing.T, root string, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{
		"-C", root, "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false",
	}, args...)...).CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
}

func requireRun(t *testing.T, want string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), args, &out, now))
	require.Equal(t, want, out.String())
}

func TestRun_ChecksAndComposesBeforeTheFirstRelease(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	requireRun(t, "14 schema files and 2 migrations agree\n", "-C", root, "check")
	requireRun(t, "the migrations are current\n", "-C", root, "compose")

	file := filepath.Join(root, "db/schema/functions/job/drop_jobs.sql")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.Replace(text, []byte("every job"), []byte("all jobs"), 1), 0o644))

	var findings schema.Findings
	require.ErrorAs(t, run(t.Context(), []string{"-C", root, "check"}, &bytes.Buffer{}, now), &findings)
	require.EqualError(t, findings,
		"db/schema/functions/job/drop_jobs.sql: differs from its newest copy in the migrations")
	requireRun(t, "wrote db/migrations/20260101000200_jobs.sql\n", "-C", root, "compose")
	requireRun(t, "14 schema files and 2 migrations agree\n", "-C", root, "check")
}

func TestRun_RemovesTheMigrationOfASectionThatIsGone(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	old := filepath.Join(root, "db/migrations/20260101000200_jobs.sql")
	require.NoError(t, os.Rename(old, filepath.Join(root, "db/migrations/20260101000300_jobs.sql")))
	requireRun(t, "wrote db/migrations/20260101000200_jobs.sql\nremoved db/migrations/20260101000300_jobs.sql\n",
		"-C", root, "compose")
	require.FileExists(t, old)
	require.NoFileExists(t, filepath.Join(root, "db/migrations/20260101000300_jobs.sql"))
}

func TestRun_ComposesANamedMigrationAfterTheFirstRelease(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	git(t, root, "add", "--all")
	git(t, root, "commit", "--quiet", "--message", "first")
	git(t, root, "tag", "v0.1.0")

	require.ErrorIs(t, run(t.Context(), []string{"-C", root, "compose"}, &bytes.Buffer{}, now), schema.ErrReleased)
	requireRun(t, "wrote db/migrations/20260301120000_add_priority.sql\n", "-C", root, "compose", "add_priority")
	requireRun(t, "14 schema files and 3 migrations agree\n", "-C", root, "check")
	requireRun(t, "the migrations are current\n", "-C", root, "compose", "add_priority")
}

func TestRun_SaysHowItIsUsed(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"prove"}, {"verify", "x"}, {"check", "x"}, {"compose", "a", "b"}} {
		require.ErrorIs(t, run(t.Context(), args, &bytes.Buffer{}, now), errUsage)
	}
}
