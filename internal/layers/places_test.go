package layers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A public function is written by hand in four places at most: its file, its query, its tests, and docs/locking.md if it changes
// something (CONTRIBUTING.md). A file that names most of the public functions would be a fifth place, unless a program writes
// the file.
func TestPublicFunctions_StandInNoOtherListByHand(t *testing.T) {
	t.Parallel()
	written := map[string]string{
		"db/schema/schema.sql": "make migration",
		"docs/functions.md":    "make docs",
	}
	functions := map[string]bool{}
	for _, name := range publicFunctions(t) {
		functions[name] = true
	}
	for path, named := range namedInFiles(t, functions) {
		if by := written[path]; by != "" {
			require.Len(t, named, len(functions), "%s writes %s", by, path)
			continue
		}
		require.Less(t, 2*len(named), len(functions), "%s names %d of %d public functions: who adds one must write it there, too", path, len(named), len(functions))
	}
}

// namedInFiles returns the functions that each file of the repository names, except generated Go and migrations.
func namedInFiles(t *testing.T, functions map[string]bool) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, folder := range []string{".ci", "cmd", "clients", "db/schema", "docs", "executor", "internal", "pgtap", "queries", "serve", "tools", "worker", "Makefile", "CONTRIBUTING.md"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && slices.Contains([]string{"node_modules", "build", "dist"}, entry.Name()) {
				return filepath.SkipDir
			}
			if !entry.Type().IsRegular() || strings.HasSuffix(path, "pgtasker.sql") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || generated.Match(text) {
				return err
			}
			name, err := filepath.Rel(root, path)
			seen := map[string]bool{}
			for _, w := range snakeWord.FindAllString(string(text), -1) {
				if functions[w] && !seen[w] {
					seen[w] = true
					found[name] = append(found[name], w)
				}
			}
			return err
		}))
	}
	require.Greater(t, len(found), 1000)
	return found
}

var snakeWord = regexp.MustCompile(`\b[a-z][a-z0-9_]*\b`)
