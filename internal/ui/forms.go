package ui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// schema has the keywords of JSON Schema that the payload of a signal and the input of a task may have.
type schema struct {
	Type       string            `json:"-"` // the first type that is not null, empty if any or several
	Nullable   bool              `json:"-"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Enum       []json.RawMessage `json:"enum"`
	Minimum    json.Number       `json:"minimum"`
	Maximum    json.Number       `json:"maximum"`
	MaxLength  int               `json:"maxLength"`
	Items      *schema           `json:"items"`

	Title       json.RawMessage `json:"title"`
	Description json.RawMessage `json:"description"`
	Default     json.RawMessage `json:"default"`
}

// UnmarshalJSON reads the type as a text or as a list of texts.
func (s *schema) UnmarshalJSON(text []byte) error {
	type fields schema
	var said struct {
		*fields

		Type json.RawMessage `json:"type"`
	}
	said.fields = (*fields)(s)
	if err := json.Unmarshal(text, &said); err != nil {
		return err
	}
	var kinds []string
	if json.Unmarshal(said.Type, &kinds) != nil {
		s.Type = asText(said.Type)
		return nil
	}
	s.Nullable = slices.Contains(kinds, "null")
	if kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == "null" }); len(kinds) == 1 {
		s.Type = kinds[0]
	}
	return nil
}

// asText is a text of JSON without its quotes. It is empty if the value is no text.
func asText(value json.RawMessage) (said string) {
	if json.Unmarshal(value, &said) != nil {
		return ""
	}
	return said
}

// part is a value of the payload that a form asks for, or an object of such values.
type part struct {
	schema   schema
	name     string // of the property
	input    string // of the form
	required bool
	parts    []part
	depth    int
}

// deepest is how deep a form follows objects. Deeper values are entered as JSON.
const deepest = 3

// partsOf divides a schema into the inputs of a form.
func partsOf(s schema, name, input string, required bool, depth int) part {
	p := part{schema: s, name: name, input: input, required: required, depth: depth}
	if s.Type != "object" || len(s.Properties) == 0 || depth > deepest {
		return p
	}
	names := make([]string, 0, len(s.Properties))
	for property := range s.Properties {
		names = append(names, property)
	}
	// Required fields come first.
	slices.SortFunc(names, func(a, b string) int {
		if x, y := slices.Contains(s.Required, a), slices.Contains(s.Required, b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	for i, property := range names {
		needed := required && slices.Contains(s.Required, property)
		p.parts = append(p.parts, partsOf(s.Properties[property], property, fmt.Sprintf("%s.%d", input, i), needed, depth+1))
	}
	return p
}

// fields are the inputs of a payload.
func (p part) fields() (fields []field) {
	if len(p.parts) > 0 {
		for _, inner := range p.parts {
			fields = append(fields, inner.fields()...)
		}
		return fields
	}
	f := field{
		Name: p.input, Label: cmp.Or(asText(p.schema.Title), p.name), Required: p.required && !p.schema.Nullable, Kind: "text",
		Depth: max(p.depth-1, 0), Length: p.schema.MaxLength,
	}
	if f.Label == "" {
		f.Label = "Payload"
	}
	switch s := p.schema; {
	case len(s.Enum) > 0:
		f.Kind = "choice"
		for _, value := range s.Enum {
			f.Choices = append(f.Choices, choice(value))
		}
	case s.Type == "boolean":
		f.Kind, f.Choices = "choice", []string{"yes", "no"}
	case s.Type == "integer", s.Type == "number":
		f.Kind = "number"
		if s.Type == "integer" {
			f.Kind = "integer"
		}
		f.Hint = bounds(s)
	case s.Type == "array" && s.Items != nil && scalar(*s.Items):
		f.Kind, f.Hint = "area", "One "+strings.TrimSpace("value "+oneOf(*s.Items))+" a line."
	case s.Type == "string":
		if s.MaxLength > 0 {
			f.Hint = fmt.Sprintf("At most %d characters.", s.MaxLength)
		}
		if s.MaxLength > 200 {
			f.Kind = "area"
		}
	case s.Type == "null":
		f.Kind, f.Required, f.Hint = "text", false, "Nothing is sent here."
	default:
		f.Kind, f.Hint = "json", "JSON, such as {} or [1, 2]."
		if p.required {
			f.Value = "{}"
		}
	}
	if said := asText(p.schema.Description); said != "" {
		f.Hint = strings.TrimSpace(said + " " + f.Hint)
	}
	if given := p.begins(); given != "" {
		f.Value = given
	}
	return []field{f}
}

// begins is the first value of the field of a scalar: the default of the schema.
func (p part) begins() string {
	s := p.schema
	switch {
	case len(s.Default) == 0, string(s.Default) == "null":
		return ""
	case len(s.Enum) > 0, s.Type == "integer", s.Type == "number", s.Type == "string":
		return choice(s.Default)
	case s.Type == "boolean":
		return map[string]string{"true": "yes", "false": "no"}[string(s.Default)]
	}
	return ""
}

func scalar(s schema) bool {
	return s.Type == "string" || s.Type == "integer" || s.Type == "number" || len(s.Enum) > 0
}

func oneOf(s schema) string {
	var values []string
	for _, v := range s.Enum {
		values = append(values, choice(v))
	}
	if len(values) == 0 {
		return ""
	}
	return "(" + strings.Join(values, ", ") + ")"
}

// bounds describes the bounds of a number.
func bounds(s schema) string {
	what := "A number"
	if s.Type == "integer" {
		what = "A whole number"
	}
	switch {
	case s.Minimum != "" && s.Maximum != "":
		return fmt.Sprintf("%s from %s to %s.", what, s.Minimum, s.Maximum)
	case s.Minimum != "":
		return fmt.Sprintf("%s from %s on.", what, s.Minimum)
	case s.Maximum != "":
		return fmt.Sprintf("%s up to %s.", what, s.Maximum)
	}
	return what + "."
}

// choice is the shown form of a value of an enumeration. A text is shown without its quotes.
func choice(value json.RawMessage) string {
	var said string
	if json.Unmarshal(value, &said) == nil && said != "" {
		return said
	}
	return string(value)
}

// payload makes JSON of the entered values. present is false for omitted values. The database checks the payload.
func (p part) payload(form url.Values) (value json.RawMessage, present bool, err error) {
	if len(p.parts) > 0 {
		return p.object(form)
	}
	given := form.Get(p.input)
	trimmed := strings.TrimSpace(given)
	if p.schema.Type == "null" {
		return json.RawMessage("null"), p.required, nil
	}
	if trimmed == "" && (p.schema.Type != "string" || !p.required || p.schema.Nullable) {
		if p.required && p.schema.Nullable {
			return json.RawMessage("null"), true, nil
		}
		if p.required && p.depth > 0 {
			return nil, false, invalid(p.name+" is missing; nothing was changed.", "Fill it in.")
		}
		return nil, false, nil
	}
	switch s := p.schema; {
	case len(s.Enum) > 0:
		return matched(s.Enum, given), true, nil
	case s.Type == "boolean":
		return json.RawMessage(map[bool]string{true: "true", false: "false"}[given == "yes"]), true, nil
	case s.Type == "integer", s.Type == "number":
		value, err = numeral(p.name, trimmed)
		return value, true, err
	case s.Type == "string":
		value, err = json.Marshal(strings.ReplaceAll(given, "\r\n", "\n"))
		return value, true, err
	case s.Type == "array" && s.Items != nil && scalar(*s.Items):
		value, err = p.lines(trimmed)
		return value, true, err
	}
	if !json.Valid([]byte(trimmed)) {
		return nil, false, invalid(nameOr(p.name)+" is not JSON; nothing was changed.", `For example {"ok": true}.`)
	}
	return json.RawMessage(trimmed), true, nil
}

func (p part) object(form url.Values) (json.RawMessage, bool, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, inner := range p.parts {
		value, present, err := inner.payload(form)
		if err != nil {
			return nil, false, err
		}
		if !present {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(inner.name)
		if err != nil {
			return nil, false, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), p.required || p.depth == 0 || out.Len() > 2, nil
}

// lines makes an array from a text with one value on each line.
func (p part) lines(given string) (json.RawMessage, error) {
	values := []json.RawMessage{}
	for line := range strings.Lines(given) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		one := part{schema: *p.schema.Items, name: p.name, input: "v", required: true, depth: 1}
		value, _, err := one.payload(url.Values{"v": {line}})
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return json.Marshal(values)
}

// numeral keeps a number as it was written, however long it is.
func numeral(name, given string) (json.RawMessage, error) {
	if !json.Valid([]byte(given)) || !strings.ContainsAny(given[:1], "-0123456789") {
		return nil, invalid(nameOr(name)+" is not a number; nothing was changed.", "For example 12 or -0.5.")
	}
	return json.RawMessage(given), nil
}

// matched returns the value of an enumeration from its shown form. It returns another text unchanged, and the database
// refuses it.
func matched(values []json.RawMessage, given string) json.RawMessage {
	for _, value := range values {
		if choice(value) == given {
			return value
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

func nameOr(name string) string {
	if name == "" {
		return "The payload"
	}
	return name
}
