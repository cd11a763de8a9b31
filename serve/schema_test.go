package serve_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// route is an operation as the document describes it.
type route struct {
	method, path, id string
	parameters       []struct {
		Name, In string
		Required bool
		Schema   map[string]any
	}
	body      map[string]any
	responses map[string]map[string]any // the schemas of the answers, by status
}

// documented returns the operations of the document, in the order of their ids.
func documented(t testing.TB) (found []route) {
	t.Helper()
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Summary     string
			Tags        []string
			Parameters  json.RawMessage
			RequestBody struct {
				Content map[string]struct{ Schema map[string]any }
			}
			Responses map[string]struct {
				Description string
				Content     map[string]struct{ Schema map[string]any }
			}
		}
	}
	require.NoError(t, json.Unmarshal(serve.Document(), &document))
	require.Equal(t, "3.1.0", document.OpenAPI)
	for path, item := range document.Paths {
		for method, o := range item {
			r := route{method: strings.ToUpper(method), path: path, id: o.OperationID, responses: map[string]map[string]any{}}
			require.NotEmpty(t, o.Summary, r.id)
			require.False(t, strings.HasSuffix(o.Summary, "."), r.id)
			require.Len(t, o.Tags, 1, r.id)
			if o.Parameters != nil {
				require.NoError(t, json.Unmarshal(o.Parameters, &r.parameters))
			}
			for _, p := range r.parameters {
				require.Contains(t, []string{"path", "query", "header"}, p.In)
				require.Equal(t, p.In == "path", strings.Contains(path, "{"+p.Name+"}"), "%s %s", r.id, p.Name)
			}
			r.body = o.RequestBody.Content["application/json"].Schema
			for status, response := range o.Responses {
				require.Len(t, response.Content, 1)
				for kind, content := range response.Content {
					require.Equal(t, status == "200", kind == "application/json", r.id)
					r.responses[status] = content.Schema
				}
			}
			require.Contains(t, r.responses, "200", r.id)
			found = append(found, r)
		}
	}
	require.NotEmpty(t, found)
	slices.SortFunc(found, func(a, b route) int { return strings.Compare(a.id, b.id) })
	for i := 1; i < len(found); i++ {
		require.NotEqual(t, found[i-1].id, found[i].id, "ids are unique")
	}
	return found
}

// checker validates values against the schemas of the document.
type checker struct{ named map[string]map[string]any }

func newChecker(t testing.TB) checker {
	t.Helper()
	var document struct {
		Components struct{ Schemas map[string]map[string]any }
	}
	require.NoError(t, json.Unmarshal(serve.Document(), &document))
	return checker{document.Components.Schemas}
}

// check returns the place where a value does not match a schema, or "" if the value matches.
func (c checker) check(at string, schema map[string]any, value any) string {
	if reference, ok := schema["$ref"].(string); ok {
		named, known := c.named[strings.TrimPrefix(reference, "#/components/schemas/")]
		if !known {
			return at + ": there is no schema " + reference
		}
		return c.check(at, named, value)
	}
	if choices, ok := schema["anyOf"].([]any); ok {
		var wrong string
		for _, choice := range choices {
			if wrong = c.check(at, choice.(map[string]any), value); wrong == "" {
				return ""
			}
		}
		return wrong
	}
	kinds, typed := schema["type"].([]any)
	if !typed && schema["type"] != nil {
		kinds = []any{schema["type"]}
	}
	kind := kindOf(value)
	if len(kinds) > 0 && !slices.Contains(kinds, any(kind)) && (kind != "integer" || !slices.Contains(kinds, any("number"))) {
		return fmt.Sprintf("%s: %s is not %v", at, kind, kinds)
	}
	switch v := value.(type) {
	case string:
		return c.text(at, schema, v)
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i, item := range v {
			if wrong := c.check(fmt.Sprintf("%s[%d]", at, i), items, item); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		return c.object(at, schema, v)
	}
	return ""
}

func (c checker) text(at string, schema map[string]any, v string) (wrong string) {
	var err error
	switch schema["format"] {
	case "uuid":
		_, err = uuid.Parse(v)
	case "date-time":
		_, err = time.Parse(time.RFC3339Nano, v)
	}
	if err != nil {
		return at + ": " + err.Error()
	}
	if choices, ok := schema["enum"].([]any); ok && !slices.Contains(choices, any(v)) {
		return at + ": is none of the choices"
	}
	return ""
}

func (c checker) object(at string, schema, v map[string]any) string {
	properties, described := schema["properties"].(map[string]any)
	if required, ok := schema["required"].([]any); ok {
		for _, name := range required {
			if _, has := v[name.(string)]; !has {
				return fmt.Sprintf("%s: %s is missing", at, name)
			}
		}
	}
	for name, member := range v {
		property, known := properties[name].(map[string]any)
		if !known {
			if described && schema["additionalProperties"] == false {
				return fmt.Sprintf("%s: %s is not described", at, name)
			}
			continue
		}
		if wrong := c.check(at+"."+name, property, member); wrong != "" {
			return wrong
		}
	}
	return ""
}

func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "number"
		}
		return "integer"
	case []any:
		return "array"
	}
	return "object"
}

func TestChecker_FindsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	c := newChecker(t)
	for text, fits := range map[string]bool{
		`{"items": [], "next_cursor": null}`:                  true,
		`{"items": []}`:                                       false,
		`{"items": [], "next_cursor": null, "more": 1}`:       false,
		`{"items": {}, "next_cursor": null}`:                  false,
		`{"items": [{"task_uuid": "x"}], "next_cursor": "c"}`: false,
		`[]`: false,
	} {
		for _, o := range documented(t) {
			if o.id == "listTasks" {
				require.Equal(t, fits, c.check("", o.responses["200"], decoded(t, []byte(text))) == "", text)
			}
		}
	}
}

func decoded(t testing.TB, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value), string(text))
	return value
}
