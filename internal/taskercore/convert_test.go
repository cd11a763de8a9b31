package taskercore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/taskercore"
	"github.com/pgtasker/pgtasker/template"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const payment = `
name: credit_card
namespace_name: payments
version: 1.0.0
description: Charges a card
metadata: {author: ann, tags: ["a:b"]}
system_dependencies: {primary: gateway, secondary: []}
domain_events: []
input_schema:
  type: object
  additionalProperties: false
  required: [amount]
  properties:
    amount: {type: integer, minimum: 1, exclusiveMaximum: 10}
    kind: {const: card}
    lines: {type: array, items: {type: object, properties: {sku: {type: string, pattern: "^a"}}}}
lifecycle: {max_waiting_for_retry_minutes: 30, max_duration_minutes: 1440}
color: red
steps:
  - name: validate
    handler: {callable: "Payments::Validate", method: check, initialization: {strict: true}}
    system_dependency:
    dependencies: []
    retry: {retryable: true, limit: 5, backoff: exponential, backoff_base_ms: 1500, max_backoff_ms: 30500}
    timeout_seconds: 30
    publishes_events: []
  - name: charge
    description: Charges it
    type: batchable
    handler: {callable: Payments.Charge}
    depends_on: [validate]
    retry: {retryable: false, backoff: fibonacci}
    publishes_events: [{name: charged}]
  - name: archive
    type: deferred_convergence
    handler: {callable: archive}
    dependencies: [validate, charge]
`

func TestConvert_MapsFieldsAndNamesTheOthers(t *testing.T) {
	t.Parallel()
	templates, notes, err := taskercore.Convert(strings.NewReader(payment))
	require.NoError(t, err)
	require.Len(t, templates, 1)
	file, err := templates[0].YAML()
	require.NoError(t, err)
	require.Equal(t, `namespace: payments
name: credit_card
version: 1.0.0
description: Charges a card
lifecycle:
  max_waiting_for_retry_minutes: 30
input_schema:
  properties:
    amount:
      minimum: 1
      type: integer
    kind:
      enum:
        - card
    lines:
      items:
        properties:
          sku:
            type: string
        type: object
      type: array
  required:
    - amount
  type: object
steps:
  - name: validate
    handler: Payments::Validate.check
    retry:
      retryable: true
      max_attempts: 5
      base_seconds: 1.5
      max_seconds: 31
    timeout_seconds: 30
    initialization:
      strict: true
  - name: charge
    description: Charges it
    handler: Payments.Charge
    dependencies:
      - validate
    retry:
      retryable: false
  - name: archive
    handler: archive
    dependencies:
      - validate
      - charge
    join: settled
`, string(file))
	var said []string
	for _, note := range notes {
		said = append(said, note.Path)
		require.NotEmpty(t, note.Advice)
		require.Positive(t, note.Line)
	}
	require.Equal(t, []string{
		"metadata", "system_dependencies", "input_schema.additionalProperties", "input_schema.properties.amount.exclusiveMaximum",
		"input_schema.properties.lines.items.properties.sku.pattern", "lifecycle.max_duration_minutes", "color", "steps.validate.handler.method",
		"steps.charge.type", "steps.charge.retry.backoff", "steps.charge.publishes_events", "steps.archive.type",
	}, said)
	require.Equal(t, "line 18: color: tasker-core has no such field; it is left out.", notes[6].String())

	// The database accepts the template.
	loaded, err := template.Load(strings.NewReader(string(file)))
	require.NoError(t, err)
	require.NoError(t, template.RegisterAll(t.Context(), pgtest.New(t), loaded...))
}

func TestConvert_RefusesWhatIsNoTemplate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":           "the file has no template",
		"[1]":        "line 1:  is not an object",
		"steps: [1]": "line 1: steps: ",
		"name: a\nsteps:\n  - name: a\n    timeout_seconds: soon": "line 4: steps.a.timeout_seconds: ",
		"a: [": "yaml: ",
	} {
		_, _, err := taskercore.Convert(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}
