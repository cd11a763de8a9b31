package docs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/docs/page"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A newcomer has an empty directory and an empty database. PGTASKER is the checkout. Modules come from the cache or
// the module proxy.
func TestTutorials_DoWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t, "docs/tutorial*.md", "docs/start.md", "docs/shop.md") {
		t.Run(filepath.Base(p.Name), func(t *testing.T) {
			t.Parallel()
			follow(t, p, pgtest.NewEmpty(t), t.TempDir())
		})
	}
}

// A reader of a guide has a migrated database, and the tool.
func TestGuides_DoWhatTheySay(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", tools, ".")
	build.Dir = filepath.Join(root, "cmd/tasker")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, p := range pages(t, "docs/howto/*.md", "docs/operations.md", "docs/settings.md", "docs/serve.md", "docs/tasklib.md", "docs/worker.md", "docs/workflow.md", "docs/durable.md", "docs/feed.md", "docs/testing.md") {
		t.Run(filepath.Base(p.Name), func(t *testing.T) {
			t.Parallel()
			follow(t, p, pgtest.New(t), tools)
		})
	}
}

func follow(t *testing.T, p *page.Page, database *pgxpool.Pool, tools string) {
	t.Helper()
	ctx := t.Context()
	if deadline, limited := t.Deadline(); limited {
		// A page has no time-out of its own, because the machine may be busy. A page that hangs reports the block at
		// which it hangs.
		until, cancel := context.WithDeadline(ctx, deadline.Add(-30*time.Second))
		defer cancel()
		ctx = until
	}
	checkout, err := filepath.Abs(root)
	require.NoError(t, err)
	env := append(os.Environ(),
		"PGTASKER="+checkout, "DATABASE_URL="+pgtest.URL(database), "GOBIN="+tools,
		"PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"), "TZ=UTC", "LC_ALL=C.UTF-8", "PAGER=cat",
	)
	reader := page.Reader{Dir: t.TempDir(), Env: env, Database: pgtest.URL(database), Log: func(b page.Block, output string) {
		if testing.Verbose() {
			t.Logf("line %d\n%s", b.Line, output)
		}
	}}
	require.NoError(t, reader.Follow(ctx, p))
}

// pages reads the files that match these patterns. Each pattern must match a file.
func pages(t *testing.T, patterns ...string) (all []*page.Page) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		for _, path := range found {
			p, err := page.Read(path)
			require.NoError(t, err)
			all = append(all, p)
		}
	}
	return all
}
