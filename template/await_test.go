package template_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/span"
	"github.com/pgtasker/pgtasker/template"
)

const approval = `
namespace: shop
name: order
version: 1.0.0
steps:
  - name: approve
    await:
      - signal: approved
        when: $.ok == true
        schema: {type: object, required: [ok], properties: {ok: {type: boolean}}}
      - until: $.ship_at
    timeout: 3d
    on_timeout: skip
    assignee: finance
  - name: cool
    await: {for: 90}
    dependencies: [approve]
`

func TestLoad_ReadsWhatAStepWaitsFor(t *testing.T) {
	t.Parallel()
	templates, err := template.Load(strings.NewReader(approval))
	require.NoError(t, err)
	steps := templates[0].Steps
	require.Equal(t, span.OneOrMany[template.Await]{
		{
			Signal: "approved", When: "$.ok == true",
			Schema: json.RawMessage(`{"properties":{"ok":{"type":"boolean"}},"required":["ok"],"type":"object"}`),
		},
		{Until: "$.ship_at"},
	}, steps[0].Await)
	require.Equal(t, span.Span("3d"), steps[0].Timeout)
	require.Equal(t, span.OneOrMany[template.Await]{{For: "90"}}, steps[1].Await, "a single object is a list of one")

	text, err := templates[0].JSON()
	require.NoError(t, err)
	require.Contains(t, string(text), `"await":[{"for":90}]`, "seconds are a number")

	yaml, err := templates[0].YAML()
	require.NoError(t, err)
	again, err := template.Load(strings.NewReader(string(yaml)))
	require.NoError(t, err)
	require.Equal(t, steps, again[0].Steps, "what is written reads back as the same")
}

func TestRegister_TakesTheSameWaitInEverySpelling(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, text := range []string{approval, strings.ReplaceAll(approval, "timeout: 3d", "timeout: 259200")} {
		templates, err := template.Load(strings.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, template.RegisterAll(t.Context(), db, templates...), "other content would be a conflict")
	}
	templates, err := template.Load(strings.NewReader(strings.ReplaceAll(approval, "timeout: 3d", "timeout: 4d")))
	require.NoError(t, err)
	require.ErrorIs(t, template.RegisterAll(t.Context(), db, templates...), executor.ErrConflict)
}

func TestLoad_SaysWhereAWaitIsWrong(t *testing.T) {
	t.Parallel()
	_, err := template.Load(strings.NewReader(strings.ReplaceAll(approval, "signal:", "sgnal:")))
	require.ErrorContains(t, err, "steps[0].await[0].sgnal: an await has no such field")
}

func TestSeconds_KeepsFractions(t *testing.T) {
	t.Parallel()
	require.Equal(t, span.Span("259200"), template.Seconds(72*time.Hour))
	require.Equal(t, span.Span("0.25"), template.Seconds(250*time.Millisecond))
}
