package template_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/template"
)

func TestYAML_IsReadBackAsTheSameTemplate(t *testing.T) {
	t.Parallel()
	made := template.Template{
		Namespace: "shop", Name: "order", Version: "1.10", Description: "a: b # c\n\ttwo lines, 漢字 \u2028 <&> 😀",
		Steps: []template.Step{
			{Name: "yes", Handler: "1.5", Initialization: json.RawMessage(`{"a": ["1", 1, null, true, "null", {}], "b": {"": []}}`)},
			{
				Name:         "second",
				Dependencies: []template.Dependency{{Step: "yes", When: `$.ok == true && $.x != "y"`}},
				Retry:        &template.Retry{Retryable: new(true), BaseSeconds: new(0.5)},
			},
		},
	}
	text, err := made.YAML()
	require.NoError(t, err)
	again, err := template.Load(bytes.NewReader(text))
	require.NoError(t, err, string(text))
	require.Len(t, again, 1)
	want, err := made.JSON()
	require.NoError(t, err)
	have, err := again[0].JSON()
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(have))
}

func TestYAML_IsWrittenAsPeopleDo(t *testing.T) {
	t.Parallel()
	made := template.Template{
		Name: "order", Version: "1.0",
		Steps: []template.Step{{Name: "a"}, {Name: "b", Dependencies: []template.Dependency{{Step: "a"}, {Step: "c", When: "$.ok == true"}}}},
	}
	text, err := made.YAML()
	require.NoError(t, err)
	require.Equal(t, `name: order
version: "1.0"
steps:
  - name: a
  - name: b
    dependencies:
      - a
      - step: c
        when: $.ok == true
`, string(text))
}
