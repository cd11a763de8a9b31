package jsonschema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/jsonschema"
)

func TestProblem_NamesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	s, err := jsonschema.Parse([]byte(`{
		"type": "object", "required": ["name"], "additionalProperties": false,
		"properties": {
			"name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 4},
			"size": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
			"wait": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"$ref": "#/$defs/text"}]},
			"one": {"oneOf": [{"type": "number"}, {"type": "integer"}]},
			"list": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"enum": ["a", "b"]}},
			"id": {"type": "string", "format": "uuid"},
			"more": {"type": "object", "additionalProperties": {"type": "boolean"}}
		},
		"$defs": {"text": {"type": "string", "minLength": 2}}
	}`))
	require.NoError(t, err)
	for text, want := range map[string]string{
		`{"name": "abc", "size": null, "wait": 0.5, "one": 0.5, "list": ["a"], "more": {"x": true}}`: "",
		`{"name": "abc", "size": 9.0, "wait": "3d"}`:                                                 "",
		`[]`:                                   "v is of type array, not [object]",
		`{}`:                                   "v.name is missing",
		`{"name": "A"}`:                        `v.name is "A", which does not match ^[a-z]+$`,
		`{"name": "äöüßä"}`:                    "v.name has 5 characters, more than 4",
		`{"name": 1}`:                          "v.name is of type integer, not [string]",
		`{"name": "a", "size": 1.5}`:           "v.size is of type number, not [integer null]",
		`{"name": "a", "size": 0}`:             "v.size is 0, less than 1",
		`{"name": "a", "size": 10}`:            "v.size is 10, more than 9",
		`{"name": "a", "wait": 0}`:             "v.wait is 0, not more than 0",
		`{"name": "a", "wait": "x"}`:           "v.wait is of type string, not [number]",
		`{"name": "a", "one": 1}`:              "v.one fits 2 schemas of which one is meant",
		`{"name": "a", "list": []}`:            "v.list has 0 elements, fewer than 1",
		`{"name": "a", "list": ["a","b","a"]}`: "v.list has 3 elements, more than 2",
		`{"name": "a", "list": ["c"]}`:         "v.list[0] is c, not one of [a b]",
		`{"name": "a", "id": "7"}`:             "v.id: invalid UUID length: 1",
		`{"name": "a", "more": {"x": 1}}`:      "v.more.x is of type integer, not [boolean]",
		`{"name": "a", "other": 1}`:            "v.other is not described",
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		require.Equal(t, want, s.Problem("v", value), text)
	}
	_, err = jsonschema.Parse([]byte(`{"properties": {"a": {"not": {}}}}`))
	require.EqualError(t, err, `schema/properties/a has the word "not", which is not checked`)
}
