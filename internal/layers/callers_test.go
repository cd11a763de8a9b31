package layers_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// uncalledForAReason are the public functions that nothing in this repository calls and no page explains. Each has a reason to
// exist: the document of /work/shared/seeds that names it, or its use by a person in psql.
var uncalledForAReason = map[string]string{
	"get_current_step_transition": "001-states-and-lifecycles: WorkflowStepTransition::get_current",
	"get_current_task_transition": "001-states-and-lifecycles: TaskTransition::get_current",

	"step_state_is_active":              "001-states-and-lifecycles: WorkflowStepState::is_active",
	"step_state_is_error":               "001-states-and-lifecycles: WorkflowStepState::is_error",
	"step_state_is_ready_for_claiming":  "001-states-and-lifecycles: WorkflowStepState::is_ready_for_claiming",
	"step_state_is_terminal":            "001-states-and-lifecycles: WorkflowStepState::is_terminal",
	"step_state_satisfies_dependencies": "001-states-and-lifecycles: WorkflowStepState::satisfies_dependencies",
	"task_state_can_be_processed":       "001-states-and-lifecycles: TaskState::can_be_processed",
	"task_state_is_active":              "001-states-and-lifecycles: TaskState::is_active",
	"task_state_is_terminal":            "001-states-and-lifecycles: TaskState::is_terminal",
	"task_state_is_waiting":             "001-states-and-lifecycles: TaskState::is_waiting",
	"task_state_requires_ownership":     "001-states-and-lifecycles: TaskState::requires_ownership",

	"list_step_states": "people in psql: what each state of a step means, beside a query that groups by state",
	"list_task_states": "people in psql: what each state of a task means, beside a query that groups by state",
}

func TestPublicFunctions_HaveACallerOrAReason(t *testing.T) {
	t.Parallel()
	repository := readCallers(t)
	var uncalled []string
	for _, name := range publicFunctions(t) {
		if !repository.calls(name) {
			uncalled = append(uncalled, name)
		}
	}
	for _, name := range uncalled {
		require.NotEmpty(t, uncalledForAReason[name],
			"nothing calls the public function %q and no page explains it: use it, explain it, give a reason in this file, or delete it", name)
	}
	for name := range uncalledForAReason {
		require.Contains(t, uncalled, name, "%q has a caller by now or is not public: take it out of the list", name)
	}
}

func TestPublicFunctions_WithoutACallerAreFound(t *testing.T) {
	t.Parallel()
	repository := readCallers(t)
	require.False(t, repository.calls("nothing_calls_this"))
	for name, by := range map[string]string{
		"send_signal":     "the queries of Go",
		"check_depth":     "SQL bodies",
		"note_cron_job":   "the text of a statement that pg_cron runs",
		"check_integrity": "Go",
	} {
		require.True(t, repository.calls(name), "%s calls %s", by, name)
	}
	// A query counts only if Go code calls its method. A name in a comment or in a test is no call.
	repository.queries["planted_one"] = []string{"PlantedMethod"}
	require.False(t, repository.calls("planted_one"))
	repository.addGo("// planted_one calls x.PlantedMethod(ctx)\nfunc f() {}")
	require.False(t, repository.calls("planted_one"))
	repository.addGo("func f() { x.PlantedMethod(ctx) }")
	require.True(t, repository.calls("planted_one"))
	repository.addSQL("planted_too.sql", "create function tasker.planted_too() …;\n\ncomment on function tasker.planted_too is\n$$See tasker.planted_three.$$;\n")
	require.False(t, repository.calls("planted_too"), "its own definition does not call it")
	require.False(t, repository.calls("planted_three"), "a comment does not call it")
}

// callers has the names of functions and of Go methods that the repository uses.
type callers struct {
	words, methods map[string]bool
	queries        map[string][]string // function → methods whose queries call the function
}

func (c callers) calls(function string) bool {
	return c.words[function] || slices.ContainsFunc(c.queries[function], func(m string) bool { return c.methods[m] })
}

var (
	word      = regexp.MustCompile(`\b[a-z]\w*\b`)
	method    = regexp.MustCompile(`\.([A-Z]\w+)\b`)
	goComment = regexp.MustCompile(`(?m)^\s*//.*$`)
	generated = regexp.MustCompile(`(?m)^// Code generated `)
	sqlName   = regexp.MustCompile(`\btasker\.(\w+)`)
	sqlRemark = regexp.MustCompile(`(?s)\b(?:comment on|grant|revoke) [^;$]*(?:\$\$.*?\$\$)?[^;$]*;|--[^\n]*`)
	goQuery   = regexp.MustCompile(`(?m)^-- name: (\w+) :`)
)

// publicFunctions returns the functions of schema tasker that some role may call: their files stand above the folders private.
func publicFunctions(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "db/schema/functions/*/*/*.sql"))
	require.NoError(t, err)
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".sql"))
	}
	require.Greater(t, len(names), 200)
	return names
}

func (c callers) addGo(text string) {
	text = goComment.ReplaceAllString(text, "")
	for _, found := range method.FindAllStringSubmatch(text, -1) {
		c.methods[found[1]] = true
	}
	c.addWords(text)
}

func (c callers) addWords(text string) {
	for _, w := range word.FindAllString(text, -1) {
		c.words[w] = true
	}
}

func (c callers) addSQL(file, text string) {
	for _, found := range sqlName.FindAllStringSubmatch(sqlRemark.ReplaceAllString(text, ""), -1) {
		if found[1]+".sql" != filepath.Base(file) {
			c.words[found[1]] = true
		}
	}
}

func (c callers) addQueries(text string) {
	names := goQuery.FindAllStringSubmatchIndex(text, -1)
	for i, at := range names {
		end := len(text)
		if i+1 < len(names) {
			end = names[i+1][0]
		}
		for _, found := range sqlName.FindAllStringSubmatch(text[at[1]:end], -1) {
			c.queries[found[1]] = append(c.queries[found[1]], text[at[2]:at[3]])
		}
	}
}

// readCallers reads all files that may call a public function: Go without tests and generated code, clients, pages, SQL
// bodies. It does not read the references of all functions.
func readCallers(t *testing.T) callers {
	t.Helper()
	c := callers{words: map[string]bool{}, methods: map[string]bool{}, queries: map[string][]string{}}
	skipped := []string{
		".git", ".cache", "node_modules", "dist", "clients/typescript/build", "clients/typescript/pgtasker.sql", // no files of the repository
		"testdata", "bench", "gen", "db/migrations", "pgtap", "internal/tests", "internal/layers", "internal/docs",
		"internal/schema", "clients/python/tests", "clients/typescript/test", "docs/functions.md", "docs/locking.md", "CHANGELOG.md",
	}
	read := []string{".go", ".md", ".py", ".ts", ".html", ".js", ".yaml", ".yml", ".sh"}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if slices.Contains(skipped, name) || slices.Contains(skipped, entry.Name()) {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		ext, text := filepath.Ext(name), []byte(nil)
		if entry.Type().IsRegular() && (ext == ".sql" || slices.Contains(read, ext)) && !strings.HasSuffix(name, "_test.go") {
			text, err = os.ReadFile(path)
		}
		switch {
		case strings.HasPrefix(name, "queries/"):
			c.addQueries(string(text))
		case ext == ".sql":
			c.addSQL(name, string(text))
		case ext == ".go" && !generated.Match(text):
			c.addGo(string(text))
		case ext != ".go":
			c.addWords(string(text))
		}
		return err
	})
	require.NoError(t, err)
	return c
}
