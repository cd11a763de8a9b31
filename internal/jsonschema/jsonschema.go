// Package jsonschema checks JSON against the keywords of JSON Schema that the schemas of this repository use: the schemas of
// exported tasks (docs/task-export.schema.json) and of templates (template/template.schema.json). [Parse] refuses an unknown
// keyword, so that no schema demands more than the tests check.
package jsonschema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Schema is a schema with the definitions that it refers to.
type Schema struct{ root map[string]any }

// annotations are keywords that check nothing.
var annotations = []string{"$schema", "$id", "title", "description", "default", "examples", "$comment", "$defs", "markdownDescription"}

var checked = []string{
	"$ref", "oneOf", "anyOf", "const", "enum", "type", "items", "required", "properties", "additionalProperties", "format",
	"pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems",
}

// Parse reads a schema.
func Parse(text []byte) (Schema, error) {
	var s Schema
	if err := json.Unmarshal(text, &s.root); err != nil {
		return s, err
	}
	return s, known("", s.root)
}

// known returns an error for the first keyword that is neither checked nor an annotation.
func known(at string, of map[string]any) error {
	for _, word := range slices.Sorted(maps.Keys(of)) {
		if !slices.Contains(annotations, word) && !slices.Contains(checked, word) {
			return fmt.Errorf("schema%s has the word %q, which is not checked", at, word)
		}
		var inner map[string]any
		switch word {
		case "$defs", "properties":
			inner, _ = of[word].(map[string]any)
		case "items", "additionalProperties":
			inner = map[string]any{"": of[word]}
		case "oneOf", "anyOf":
			inner = map[string]any{}
			for i, choice := range of[word].([]any) {
				inner[fmt.Sprint(i)] = choice
			}
		case "pattern":
			if _, err := regexp.Compile(of[word].(string)); err != nil {
				return fmt.Errorf("schema%s: %w", at, err)
			}
		}
		for name, value := range inner {
			if schema, ok := value.(map[string]any); ok {
				if err := known(at+"/"+word+"/"+name, schema); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Root returns the schema as decoded JSON.
func (s Schema) Root() map[string]any { return s.root }

// Definition returns the schema of this name in $defs, or nil if $defs has no such schema.
func (s Schema) Definition(name string) map[string]any {
	definitions, _ := s.root["$defs"].(map[string]any)
	found, _ := definitions[name].(map[string]any)
	return found
}

// Problem describes the first part of a value that does not fit the schema. It returns "" if the value fits. `at` is the
// value's name in the description. The value is JSON decoded by encoding/json.
func (s Schema) Problem(at string, value any) string { return s.problem(at, s.root, value) }

// ProblemOf is [Schema.Problem] for a definition.
func (s Schema) ProblemOf(definition, at string, value any) string {
	return s.problem(at, s.Definition(definition), value)
}

func (s Schema) problem(at string, of map[string]any, value any) string {
	if reference, ok := of["$ref"].(string); ok {
		named := s.Definition(strings.TrimPrefix(reference, "#/$defs/"))
		if named == nil {
			return fmt.Sprintf("%s: the schema has no %s", at, reference)
		}
		return s.problem(at, named, value)
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if choices, ok := of[word].([]any); ok {
			if wrong := s.choiceProblem(at, word == "oneOf", choices, value); wrong != "" {
				return wrong
			}
		}
	}
	if want, ok := of["const"]; ok && value != want {
		return fmt.Sprintf("%s is %v, not %v", at, value, want)
	}
	if choices, ok := of["enum"].([]any); ok && !slices.Contains(choices, value) {
		return fmt.Sprintf("%s is %v, not one of %v", at, value, choices)
	}
	kinds, several := of["type"].([]any)
	if !several && of["type"] != nil {
		kinds = []any{of["type"]}
	}
	if len(kinds) > 0 && !slices.Contains(kinds, any(kindOf(value))) && (kindOf(value) != "integer" || !slices.Contains(kinds, any("number"))) {
		return fmt.Sprintf("%s is of type %s, not %v", at, kindOf(value), kinds)
	}
	switch v := value.(type) {
	case string:
		return textProblem(at, of, v)
	case float64:
		return numberProblem(at, of, v)
	case []any:
		return s.arrayProblem(at, of, v)
	case map[string]any:
		return s.objectProblem(at, of, v)
	}
	return ""
}

func (s Schema) choiceProblem(at string, one bool, choices []any, value any) string {
	wrong, fits := "", 0
	for _, choice := range choices {
		if problem := s.problem(at, choice.(map[string]any), value); problem == "" {
			fits++
		} else if wrong == "" {
			wrong = problem
		}
	}
	switch {
	case fits == 0:
		return wrong
	case one && fits > 1:
		return fmt.Sprintf("%s fits %d schemas of which one is meant", at, fits)
	}
	return ""
}

func (s Schema) arrayProblem(at string, of map[string]any, v []any) string {
	if least, ok := of["minItems"].(float64); ok && len(v) < int(least) {
		return fmt.Sprintf("%s has %d elements, fewer than %v", at, len(v), least)
	}
	if most, ok := of["maxItems"].(float64); ok && len(v) > int(most) {
		return fmt.Sprintf("%s has %d elements, more than %v", at, len(v), most)
	}
	items, _ := of["items"].(map[string]any)
	for i, item := range v {
		if wrong := s.problem(fmt.Sprintf("%s[%d]", at, i), items, item); wrong != "" {
			return wrong
		}
	}
	return ""
}

func (s Schema) objectProblem(at string, of, v map[string]any) string {
	required, _ := of["required"].([]any)
	for _, name := range required {
		if _, found := v[name.(string)]; !found {
			return fmt.Sprintf("%s.%s is missing", at, name)
		}
	}
	properties, _ := of["properties"].(map[string]any)
	others, _ := of["additionalProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		property, known := properties[name].(map[string]any)
		if !known && of["additionalProperties"] == false {
			return fmt.Sprintf("%s.%s is not described", at, name)
		}
		if !known {
			property = others
		}
		if wrong := s.problem(at+"."+name, property, v[name]); wrong != "" {
			return wrong
		}
	}
	return ""
}

func numberProblem(at string, of map[string]any, v float64) string {
	if least, ok := of["minimum"].(float64); ok && v < least {
		return fmt.Sprintf("%s is %v, less than %v", at, v, least)
	}
	if least, ok := of["exclusiveMinimum"].(float64); ok && v <= least {
		return fmt.Sprintf("%s is %v, not more than %v", at, v, least)
	}
	if most, ok := of["maximum"].(float64); ok && v > most {
		return fmt.Sprintf("%s is %v, more than %v", at, v, most)
	}
	return ""
}

func textProblem(at string, of map[string]any, v string) string {
	length := utf8.RuneCountInString(v)
	if least, ok := of["minLength"].(float64); ok && length < int(least) {
		return fmt.Sprintf("%s has %d characters, fewer than %v", at, length, least)
	}
	if most, ok := of["maxLength"].(float64); ok && length > int(most) {
		return fmt.Sprintf("%s has %d characters, more than %v", at, length, most)
	}
	if pattern, ok := of["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
		return fmt.Sprintf("%s is %q, which does not match %s", at, v, pattern)
	}
	var err error
	switch of["format"] {
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

func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
