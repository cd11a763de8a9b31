package serve

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// openapi answers with the OpenAPI document.
func openapi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(document()) // The client may be gone.
}

// document returns the OpenAPI 3.1 document of the served operations, made from the table of operations.
var document = sync.OnceValue(func() []byte {
	named := &schemas{named: map[string]any{}}
	paths := map[string]any{}
	for _, o := range operations {
		item, ok := paths[o.path].(map[string]any)
		if !ok {
			item = map[string]any{}
			paths[o.path] = item
		}
		item[lower(o.method)] = o.document(named)
	}
	named.of(reflect.TypeFor[problemBody]())
	text, err := json.MarshalIndent(map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title":       "pgtasker",
			"version":     "1",
			"description": "Durable workflows in PostgreSQL. Errors are application/problem+json.",
			"license":     map[string]any{"name": "See LICENSE in the repository"},
		},
		"servers":    []any{map[string]any{"url": "/"}},
		"security":   []any{map[string]any{"token": []any{}}},
		"paths":      paths,
		"components": map[string]any{"schemas": named.named, "securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}}},
	}, "", " ")
	if err != nil {
		panic(err) // The table of operations is wrong. The tests would have found that.
	}
	return append(text, '\n')
})

func lower(method string) string {
	b := []byte(method)
	for i := range b {
		b[i] |= 0x20
	}
	return string(b)
}

// document returns the part of the document about an operation.
func (o operation) document(named *schemas) map[string]any {
	d := map[string]any{
		"operationId": o.id,
		"summary":     o.summary,
		"tags":        []string{o.group},
		"responses":   o.responses(named),
	}
	if o.description != "" {
		d["description"] = o.description
	}
	var listed []any
	for _, p := range parameters(o.in) {
		found := named.field(p.StructField)
		description := found["description"]
		delete(found, "description")
		if kinds, several := found["type"].([]any); several {
			found["type"] = kinds[0] // A parameter can be missing but cannot be null.
		}
		listed = append(listed, map[string]any{
			"name": p.name, "in": p.place, "required": p.required, "description": description, "schema": found,
		})
	}
	if o.sorts != "" {
		listed = append(listed, map[string]any{
			"name": "sort", "in": inQuery, "required": false, "schema": schema{"type": "string"},
			"description": "The field by which the items are sorted, after a minus sign for the greatest first. In lists with pages, the first 10,000 items that match are sorted. Tasks have attribute.NAME, too, for an attribute that their templates declare.",
		})
	}
	if listed != nil {
		d["parameters"] = listed
	}
	if _, whole := bodyField(o.in); whole {
		d["requestBody"] = body(true, schema{"type": "object", "description": "A template, as docs/tutorial-yaml.md describes it."})
	} else if hasBody(o.in) {
		d["requestBody"] = body(requiresBody(o.in), named.request(o.in))
	}
	return d
}

func body(required bool, of schema) map[string]any {
	return map[string]any{"required": required, "content": map[string]any{"application/json": map[string]any{"schema": of}}}
}

// statuses returns the possible statuses of an operation's answers. The first status is the status of a success.
func (o operation) statuses() []int {
	all := []int{
		http.StatusOK, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
		http.StatusBadRequest,
	}
	if _, whole := bodyField(o.in); whole || hasBody(o.in) {
		all = append(all, http.StatusUnsupportedMediaType)
	}
	return append(all, o.refusals...)
}

func (o operation) responses(named *schemas) map[string]any {
	found := map[string]any{}
	for _, status := range o.statuses() {
		kind, of := "application/problem+json", schema{"$ref": "#/components/schemas/Problem"}
		if status == http.StatusOK {
			kind, of = "application/json", named.of(o.out)
		}
		found[strconv.Itoa(status)] = map[string]any{
			"description": http.StatusText(status), "content": map[string]any{kind: map[string]any{"schema": of}},
		}
	}
	return found
}

// groups returns the headings in the order of the table.
func groups() (found []string) {
	for _, o := range operations {
		if !slices.Contains(found, o.group) {
			found = append(found, o.group)
		}
	}
	return found
}
