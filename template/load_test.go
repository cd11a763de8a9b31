package template_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const everything = `
namespace: shipping
name: order
version: 1.10
description: An order.
identity_strategy: caller_provided
on_failure: halt
lifecycle:
  max_waiting_for_dependencies_minutes: 10
  max_waiting_for_retry_minutes: 20
  max_steps_in_process_minutes: 30
steps:
  - name: reserve
  - name: charge
    description: Takes the money.
    handler: billing.charge
    join: any
    retry: &patient
      retryable: true
      max_attempts: 5
      backoff: exponential
      base_seconds: 0.5
      multiplier: 3
      max_seconds: 300
    timeout_seconds: 90
    priority: -3
    initialization:
      region: ~
      at: 2026-01-02
      amounts: [1, 2.50, 0x10, 12345678901234567890]
      deep: {a: {b: [true, "null"]}}
  - name: ship
    retry:
      <<: *patient
      max_attempts: 2
    dependencies:
      - reserve
      - {step: charge, when: $.paid == true}
`

func TestLoad_ReadsEveryField(t *testing.T) {
	t.Parallel()
	templates, err := template.Load(strings.NewReader(everything))
	require.NoError(t, err)
	require.Len(t, templates, 1)
	have, err := templates[0].JSON()
	require.NoError(t, err)
	require.JSONEq(t, `{
	  "namespace": "shipping", "name": "order", "version": "1.10", "description": "An order.",
	  "identity_strategy": "caller_provided", "on_failure": "halt",
	  "lifecycle": {
	    "max_waiting_for_dependencies_minutes": 10, "max_waiting_for_retry_minutes": 20, "max_steps_in_process_minutes": 30
	  },
	  "steps": [
	    {"name": "reserve"},
	    {
	      "name": "charge", "description": "Takes the money.", "handler": "billing.charge", "join": "any",
	      "retry": {
	        "retryable": true, "max_attempts": 5, "backoff": "exponential", "base_seconds": 0.5, "multiplier": 3, "max_seconds": 300
	      },
	      "timeout_seconds": 90, "priority": -3,
	      "initialization": {
	        "region": null, "at": "2026-01-02", "amounts": [1, 2.50, 16, 12345678901234567890],
	        "deep": {"a": {"b": [true, "null"]}}
	      }
	    },
	    {
	      "name": "ship",
	      "retry": {
	        "retryable": true, "max_attempts": 2, "backoff": "exponential", "base_seconds": 0.5, "multiplier": 3, "max_seconds": 300
	      },
	      "dependencies": [{"step": "reserve"}, {"step": "charge", "when": "$.paid == true"}]
	    }
	  ]
	}`, string(have))
	require.Contains(t, string(have), "12345678901234567890", "the number keeps every digit")
}

func TestLoad_WhatItReadsCanBeRegistered(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))
	templates, err := template.Load(strings.NewReader(everything))
	require.NoError(t, err)
	text, err := templates[0].JSON()
	require.NoError(t, err)
	registration, err := e.RegisterTaskTemplate(t.Context(), text)
	require.NoError(t, err)
	require.True(t, registration.Created)
	require.Equal(t, "1.10", registration.Version, "a version is text, and 1.10 is not 1.1")
}

func TestLoad_ReadsSeveralDocuments(t *testing.T) {
	t.Parallel()
	templates, err := template.Load(strings.NewReader("name: one\n---\n# nothing\n---\nname: two\nsteps: []\n...\n"))
	require.NoError(t, err)
	require.Len(t, templates, 2)
	require.Equal(t, "one", templates[0].Name)
	require.Equal(t, "two", templates[1].Name)
}

// problems returns the errors that Load finds, one text each.
func problems(t *testing.T, text string) (lines []string) {
	t.Helper()
	templates, err := template.Load(strings.NewReader(text))
	require.Error(t, err)
	require.Empty(t, templates, "one error loads no template")
	var joined interface{ Unwrap() []error }
	require.ErrorAs(t, err, &joined)
	for _, one := range joined.Unwrap() {
		var problem *template.Error
		require.ErrorAs(t, one, &problem)
		lines = append(lines, one.Error())
	}
	return lines
}

func TestLoad_RefusesUnknownFieldsWithTheirLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		`line 2: nam: a template has no such field (Did you mean "name"? Its fields are namespace, name, version, description, identity_strategy, on_failure, lifecycle, input_schema, start_on, cancel_on, steps, types, on_undo, runs, encrypted, attributes, schedules.)`,
		`line 5: steps[0].hanlder: a step has no such field (Did you mean "handler"? Its fields are name, description, handler, dependencies, join, retry, timeout_seconds, priority, initialization, await, timeout, on_timeout, assignee, task, for_each, max_parallel, allow_failures, compensate, limit, limit_key, sql, limit_units, limit_hold, limits, start_within, limit_bound, limit_bound_max.)`,
		`line 6: steps[0].retry.base: a retry has no such field (Did you mean "base_seconds"? Its fields are retryable, max_attempts, backoff, base_seconds, multiplier, max_seconds.)`,
		`line 8: steps[1].dependencies[1].if: a dependency has no such field (Its fields are step, when, on.)`,
	}, problems(t, `namespace: n
nam: order
steps:
  - name: a
    hanlder: b
    retry: {base: 3}
  - name: b
    dependencies: [a, {step: b, if: $.x}]
`))
}

func TestLoad_RefusesWhatIsNotOfItsKind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"a list of steps as an object", "steps: {a: 1}", `line 1: steps: must be a list`},
		{"a step as a text", "steps: [a]", `line 1: steps[0]: must be an object`},
		{"a name as a list", "name: [a]", `line 1: name: must be a text, not a list`},
		{"a number as a text", "steps: [{timeout_seconds: 30s}]", `line 1: steps[0].timeout_seconds: must be a whole number, not "30s"`},
		{"half a second", "steps: [{timeout_seconds: 0.5}]", `line 1: steps[0].timeout_seconds: must be a whole number, not "0.5"`},
		{"a number in quotes", "steps: [{priority: '1'}]", `line 1: steps[0].priority: must be a whole number, not "1"`},
		{"more than a number holds", "steps: [{priority: 1e300}]", `line 1: steps[0].priority: must be a whole number, not "1e300"`},
		{"what is no number", "steps: [{retry: {base_seconds: .nan}}]", `line 1: steps[0].retry.base_seconds: must be a number, not ".nan"`},
		{"a truth value of old", "steps: [{retry: {retryable: yes}}]", `line 1: steps[0].retry.retryable: must be true or false, not "yes"`},
		{"a dependency as a list", "steps: [{dependencies: [[a]]}]", `line 1: steps[0].dependencies[0]: must be an object (For example reserve, or {step: reserve, when: $.ok == true}.)`},
		{"an initialization as a list", "steps: [{initialization: [1]}]", `line 1: steps[0].initialization: must be an object`},
		{"infinity in it", "steps: [{initialization: {a: .inf}}]", `line 1: steps[0].initialization.a: is .inf, which JSON has not`},
		{"a name that is no text in it", "steps: [{initialization: {[a]: 1}}]", `line 1: steps[0].initialization: has a field whose name is not a text`},
		{"a field twice", "name: a\nname: b", `line 2: name: is said in line 1 already`},
		{"a field twice in an initialization", "steps:\n- initialization:\n    a: 1\n    a: 2", `line 4: steps[0].initialization.a: is said in line 3 already`},
		{"the character NUL", `name: "a\0b"`, `line 1: name: holds the character NUL, which PostgreSQL cannot store`},
		{"the whole as a text", "order", `line 1: must be an object`},
		{"nothing at all", "", `there is no template in it`},
		{"only comments", "# later\n---\n", `there is no template in it`},
		{"no YAML", "name: [a", `line 1: is not YAML: did not find expected ',' or ']'`},
		{"an alias of nothing", "name: *a", `is not YAML: unknown anchor 'a' referenced`},
		{"a merge of a text", "lifecycle: {<<: a}", `line 1: lifecycle: merges what is not an object`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []string{test.want}, problems(t, test.text))
		})
	}
}

func TestLoad_RefusesAliasesThatExpandWithoutEnd(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("steps:\n- initialization:\n    a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 20 {
		fmt.Fprintf(&bomb, "    a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	// All aliases together stand for 9 to the 20th values: a load that followed them would not return.
	require.Equal(t, []string{"line 9: is too large with its aliases"}, problems(t, bomb.String()))

	// A text of a megabyte, repeated a thousand times.
	long := "steps:\n- initialization:\n    a: &a " + strings.Repeat("x", 1<<20) + "\n    b: [" + strings.Repeat("*a, ", 999) + "*a]\n"
	require.Equal(t, []string{"line 4: is too large with its aliases"}, problems(t, long))

	require.Equal(t, []string{"line 3: contains itself"}, problems(t, "steps:\n- initialization: &a\n    b: [*a, *a]\n"))
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	require.Contains(t, problems(t, "steps:\n- initialization: {a: "+deep+"}\n")[0], "is nested more than 200 deep")
	require.Error(t, func() error {
		_, err := template.Load(strings.NewReader(strings.Repeat("[", 100_000)))
		return err
	}())
}

func TestLoad_ReportsAtMostTwentyErrors(t *testing.T) {
	t.Parallel()
	require.Len(t, problems(t, "steps:\n"+strings.Repeat("- 1\n", 100)), 20)
}

func TestLoadFile_NamesTheFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "order.yaml")
	require.NoError(t, os.WriteFile(name, []byte("name: order\nstep: []\n"), 0o600))
	_, err := template.LoadFile(name)
	require.ErrorContains(t, err, name+`:2: step: a template has no such field (Did you mean "steps"?`)

	_, err = template.LoadFile(name + ".missing")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestTemplate_FindsTheLineOfWhatTheDatabaseSays(t *testing.T) {
	t.Parallel()
	e := executor.New(pgtest.New(t))
	templates, err := template.Load(strings.NewReader(`namespace: Shipping
name: order
steps:
  - name: a
  - dependencies: [a]
  - name: c
    dependencies:
      - a
      - d
    retry:
      max_attempts: 0
`))
	require.NoError(t, err, "the loader leaves the values of fields to the database")
	text, err := templates[0].JSON()
	require.NoError(t, err)
	found, err := e.ValidateTaskTemplate(t.Context(), text)
	require.NoError(t, err)
	var lines []string
	for _, p := range found {
		lines = append(lines, templates[0].Problem(p.Path, p.Problem, "").Error())
	}
	require.Equal(t, []string{
		`line 1: namespace: cannot be "Shipping"`,
		`line 5: steps[1].name: is missing`,
		`line 11: steps[2].retry.max_attempts: must be a whole number from 1 to 10000, not 0`,
	}, lines)
	require.Equal(t, 9, templates[0].Problem("steps[2].dependencies[1]", "", "").Line)
	require.Equal(t, 1, templates[0].Problem("nowhere[7]", "", "").Line)
}

func TestTemplate_CanBeMadeInGo(t *testing.T) {
	t.Parallel()
	made := template.Template{
		Namespace: "n", Name: "t",
		Steps: []template.Step{{Name: "a"}, {Name: "b", Dependencies: []template.Dependency{{Step: "a"}}}},
	}
	text, err := made.JSON()
	require.NoError(t, err)
	_, err = executor.New(pgtest.New(t)).RegisterTaskTemplate(t.Context(), text)
	require.NoError(t, err)
	require.Zero(t, made.Problem("steps", "", "").Line)

	var again template.Template
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, made, again)
}
