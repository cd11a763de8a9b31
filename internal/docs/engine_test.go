package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/layers"
)

// TestEngine_NamesFunctionsThatThereAre: The description of an exchange names each function once. Every name on the page is a
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

// TestEngine_CallsAreThoseOfTheFiles: In each tree on the page, a function is called by the function above it, directly or
// through functions that the tree does not name.
func TestEngine_CallsAreThoseOfTheFiles(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/engine.md"))
	require.NoError(t, err)
	graph, err := layers.Read(os.DirFS(filepath.Join(root, "db/schema")))
	require.NoError(t, err)
	trees := regexp.MustCompile("(?s)```text\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, trees, 2)
	calls := 0
	for _, tree := range trees {
		named, callers := map[string]bool{}, map[string][]string{}
		var above [][]string
		for line := range strings.Lines(tree[1]) {
			text := strings.TrimLeft(line, "│├└─ ")
			depth := (len([]rune(line)) - len([]rune(text))) / 3
			text, _, _ = strings.Cut(strings.TrimSpace(text), "  ")
			names := strings.Split(text, ", ")
			above = append(above[:depth], names)
			for _, name := range names {
				named[name] = true
				if depth > 0 {
					callers[name] = append(callers[name], above[depth-1]...)
				}
			}
		}
		for name, those := range callers {
			require.True(t, slices.ContainsFunc(those, func(caller string) bool {
				return reaches(graph, caller, name, named, map[string]bool{})
			}), "none of %v calls %s", those, name)
			calls++
		}
	}
	require.Greater(t, calls, 50)
}

// TestEngine_NamesEveryDoor: The page names every door, and behind each door only features that the door calls.
func TestEngine_NamesEveryDoor(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/engine.md"))
	require.NoError(t, err)
	graph, err := layers.Read(os.DirFS(filepath.Join(root, "db/schema")))
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| door | when | behind it |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")

	name, listed, behind := regexp.MustCompile("`([a-z_]+)`"), map[string]bool{}, 0
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		require.Len(t, cells, 5, row)
		var calls []string
		for _, door := range name.FindAllStringSubmatch(cells[1], -1) {
			require.NotNil(t, graph[door[1]], door[1])
			require.Equal(t, "doors", graph[door[1]].Layer(), door[1])
			listed[door[1]] = true
			calls = append(calls, graph[door[1]].Calls...)
		}
		for _, feature := range name.FindAllStringSubmatch(cells[3], -1) {
			require.Contains(t, calls, feature[1], "the door does not call it: %s", row)
			behind++
		}
	}
	require.Greater(t, behind, 20)
	for name, object := range graph {
		require.True(t, object.Layer() != "doors" || !object.IsFunction || listed[name], "docs/engine.md does not name the door %q", name)
	}
}

// reaches says whether a function calls another function, directly or through functions that are not named.
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
