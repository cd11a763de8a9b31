package docs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const root = "../.."

func TestDocs_AreWhatTheDatabaseSays(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)

	taskStates, err := e.ListTaskStates(t.Context())
	require.NoError(t, err)
	stepStates, err := e.ListStepStates(t.Context())
	require.NoError(t, err)
	taskTransitions, err := e.ListTaskTransitions(t.Context())
	require.NoError(t, err)
	stepTransitions, err := e.ListStepTransitions(t.Context())
	require.NoError(t, err)
	functions, err := readFunctions(t.Context(), pool, root)
	require.NoError(t, err)
	for _, f := range functions {
		require.True(t, slices.ContainsFunc(rooms, func(r struct{ name, title string }) bool { return r.name == f.Room }), "tasker.%s: rooms lacks %q", f.Name, f.Room)
	}
	columns, err := readRows(t.Context(), pool, functions)
	require.NoError(t, err)
	for _, f := range functions {
		require.True(t, f.row() == "" || slices.ContainsFunc(columns, func(c column) bool { return c.Row == f.row() }), "tasker.%s: no columns of %s", f.Name, f.Result)
	}
	fields, err := readTemplateFields(t.Context(), pool)
	require.NoError(t, err)
	settings, err := e.ListSettings(t.Context())
	require.NoError(t, err)

	settingTable := newTable("setting", "kind", "default", "what for")
	for _, s := range settings {
		settingTable.row("`"+s.Name+"`", s.Kind, s.DefaultValue, s.Description)
	}

	tasklibFunctions, err := readSchema(t.Context(), pool, "tasklib")
	require.NoError(t, err)
	tasklibSettings, err := tasklib.NewFunctions(pool).ListSettings(t.Context())
	require.NoError(t, err)
	tasklibTable := newTable("setting", "kind", "default", "what for")
	for _, s := range tasklibSettings {
		tasklibTable.row("`"+s.Name+"`", s.Kind, s.DefaultValue, s.Description)
	}

	type part struct{ file, name, body string }
	parts := []part{
		{"docs/states.md", "task diagram", diagram(taskEdges(taskTransitions), terminalTasks(taskStates))},
		{"docs/states.md", "task table", taskTable(taskStates)},
		{"docs/states.md", "step diagram", diagram(stepEdges(stepTransitions), terminalSteps(stepStates))},
		{"docs/states.md", "step table", stepTable(stepStates)},
		{"docs/settings.md", "settings", settingTable.String()},
		{"docs/functions.md", "functions", reference(functions)},
		{"docs/functions.md", "rows", rowReference(columns)},
		{"docs/tasklib.md", "settings", tasklibTable.String()},
		{"docs/tasklib.md", "functions", tasklibReference(tasklibFunctions)},
	}
	for name, kind := range map[string]string{"step options": "StepOption", "workflow options": "Option"} {
		table, err := optionTable(root, kind)
		require.NoError(t, err)
		parts = append(parts, part{"docs/workflow.md", name, table})
	}
	for _, object := range templateObjects {
		parts = append(parts, part{"docs/templates.md", object, templateTable(fields, object)})
	}
	for _, part := range parts {
		path := filepath.Join(root, part.file)
		have, err := os.ReadFile(path)
		require.NoError(t, err)
		want, err := ReplacePart(string(have), part.name, part.body)
		require.NoError(t, err, part.file)
		if os.Getenv("PGTASKER_UPDATE_DOCS") != "" {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
			continue
		}
		require.True(t, want == string(have), "%s: %s is out of date: make docs", part.file, part.name)
	}
}

func TestReplacePart_SaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := ReplacePart("no marks", "x", "")
	require.ErrorContains(t, err, "<!-- generated: x -->")
	_, err = ReplacePart("<!-- generated: x -->\nno end", "x", "")
	require.ErrorContains(t, err, end)

	text, err := ReplacePart("a\n<!-- generated: x -->\nold\n<!-- end -->\nz\n", "x", "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- generated: x -->\nnew\n<!-- end -->\nz\n", text)
}
