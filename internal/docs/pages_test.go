package docs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/docs/page"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// followed are the pages that somebody reads with a shell and psql at hand: a test does what they say.
var followed = []string{"docs/tutorial*.md"}

// Each page has an empty directory and an empty database, as a newcomer has. What a test cannot have is given:
// PGTASKER, the checkout, is this one; modules come from the cache or the module proxy.
func TestPages_DoWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, path := range pages(t, followed...) {
		p, err := page.Read(path)
		require.NoError(t, err)
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute) // a cold build cache included
			defer cancel()
			require.NoError(t, reader(t).Follow(ctx, p))
		})
	}
}

func reader(t *testing.T) page.Reader {
	t.Helper()
	checkout, err := filepath.Abs(root)
	require.NoError(t, err)
	tools := t.TempDir()
	url := pgtest.URL(pgtest.NewEmpty(t))
	env := []string{
		"PGTASKER=" + checkout, "DATABASE_URL=" + url, "GOBIN=" + tools, "GOWORK=off",
		"PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + t.TempDir(), "TZ=UTC", "LC_ALL=C.UTF-8", "PAGER=cat",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS", "GOTOOLCHAIN", "GOROOT"} {
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		require.NoError(t, err)
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return page.Reader{Dir: t.TempDir(), Env: env, Database: url, Log: func(b page.Block, output string) {
		if testing.Verbose() {
			t.Logf("line %d\n%s", b.Line, output)
		}
	}}
}

// pages are the files that match these patterns, of which each matches some.
func pages(t *testing.T, patterns ...string) (paths []string) {
	t.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		paths = append(paths, found...)
	}
	return paths
}
