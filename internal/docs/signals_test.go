package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that ends gracefully at a signal must end at once at a second signal, so that a person's second Ctrl-C is not
// ignored.
func TestPages_ProgramsEndAtTheSecondSignal(t *testing.T) {
	t.Parallel()
	const begins, ends = "ctx, stop := signal.NotifyContext(", "context.AfterFunc(ctx, stop)"
	programs := 0
	for _, folder := range []string{"README.md", "docs", "examples", "cmd"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, file fs.DirEntry, err error) error {
			if err != nil || file.IsDir() || strings.HasSuffix(path, "_test.go") || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".md") {
				return err
			}
			text, err := os.ReadFile(path)
			programs += strings.Count(string(text), begins)
			require.Equal(t, strings.Count(string(text), begins), strings.Count(string(text), "\t"+ends), path)
			return err
		}))
	}
	require.Greater(t, programs, 5)
}
