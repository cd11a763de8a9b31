// Package inputdoc describes the schema of a template's input as rows of a table. The page and the command line show the rows.
package inputdoc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Field is a value of the input.
type Field struct {
	// Path is the path of the value, such as amount or lines[].sku.
	Path     string
	Type     string // in words: integer, list of strings, text or null
	Required bool
	// Bounds describes the checks of the database besides the type. About is the schema's description for people.
	Bounds, About string
}

type schema struct {
	Type        json.RawMessage            `json:"type"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Required    []string                   `json:"required"`
	Enum        []json.RawMessage          `json:"enum"`
	Minimum     json.RawMessage            `json:"minimum"`
	Maximum     json.RawMessage            `json:"maximum"`
	MaxLength   json.RawMessage            `json:"maxLength"`
	Items       json.RawMessage            `json:"items"`
	Title       json.RawMessage            `json:"title"`
	Description json.RawMessage            `json:"description"`
	Default     json.RawMessage            `json:"default"`
	Format      json.RawMessage            `json:"format"`
}

// Of returns the schema in a template in normal form, or nil if the template has no schema.
func Of(template json.RawMessage) json.RawMessage {
	var t struct {
		InputSchema json.RawMessage `json:"input_schema"`
	}
	if json.Unmarshal(template, &t) != nil {
		return nil
	}
	return t.InputSchema
}

// Fields returns the fields of a schema. At each level required fields come first, and fields are sorted by name.
func Fields(text json.RawMessage) []Field { return fields("", text) }

func fields(above string, text json.RawMessage) (found []Field) {
	var s schema
	if json.Unmarshal(text, &s) != nil {
		return nil
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	rank := func(name string) int {
		if slices.Contains(s.Required, name) {
			return 0
		}
		return 1
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	for _, name := range names {
		var inner schema
		if json.Unmarshal(s.Properties[name], &inner) != nil {
			continue
		}
		path := strings.TrimPrefix(above+"."+name, ".")
		found = append(found, Field{Path: path, Type: inner.kinds(), Required: rank(name) == 0, Bounds: inner.bounds(), About: inner.about()})
		found = append(found, fields(path, s.Properties[name])...)
		if len(inner.Items) > 0 {
			found = append(found, fields(path+"[]", inner.Items)...)
		}
	}
	return found
}

func (s schema) kinds() string {
	var kinds []string
	if json.Unmarshal(s.Type, &kinds) != nil {
		kinds = []string{said(s.Type)}
	}
	var items schema
	if json.Unmarshal(s.Items, &items) == nil && len(items.Type) > 0 {
		for i, kind := range kinds {
			if kind == "array" {
				kinds[i] = "array of " + items.kinds()
			}
		}
	}
	return cmp.Or(strings.Join(kinds, " or "), "any")
}

func (s schema) bounds() string {
	var parts []string
	if len(s.Enum) > 0 {
		values := make([]string, len(s.Enum))
		for i, value := range s.Enum {
			values[i] = cmp.Or(said(value), `""`)
		}
		parts = append(parts, "one of "+strings.Join(values, ", "))
	}
	for _, bound := range []struct {
		words string
		value json.RawMessage
	}{{"from ", s.Minimum}, {"up to ", s.Maximum}, {"at most ", s.MaxLength}} {
		if len(bound.value) > 0 {
			parts = append(parts, bound.words+said(bound.value))
		}
	}
	if len(s.MaxLength) > 0 {
		parts[len(parts)-1] += " characters"
	}
	return strings.Join(parts, ", ")
}

func (s schema) about() string {
	parts := []string{said(s.Title), said(s.Description)}
	if len(s.Format) > 0 {
		parts = append(parts, "Format: "+said(s.Format)+".")
	}
	if len(s.Default) > 0 {
		parts = append(parts, "Default: "+said(s.Default)+".")
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// said returns a text without its quotes, or another JSON value in one line.
func said(value json.RawMessage) string {
	var text string
	if len(value) == 0 || json.Unmarshal(value, &text) == nil {
		return text
	}
	var line bytes.Buffer
	if json.Compact(&line, value) != nil {
		return ""
	}
	return line.String()
}
