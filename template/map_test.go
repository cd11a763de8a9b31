package template_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

const mapped = `
namespace: shop
name: order
version: 1.0.0
steps:
  - name: list
  - name: charge
    dependencies: [list]
    for_each: {step: list, path: $.lines}
    max_parallel: 10
    allow_failures: 2
  - name: greet
    for_each: $.people
`

func TestLoad_ReadsWhatAMapRunsOver(t *testing.T) {
	t.Parallel()
	templates, err := template.Load(strings.NewReader(mapped))
	require.NoError(t, err)
	steps := templates[0].Steps
	require.Equal(t, &template.ForEach{Step: "list", Path: "$.lines"}, steps[1].ForEach)
	require.EqualValues(t, 10, *steps[1].MaxParallel)
	require.EqualValues(t, 2, *steps[1].AllowFailures)
	require.Equal(t, &template.ForEach{Path: "$.people"}, steps[2].ForEach, "a text is a path of the context")

	text, err := templates[0].JSON()
	require.NoError(t, err)
	require.Contains(t, string(text), `"for_each":"$.people"`)
	var again template.Template
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, steps, again.Steps, "JSON reads back as the same")

	yaml, err := templates[0].YAML()
	require.NoError(t, err)
	loaded, err := template.Load(strings.NewReader(string(yaml)))
	require.NoError(t, err)
	require.Equal(t, steps, loaded[0].Steps, "and so does YAML")
}

func TestLoad_RefusesAMapOfAnotherForm(t *testing.T) {
	t.Parallel()
	_, err := template.Load(strings.NewReader(strings.Replace(mapped, "for_each: $.people", "for_each: [$.people]", 1)))
	require.ErrorContains(t, err, "steps[2].for_each")
	require.ErrorContains(t, err, "must be an object")
	_, err = template.Load(strings.NewReader(strings.Replace(mapped, "path: $.lines", "paths: $.lines", 1)))
	require.ErrorContains(t, err, `a for_each has no such field`)
}

func TestMap_IsRegisteredAsWritten(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	templates, err := template.Load(strings.NewReader(mapped))
	require.NoError(t, err)
	text, err := templates[0].JSON()
	require.NoError(t, err)
	db := executor.New(pool)
	_, err = db.RegisterTaskTemplate(t.Context(), text)
	require.NoError(t, err)
	again, err := db.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "shop", "name": "order", "version": "1.0.0", "steps": [
		{"name": "list"},
		{"name": "charge", "dependencies": ["list"], "for_each": {"step": "list", "path": "$.lines"}, "max_parallel": 10, "allow_failures": 2},
		{"name": "greet", "for_each": "$.people"}]}`))
	require.NoError(t, err)
	require.False(t, again.Created)
}
