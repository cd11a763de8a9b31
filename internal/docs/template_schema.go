package docs

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// templateSchemaFile is the JSON Schema of templates, for editors.
const templateSchemaFile = "template/template.schema.json"

// ordered is a JSON object whose members keep their order, so that a reader finds the fields in the order of a template.
type ordered []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.WriteString(strconv.Quote(m.name) + ":" + string(value))
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// templateSchema returns the schema of one document in a file of templates. It has the fields of tasker.template_fields and the
// schedules of package template.
func templateSchema(fields []templateField, schedules ordered) ordered {
	definitions := ordered{{"duration", durationSchema}}
	for _, object := range templateObjects[1:] {
		definitions = append(definitions, member{object, objectSchema(fields, object, nil)})
	}
	definitions = append(definitions, member{"schedule", ordered{
		{"type", "object"}, {"required", []string{"name"}}, {"additionalProperties", false}, {"properties", schedules},
	}})
	root := ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "template.schema.json"},
		{"title", "A task template of pgtasker"},
		{"description", "One document of a file for tasker apply. Generated from tasker.template_fields; docs/templates.md has the same as a page."},
	}
	root = append(root, objectSchema(fields, "template", &member{"schedules", ordered{
		{"type", []string{"array", "null"}},
		{"items", ordered{{"$ref", "#/$defs/schedule"}}},
		{"description", "When tasks of this template are created. They are no part of its content: another schedule is no new version."},
	}})...)
	return append(root, member{"$defs", definitions})
}

// durationSchema describes the argument of tasker.wait_seconds. In a YAML file, a text that looks like a number is a number.
var durationSchema = ordered{
	{"anyOf", []ordered{
		{{"type", []string{"number", "null"}}, {"exclusiveMinimum", 0}, {"maximum", 315360000}},
		{{"type", "string"}, {"pattern", `^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?[smhdw]?$`}},
	}},
}

func objectSchema(fields []templateField, object string, more *member) ordered {
	var properties ordered
	required := []string{}
	for _, f := range fields {
		if f.Object != object {
			continue
		}
		properties = append(properties, member{f.Field, f.schema()})
		if f.Required {
			required = append(required, f.Field)
		}
	}
	if more != nil {
		properties = append(properties, *more)
	}
	return ordered{{"type", "object"}, {"required", required}, {"additionalProperties", false}, {"properties", properties}}
}

// schema returns the schema of the field's value. It accepts null, which has the same effect as leaving the field out.
func (f templateField) schema() ordered {
	kinds := func(names ...string) member {
		if !f.Required {
			names = append(names, "null")
		}
		if len(names) == 1 {
			return member{"type", names[0]}
		}
		return member{"type", names}
	}
	var s ordered
	switch {
	case f.Field == "dependencies":
		s = ordered{kinds("array"), {"items", ordered{{"anyOf", []ordered{{{"type", "string"}}, {{"$ref", "#/$defs/dependency"}}}}}}}
	case f.Object == "step" && f.Field == "limits":
		s = ordered{kinds("array"), {"items", ordered{{"anyOf", []ordered{{{"type", "string"}}, {{"$ref", "#/$defs/limits"}}}}}}}
	case f.Field == "steps":
		s = ordered{kinds("array"), {"items", ordered{{"$ref", "#/$defs/step"}}}}
	case f.Field == "types":
		s = ordered{kinds("object"), {"additionalProperties", ordered{{"type", "string"}, {"maxLength", 500}}}}
	case f.Type == "duration":
		s = ordered{{"$ref", "#/$defs/duration"}}
	case f.Type == "alternatives":
		one := ordered{{"$ref", "#/$defs/" + f.Field}}
		list := ordered{{"type", "array"}, {"items", one}}
		return ordered{{"anyOf", []ordered{one, append(list, f.bounds()...), {{"type", "null"}}}}, {"description", f.Description}}
	case f.Type == "elements":
		return ordered{{"anyOf", []ordered{{{"type", "string"}}, {{"$ref", "#/$defs/" + f.Field}}, {{"type", "null"}}}}, {"description", f.Description}}
	case len(f.Choices) > 0 && !f.Required:
		choices := make([]any, 0, len(f.Choices)+1)
		for _, choice := range f.Choices {
			choices = append(choices, choice)
		}
		s = ordered{{"enum", append(choices, nil)}}
	case len(f.Choices) > 0:
		s = ordered{{"enum", f.Choices}}
	case f.Type == "string":
		// In a YAML file a text may look like a number, as in "version: 1.10".
		s = ordered{kinds("string", "number", "boolean")}
	case f.Type == "object" && slices.Contains(templateObjects, f.Field):
		s = ordered{{"anyOf", []ordered{{{"$ref", "#/$defs/" + f.Field}}, {{"type", "null"}}}}}
	case f.Whole:
		s = ordered{kinds("integer")}
	default:
		s = ordered{kinds(f.Type)}
	}
	s = append(s, f.bounds()...)
	if f.Pattern != nil {
		s = append(s, member{"pattern", *f.Pattern})
	}
	if fallback := templateDefaults[f.Object+"."+f.Field]; slices.Contains(f.Choices, fallback) {
		s = append(s, member{"default", fallback})
	}
	return append(s, member{"description", f.Description})
}

// bounds returns the smallest and the largest value, length or number of elements.
func (f templateField) bounds() ordered {
	words := map[string][2]string{
		"string": {"minLength", "maxLength"}, "array": {"minItems", "maxItems"}, "alternatives": {"minItems", "maxItems"},
		"number": {"minimum", "maximum"},
	}[f.Type]
	var bounds ordered
	for i, bound := range []*string{f.Minimum, f.Maximum} {
		if bound != nil && words[i] != "" && (f.Type == "number" || *bound != "0") {
			bounds = append(bounds, member{words[i], json.RawMessage(*bound)})
		}
	}
	return bounds
}

// scheduleChoices are the words that tasker.set_schedule takes. A test compares them with the function.
var scheduleChoices = map[string][]string{"catch_up": {"skip", "one", "all"}, "overlap": {"allow", "skip", "queue_one"}}

// scheduleSchema describes the fields of template.Schedule, with the comments in its source.
func scheduleSchema(source string, of reflect.Type) (ordered, error) {
	comments, err := fieldComments(source, of.Name())
	if err != nil {
		return nil, err
	}
	var properties ordered
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		typ := field.Type
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		var s ordered
		switch {
		case scheduleChoices[name] != nil:
			choices := []any{}
			for _, choice := range scheduleChoices[name] {
				choices = append(choices, choice)
			}
			s = ordered{{"enum", append(choices, nil)}}
		case name == "name":
			s = ordered{{"type", []string{"string", "number", "boolean"}}}
		case typ == reflect.TypeFor[json.RawMessage]():
			s = ordered{{"type", []string{"object", "null"}}}
		case typ.Kind() == reflect.Int64:
			s = ordered{{"type", []string{"integer", "null"}}}
		case typ.Kind() == reflect.Slice:
			s = ordered{{"type", []string{"array", "null"}}, {"items", ordered{{"type", []string{"string", "number", "boolean"}}}}}
		default:
			s = ordered{{"type", []string{"string", "number", "boolean", "null"}}}
		}
		if comment := comments[field.Name]; comment != "" {
			s = append(s, member{"description", comment})
		}
		properties = append(properties, member{name, s})
	}
	return properties, nil
}

// fieldComments returns the comments of a struct's fields, each as one line.
func fieldComments(source, name string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return true
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			for _, one := range field.Names {
				comments[one.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
			}
		}
		return false
	})
	return comments, nil
}
