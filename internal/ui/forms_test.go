package ui

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func parsed(t *testing.T, text string) part {
	t.Helper()
	var s schema
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return partsOf(s, "", "p", true, 0)
}

// inputs are the inputs of a form by their labels.
func inputs(p part) map[string]field {
	found := map[string]field{}
	for _, f := range p.fields() {
		found[f.Label] = f
	}
	return found
}

const refund = `{"type": "object", "required": ["ok", "lines"], "properties": {
	"ok": {"type": "boolean"}, "method": {"enum": ["card", "transfer", 3, null]}, "cents": {"type": "integer", "minimum": 1, "maximum": 100},
	"rate": {"type": "number", "minimum": 0}, "note": {"type": "string", "maxLength": 40}, "story": {"type": "string", "maxLength": 2000},
	"lines": {"type": "array", "items": {"type": "integer"}}, "nothing": {"type": "null"}, "any": {},
	"to": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}}}}`

func TestForm_HasAnInputForEachValueOfTheSchema(t *testing.T) {
	t.Parallel()
	found := inputs(parsed(t, refund))
	for label, want := range map[string]field{
		"ok":     {Kind: "choice", Choices: []string{"yes", "no"}, Required: true},
		"method": {Kind: "choice", Choices: []string{"card", "transfer", "3", "null"}},
		"cents":  {Kind: "integer", Hint: "A whole number from 1 to 100."},
		"rate":   {Kind: "number", Hint: "A number from 0 on."},
		"note":   {Kind: "text", Hint: "At most 40 characters.", Length: 40},
		"story":  {Kind: "area", Hint: "At most 2000 characters.", Length: 2000},
		"lines":  {Kind: "area", Hint: "One value a line.", Required: true},
		"any":    {Kind: "json", Hint: "JSON, such as {} or [1, 2]."},
		"city":   {Kind: "text", Depth: 1},
	} {
		got := found[label]
		got.Name, got.Label = "", ""
		require.Equal(t, want, got, label)
	}
	first := parsed(t, refund).fields()
	require.Equal(t, []string{"lines", "ok"}, []string{first[0].Label, first[1].Label}, "what is required comes first")
	require.Equal(t, "json", parsed(t, `{}`).fields()[0].Kind, "without a schema any JSON is entered")
	deep := `{"type": "object", "properties": {"a": {"type": "object", "properties": {"a": {"type": "object", "properties": {"a": {"type": "object", "properties": {"a": {"type": "object", "properties": {"x": {"type": "string"}}}}}}}}}}}`
	require.Equal(t, "json", parsed(t, deep).fields()[0].Kind, "what lies too deep is entered as JSON")
}

func TestForm_MakesThePayloadOfWhatWasEntered(t *testing.T) {
	t.Parallel()
	p := parsed(t, refund)
	entered := func(values map[string]string) url.Values {
		form := url.Values{}
		for label, f := range inputs(p) {
			form.Set(f.Name, values[label])
		}
		return form
	}
	for name, test := range map[string]struct {
		given map[string]string
		want  string
	}{
		"required only": {map[string]string{"ok": "yes", "lines": "1"}, `{"ok": true, "lines": [1]}`},
		"all": {
			map[string]string{"ok": "no", "lines": "7\r\n\r\n9007199254740993\n", "method": "transfer", "cents": "12345678901234567890", "rate": "-0.5", "note": "a\r\nb", "any": `{"x": 1}`, "city": "Bonn"},
			`{"ok": false, "lines": [7, 9007199254740993], "method": "transfer", "cents": 12345678901234567890, "rate": -0.5, "note": "a\nb", "any": {"x": 1}, "to": {"city": "Bonn"}}`,
		},
		"values that are no texts": {map[string]string{"ok": "yes", "lines": "1", "method": "null"}, `{"ok": true, "lines": [1], "method": null}`},
		"no value of the choice":   {map[string]string{"ok": "yes", "lines": "1", "method": "cash"}, `{"ok": true, "lines": [1], "method": "cash"}`},
	} {
		payload, present, err := p.payload(entered(test.given))
		require.NoError(t, err, name)
		require.True(t, present)
		require.JSONEq(t, test.want, string(payload), name)
	}
	payload, _, err := p.payload(entered(map[string]string{"ok": "yes", "lines": "1", "cents": "12345678901234567890"}))
	require.NoError(t, err)
	require.Contains(t, string(payload), `"cents":12345678901234567890`, "a number stays as it was written")
	for name, given := range map[string]map[string]string{
		"lines is missing":      {"ok": "yes"},
		"ok is missing":         {"lines": "1"},
		"cents is not a number": {"ok": "yes", "lines": "1", "cents": "ten"},
		"rate is not a number":  {"ok": "yes", "lines": "1", "rate": `{"a": 1}`},
		"lines is not a number": {"ok": "yes", "lines": "1\nx"},
		"any is not JSON":       {"ok": "yes", "lines": "1", "any": "{"},
	} {
		_, _, err := p.payload(entered(given))
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, "nothing was changed")
	}
	payload, present, err := parsed(t, `{}`).payload(url.Values{"p": {" "}})
	require.NoError(t, err)
	require.False(t, present, "no payload is sent: %s", payload)
}
