package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/docs/page"
)

// suites are the tests of the clients that run the programs of the pages.
var suites = map[string]string{
	".py": "clients/python/tests/test_howto.py",
	".ts": "clients/typescript/test/howto.test.ts",
}

// The Python and TypeScript of these pages is part of programs that the clients' tests run. make test-python and make
// test-typescript run these tests.
func TestPages_ShowProgramsThatClientsRun(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, p := range pages(t, "docs/durable.md", "docs/howto/*.md", "docs/tutorial*.md") {
		for _, b := range p.Programs() {
			shown[b.Program()] = true
			source, err := os.ReadFile(filepath.Join(root, b.Program()))
			require.NoError(t, err, "%s:%d", p.Name, b.Line)
			assert.True(t, b.Copied(string(source)), "%s:%d: %s has not these lines in this order", p.Name, b.Line, b.Program())
		}
	}
	for extension, suite := range suites {
		test, err := os.ReadFile(filepath.Join(root, suite))
		require.NoError(t, err)
		programs, err := filepath.Glob(filepath.Join(root, filepath.Dir(filepath.Dir(suite)), "examples/howto/*"+extension))
		require.NoError(t, err)
		require.NotEmpty(t, programs)
		for _, path := range programs {
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			if filepath.Base(name) == "__init__.py" {
				continue
			}
			assert.True(t, shown[name], "no page shows %s", name)
			module := strings.TrimSuffix(filepath.Base(name), extension)
			used := regexp.MustCompile(`from examples\.howto import .*\b` + module + `\b|examples/howto/` + module + `\.js"`)
			assert.Regexp(t, used, string(test), "%s does not run %s", suite, name)
		}
	}
}

// lacking are the guides that do not show all four languages, and the languages that they lack.
var lacking = map[string][]string{
	// The page docs/tutorial-sql.md has the same workflow in SQL. Its reader needs only psql.
	"tutorial.md": {"sql"},
	// These guides show calls of a client. docs/durable.md has the protocol in SQL.
	"howto/changing-functions.md": {"sql"},
	"howto/loops.md":              {"sql"},
	// The page is about guarantees. howto/transactions.md has the calls.
	"howto/how-often.md": {"go", "python", "sql", "ts"},
	// These guides are for operators, or they are about one language.
	"howto/deploys.md":   {"go", "python", "ts"},
	"howto/erase.md":     {"go"},
	"howto/retention.md": {"go", "python", "ts"},
	// The reader writes the store. Results are handled as in the other guides.
	"howto/large-values.md": {"python", "ts"},
	"howto/corrections.md":  {"go", "python", "ts"},
	"howto/fork.md":         {"go", "python", "ts"},
	"howto/http.md":         {"go", "python", "sql", "ts"},
	"howto/incidents.md":    {"go", "python", "sql", "ts"},
	"howto/mass-actions.md": {"go", "python", "ts"},
	"howto/monitoring.md":   {"python", "ts"},
	"howto/namespaces.md":   {"python", "ts"},
	"howto/pooler.md":       {"python", "ts"},
	"howto/python.md":       {"go", "python", "ts"},
	"howto/rabbitmq.md":     {"python", "sql", "ts"},
	"howto/sql-steps.md":    {"go", "python", "ts"},
	"howto/replay.md":       {"python", "sql", "ts"},
	"howto/sign-in.md":      {"go", "python", "sql", "ts"},
	"howto/many-tasks.md":   {"python", "ts"},       // Their builders and functions do not know them yet.
	"howto/streams.md":      {"go"},                 // A table has the calls in Go.
	"howto/encrypted.md":    {"sql"},                // The database cannot encrypt.
	"howto/runs-by-key.md":  {"go", "python", "ts"}, // A part of a template, which every language registers.
	"howto/search.md":       {"go", "python", "ts"}, // As above; every language reads by REST or SQL.
	"howto/webhook.md":      {"go", "python", "sql", "ts"},
	"tutorial-pgtap.md":     {"go", "python", "ts"},
	"tutorial-sql.md":       {"go", "python", "ts"},
}

func TestGuides_ShowFourLanguages(t *testing.T) {
	t.Parallel()
	var whole int
	for _, p := range pages(t, "docs/durable.md", "docs/howto/*.md", "docs/tutorial*.md") {
		name, err := filepath.Rel(filepath.Join(root, "docs"), p.Name)
		require.NoError(t, err)
		var lacks []string
		for _, language := range []string{"go", "python", "sql", "ts"} {
			if !slices.ContainsFunc(p.Blocks, func(b page.Block) bool { return b.Language == language }) {
				lacks = append(lacks, language)
			}
		}
		assert.Equal(t, lacking[name], lacks, name)
		if lacks == nil {
			whole++
		}
	}
	t.Logf("%d pages show Go, Python, SQL and TypeScript", whole)
}

// clientNames are the names in a cell of the table of docs/clients.md.
var clientNames = regexp.MustCompile("`([^`]+)`")

// Each name that docs/clients.md gives to a client is a name of that client.
func TestClients_HaveWhatTheTableSays(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs/clients.md"))
	require.NoError(t, err)
	sources := []string{
		sourceOf(t, "worker/*.go", "workflow/*.go", "workertest/*.go", "executor/*.go", "template/*.go"),
		sourceOf(t, "clients/python/pgtasker/*.py"),
		sourceOf(t, "clients/typescript/src/*.ts"),
		sourceOf(t, "docs/functions.md", "docs/templates.md"),
	}
	word := regexp.MustCompile(`[A-Za-z_]\w*`)
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || len(cells) != 1+len(sources) || strings.HasPrefix(line, "|---") || rows == 0 && !strings.Contains(line, "`") {
			continue
		}
		rows++
		for i, cell := range cells[1:] {
			for _, match := range clientNames.FindAllStringSubmatch(cell, -1) {
				for _, name := range word.FindAllString(match[1], -1) {
					found := regexp.MustCompile(`\b` + name + `\b`).MatchString(sources[i])
					assert.True(t, found, "%s: column %d: no %s", strings.TrimSpace(line), i+2, name)
				}
			}
		}
	}
	require.Greater(t, rows, 20)
}

// sourceOf returns the text of the files that match.
func sourceOf(t *testing.T, patterns ...string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all.Write(text)
		}
	}
	return all.String()
}
