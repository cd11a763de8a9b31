package jsonfit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// deepest is the largest number of levels in a schema. The database refuses a schema with more than 16 levels.
const deepest = 15

// Schema returns the JSON Schema of the JSON that a type decodes, with the keywords that the database checks. The schema
// accepts anything for a type that decodes itself, for a type within itself, and for values that lie too deep. The error names
// a tag that Schema cannot read.
func Schema(typ reflect.Type) (map[string]any, error) { return schemaOf(typ, nil) }

func schemaOf(typ reflect.Type, above []reflect.Type) (map[string]any, error) {
	if typ.Kind() == reflect.Pointer {
		inner, err := schemaOf(typ.Elem(), above)
		return orNull(inner), err
	}
	pointer := reflect.PointerTo(typ)
	switch {
	case slices.Contains(above, typ), len(above) >= deepest:
		return map[string]any{}, nil
	case typ == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}, nil
	case pointer.Implements(jsonEncoder):
		return map[string]any{}, nil
	case pointer.Implements(textEncoder):
		return map[string]any{"type": "string"}, nil
	case decodesItself(typ):
		return map[string]any{}, nil
	}
	above = append(slices.Clip(above), typ)
	switch typ.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}, nil
	case reflect.String:
		return map[string]any{"type": "string"}, nil
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return map[string]any{"type": "integer", "minimum": 0}, nil
	case reflect.Slice, reflect.Array:
		if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8 {
			return map[string]any{"type": []string{"string", "null"}}, nil // base64
		}
		items, err := schemaOf(typ.Elem(), above)
		made := map[string]any{"type": "array", "items": items}
		if typ.Kind() == reflect.Slice { // encoding/json writes a nil slice as null
			made = orNull(made)
		}
		return made, err
	case reflect.Map:
		return map[string]any{"type": []string{"object", "null"}}, nil
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		err := schemaFields(typ, above, properties, &required)
		made := map[string]any{"type": "object", "properties": properties}
		if len(required) > 0 {
			slices.Sort(required)
			made["required"] = required
		}
		return made, err
	}
	return map[string]any{}, nil
}

// orNull returns a schema that also accepts null.
func orNull(made map[string]any) map[string]any {
	if kind, ok := made["type"].(string); ok {
		made["type"] = []string{kind, "null"}
	}
	return made
}

// schemaFields adds the fields of a struct, and the fields of embedded structs that the struct does not hide.
func schemaFields(typ reflect.Type, above []reflect.Type, properties map[string]any, required *[]string) error {
	var embedded []reflect.Type
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case name == "-" && options == "":
			continue
		case field.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			if !slices.Contains(above, inner) {
				embedded = append(embedded, inner)
			}
			continue
		case !field.IsExported():
			continue
		case name == "":
			name = field.Name
		}
		if _, hidden := properties[name]; hidden {
			continue
		}
		made, err := schemaOf(field.Type, above)
		if err != nil {
			return err
		}
		if strings.Contains(","+options+",", ",string,") {
			made = map[string]any{"type": "string"}
		}
		if err := tagged(made, field); err != nil {
			return err
		}
		properties[name] = made
		if !omits(options) {
			*required = append(*required, name)
		}
	}
	for _, inner := range embedded {
		if err := schemaFields(inner, append(slices.Clip(above), inner), properties, required); err != nil {
			return err
		}
	}
	return nil
}

// tagged adds the keywords in a field's tags to a schema.
func tagged(made map[string]any, field reflect.StructField) error {
	for _, word := range []string{"title", "description", "format"} {
		if said := field.Tag.Get(word); said != "" {
			made[word] = said
		}
	}
	for _, word := range []string{"minimum", "maximum", "maxLength"} {
		said, found := field.Tag.Lookup(word)
		if !found {
			continue
		}
		var number json.Number
		if json.Unmarshal([]byte(said), &number) != nil {
			return fmt.Errorf("field %s has the tag %s:%q, which is no number", field.Name, word, said)
		}
		made[word] = number
	}
	if said, found := field.Tag.Lookup("enum"); found {
		var values []any
		for value := range strings.SplitSeq(said, ",") {
			values = append(values, literal(made, value))
		}
		made["enum"] = values
	}
	if said, found := field.Tag.Lookup("default"); found {
		made["default"] = literal(made, said)
	}
	return nil
}

// literal returns the value in a tag: a text if the field is a text or the value is no JSON, otherwise JSON.
func literal(made map[string]any, said string) any {
	kinds, several := made["type"].([]string)
	if made["type"] == "string" || several && slices.Contains(kinds, "string") || !json.Valid([]byte(said)) {
		return said
	}
	return json.RawMessage(said)
}
