package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/layers"
)

// TestEngine_NamesFunctionsThatThereAre: each one once on the way of an exchange, and none anywhere that is not a
// function, a type, a table or a column of the schema.
func TestEngine_NamesFunctionsThatThereAre(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/engine.md"))
	require.NoError(t, err)

	known := map[string]bool{}
	for _, pattern := range []string{"functions/*/*", "functions/*/*/private", "tables/*/*", "rows/*/*", "views/*/*"} {
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

// TestEngine_CallsAreThoseOfTheFiles: on the way of an exchange each function is called by the one above it, directly or through
// functions that the page does not name.
func TestEngine_CallsAreThoseOfTheFiles(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/engine.md"))
	require.NoError(t, err)
	graph, err := layers.Read(os.DirFS(filepath.Join(root, "db/schema")))
	require.NoError(t, err)
	_, tree, _ := strings.Cut(string(page), "```text\n")
	tree, _, _ = strings.Cut(tree, "```")

	named, callers, calls := map[string]bool{}, map[string]string{}, 0
	var above []string
	for line := range strings.Lines(tree) {
		text := strings.TrimLeft(line, "│├└─ ")
		depth := len([]rune(line)) - len([]rune(text))
		name, _, _ := strings.Cut(text, " ")
		above = append(above[:depth/3], name)
		named[name] = true
		if depth > 0 {
			callers[name] = above[depth/3-1]
		}
	}
	for name, caller := range callers {
		require.True(t, reaches(graph, caller, name, named, map[string]bool{}), "%s does not call %s", caller, name)
		calls++
	}
	require.Greater(t, calls, 20)
}

// reaches says whether a function calls another one, directly or through functions that are not named.
func reaches(graph layers.Graph, from, to string, named, seen map[string]bool) bool {
	if graph[from] == nil || seen[from] {
		return false
	}
	seen[from] = true
	for _, name := range graph[from].Calls {
		if name == to || !named[name] && reaches(graph, name, to, named, seen) {
			return true
		}
	}
	return false
}
