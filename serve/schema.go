package serve

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// schema is a JSON Schema of OpenAPI 3.1.
type schema = map[string]any

// schemas makes the JSON Schemas of Go types in the form that encoding/json writes. The schema of a struct has a name under
// #/components/schemas.
type schemas struct{ named map[string]any }

var (
	typeUUID          = reflect.TypeFor[uuid.UUID]()
	typeTime          = reflect.TypeFor[time.Time]()
	typeRaw           = reflect.TypeFor[json.RawMessage]()
	typeCursor        = reflect.TypeFor[cursor]()
	typeCursorPointer = reflect.TypeFor[*cursor]()
	typeTask          = reflect.TypeFor[state.TaskState]()
	typeStep          = reflect.TypeFor[state.StepState]()
)

// of returns the schema of a type, or a reference to it.
func (s *schemas) of(t reflect.Type) schema {
	switch t {
	case typeUUID:
		return schema{"type": "string", "format": "uuid"}
	case typeTime:
		return schema{"type": "string", "format": "date-time"}
	case typeRaw:
		return schema{} // Any JSON value.
	case typeCursor:
		return schema{"type": "string", "minLength": 1}
	case typeTask:
		return schema{"type": "string", "description": "A state of tasks: " + names(state.TaskStates()) + "."}
	case typeStep:
		return schema{"type": "string", "description": "A state of steps: " + names(state.StepStates()) + "."}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return schema{"type": "integer", "format": "int" + strconv.Itoa(t.Bits())}
	case reflect.Float64:
		return schema{"type": "number", "format": "double"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return schema{"type": "string", "contentEncoding": "base64"}
		}
		return schema{"type": "array", "items": s.of(t.Elem())}
	case reflect.Struct:
		return s.object(t)
	}
	panic(fmt.Sprintf("serve: there is no schema for %s", t))
}

// object returns a reference to the schema of a struct. For a generic struct, such as a page of a list, it returns the schema
// itself.
func (s *schemas) object(t reflect.Type) schema {
	name, _, generic := strings.Cut(t.Name(), "[")
	if generic {
		return s.fields(t)
	}
	name = schemaName(name)
	if _, known := s.named[name]; !known {
		s.named[name] = schema{} // A type may contain itself.
		s.named[name] = s.fields(t)
	}
	return schema{"$ref": "#/components/schemas/" + name}
}

// schemaName returns the name of a struct in the document: problemBody becomes Problem. Package serve does not export its body
// types, so that no program depends on them. Only the document describes the bodies.
func schemaName(name string) string {
	name = strings.TrimSuffix(name, "Body")
	return strings.ToUpper(name[:1]) + name[1:]
}

func (s *schemas) fields(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || name == "-" {
			continue
		}
		properties[name] = s.field(f)
		if options != "omitempty" && options != "omitzero" {
			required = append(required, name)
		}
	}
	return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// request returns the schema of a request's body, in which optional fields may be missing.
func (s *schemas) request(t reflect.Type) schema {
	required := []string{}
	for _, f := range bodyFields(t) {
		if f.Tag.Get("required") != "" {
			required = append(required, f.Tag.Get("json"))
		}
	}
	of := s.fields(t)
	of["required"] = required
	return of
}

// field returns the schema of a field with the bounds in its tags.
func (s *schemas) field(f reflect.StructField) schema {
	found := s.of(f.Type)
	if found["type"] == "array" && f.Tag.Get("json") != "items" {
		found = nullable(found) // The type of a row does not tell whether its array can be null.
	}
	of := schema{}
	for key, value := range found {
		of[key] = value
	}
	if doc := f.Tag.Get("doc"); doc != "" {
		of["description"] = doc
	}
	for _, bound := range []string{"minimum", "maximum", "default"} {
		if value := f.Tag.Get(bound); value != "" {
			of[bound] = json.RawMessage(value)
			if f.Type.Kind() == reflect.String {
				of[bound] = value
			}
		}
	}
	if values := f.Tag.Get("enum"); values != "" {
		of["enum"] = strings.Split(values, " ")
	}
	return of
}

// nullable returns a schema that also allows null.
func nullable(of schema) schema {
	kind, simple := of["type"].(string)
	if !simple {
		if _, referred := of["$ref"]; !referred {
			return of
		}
		return schema{"anyOf": []any{of, schema{"type": "null"}}}
	}
	wider := schema{}
	for key, value := range of {
		wider[key] = value
	}
	wider["type"] = []any{kind, "null"}
	return wider
}

func names[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return strings.Join(texts, ", ")
}
