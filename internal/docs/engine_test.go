package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEngine_NamesFunctionsThatThereAre: each one once on the way of an exchange, and none anywhere that is not a
// function, a type, a table or a column of the schema.
func TestEngine_NamesFunctionsThatThereAre(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/engine.md"))
	require.NoError(t, err)

	known := map[string]bool{}
	for _, pattern := range []string{"functions/*/*", "functions/*/*/private", "tables/*/*", "rows/*/*"} {
		files, err := filepath.Glob(filepath.Join(root, "db/schema", pattern, "*.sql"))
		require.NoError(t, err)
		for _, file := range files {
			known[strings.TrimSuffix(filepath.Base(file), ".sql")] = true
		}
	}

	_, tree, found := strings.Cut(string(page), "```text\n")
	require.True(t, found)
	tree, _, _ = strings.Cut(tree, "```")
	seen := map[string]bool{}
	for line := range strings.Lines(tree) {
		name, _, _ := strings.Cut(strings.TrimLeft(line, "│├└─ "), " ")
		require.True(t, known[name], "%q is not in the schema", name)
		require.False(t, seen[name], "%q is named twice", name)
		seen[name] = true
	}
	require.Greater(t, len(seen), 20)

	for _, found := range regexp.MustCompile("`([a-z_]+)(\\(\\))?(\\.[a-z_]+)?`").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(found[1], "_") {
			require.True(t, known[found[1]], "%q is not in the schema", found[1])
		}
	}
}
