package schema_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
	"github.com/pgtasker/pgtasker/internal/schema/schematest"
)

// repository is a git repository in a temporary directory, with the tree of testdata/base.
type repository struct {
	t    *testing.T
	root string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	r.git("init", "--quiet")
	require.NoError(t, os.CopyFS(r.root, os.DirFS("testdata/base")))
	return r
}

// git runs git without the user's and the system's settings.
func (r repository) git(args ...string) {
	r.t.Helper()
	command := exec.CommandContext(r.t.Context(), "git", append([]string{
		"-C", r.root, "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false",
	}, args...)...)
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := command.CombinedOutput()
	require.NoError(r.t, err, "git %v: %s", args, out)
}

func (r repository) commit() {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message", "state")
}

func (r repository) write(name, text string) {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o644))
}

func (r repository) check() []schema.Finding {
	r.t.Helper()
	tree, err := schema.Load(os.DirFS(r.root))
	require.NoError(r.t, err)
	releases, err := schema.Releases(r.t.Context(), r.root)
	require.NoError(r.t, err)
	return schema.Check(tree, releases)
}

const jobsMigration = "db/migrations/20260101000200_jobs.sql"

func TestReleases_AreTheTagsThatBeginWithV(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.commit()
	r.git("tag", "tools/v1.0.0")
	releases, err := schema.Releases(t.Context(), r.root)
	require.NoError(t, err)
	require.Empty(t, releases)

	r.git("tag", "--annotate", "--message", "ten", "v0.10.0")
	r.git("tag", "v0.9.0")
	releases, err = schema.Releases(t.Context(), r.root)
	require.NoError(t, err)
	require.Len(t, releases, 2)
	require.Equal(t, []string{"v0.9.0", "v0.10.0"}, []string{releases[0].Tag, releases[1].Tag})
	require.Equal(t, schematest.Migrations(schematest.Base(t, "testdata").Files), releases[1].Migrations)
}

func TestReleases_FailWhereGitDoes(t *testing.T) {
	t.Parallel()
	_, err := schema.Releases(t.Context(), filepath.Join(t.TempDir(), "absent"))
	require.ErrorContains(t, err, "git tag")
}

func TestCheck_FindsAReleasedMigrationThatIsAltered(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.commit()
	r.git("tag", "v0.1.0")
	require.Empty(t, r.check())

	text, err := os.ReadFile(filepath.Join(r.root, jobsMigration))
	require.NoError(t, err)
	r.write(jobsMigration, string(text)+"-- one more line\n")
	want := []schema.Finding{{Path: jobsMigration, Message: "has changed since release v0.1.0"}}
	require.Equal(t, want, r.check())

	r.commit()
	r.git("tag", "v0.2.0")
	require.Equal(t, want, r.check(), "a later release does not make it right")
}

func TestCheck_FindsAReleasedMigrationThatIsGone(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	const path = "db/migrations/20260101000300_more.sql"
	r.write(path, "-- migrate:up\nselect 1;\n\n-- migrate:down\nselect 2;\n")
	r.commit()
	r.git("tag", "v0.1.0")
	require.Empty(t, r.check())

	require.NoError(t, os.Remove(filepath.Join(r.root, path)))
	require.Equal(t, []schema.Finding{{Path: path, Message: "is in release v0.1.0 and gone"}}, r.check())
}

func TestCheck_ReadsARepositoryWhoseTopIsAbove(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	inner := repository{t, filepath.Join(r.root, "module")}
	require.NoError(t, os.CopyFS(inner.root, os.DirFS("testdata/base")))
	r.commit()
	r.git("tag", "v0.1.0")
	require.Empty(t, inner.check())

	inner.write(jobsMigration, "-- migrate:up\n\n-- migrate:down\n")
	require.Contains(t, inner.check(), schema.Finding{Path: jobsMigration, Message: "has changed since release v0.1.0"})
}
