package replaytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// schemaFile describes the documents. Tests run in the folders of their packages, below it.
const schemaFile = "docs/task-export.schema.json"

// schema checks the words of JSON Schema that schemaFile uses.
type schema struct{ root map[string]any }

func readSchema(t testing.TB) schema {
	t.Helper()
	raw, err := os.ReadFile(schemaFile)
	for above := ".."; errors.Is(err, fs.ErrNotExist) && len(above) < 30; above += "/.." {
		raw, err = os.ReadFile(above + "/" + schemaFile)
	}
	require.NoError(t, err)
	var s schema
	require.NoError(t, json.Unmarshal(raw, &s.root))
	return s
}

// problem returns what of a value does not fit, or nothing.
func (s schema) problem(at string, of map[string]any, value any) string {
	if reference, ok := of["$ref"].(string); ok {
		named, _ := s.root["$defs"].(map[string]any)[strings.TrimPrefix(reference, "#/$defs/")].(map[string]any)
		return s.problem(at, named, value)
	}
	if choices, ok := of["oneOf"].([]any); ok {
		wrong := ""
		for _, choice := range choices {
			if wrong = s.problem(at, choice.(map[string]any), value); wrong == "" {
				return ""
			}
		}
		return wrong
	}
	if want, ok := of["const"]; ok && value != want {
		return fmt.Sprintf("%s is %v, not %v", at, value, want)
	}
	if choices, ok := of["enum"].([]any); ok && !contains(choices, value) {
		return fmt.Sprintf("%s is %v, not one of %v", at, value, choices)
	}
	kinds, several := of["type"].([]any)
	if !several && of["type"] != nil {
		kinds = []any{of["type"]}
	}
	if len(kinds) > 0 && !contains(kinds, kindOf(value)) {
		return fmt.Sprintf("%s is of type %s, not %v", at, kindOf(value), kinds)
	}
	switch v := value.(type) {
	case string:
		return formatProblem(at, of["format"], v)
	case []any:
		items, _ := of["items"].(map[string]any)
		for i, item := range v {
			if wrong := s.problem(fmt.Sprintf("%s[%d]", at, i), items, item); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		return s.objectProblem(at, of, v)
	}
	return ""
}

func (s schema) objectProblem(at string, of, v map[string]any) string {
	required, _ := of["required"].([]any)
	for _, name := range required {
		if _, found := v[name.(string)]; !found {
			return fmt.Sprintf("%s.%s is missing", at, name)
		}
	}
	properties, _ := of["properties"].(map[string]any)
	for name, member := range v {
		property, known := properties[name].(map[string]any)
		if !known && of["additionalProperties"] == false {
			return fmt.Sprintf("%s.%s is not described", at, name)
		}
		if wrong := s.problem(at+"."+name, property, member); wrong != "" {
			return wrong
		}
	}
	return ""
}

func formatProblem(at string, format any, v string) string {
	var err error
	switch format {
	case "uuid":
		_, err = uuid.Parse(v)
	case "date-time":
		_, err = time.Parse(time.RFC3339Nano, v)
	}
	if err != nil {
		return at + ": " + err.Error()
	}
	return ""
}

func contains(choices []any, value any) bool {
	for _, choice := range choices {
		if choice == value {
			return true
		}
	}
	return false
}

func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
