package workflow

import (
	"encoding"
	"encoding/json"
	"reflect"
)

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// unencodable returns a type inside of t that package json cannot encode: a channel, a function or a complex number. It is nil if
// there is none.
func unencodable(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	if seen[t] || t.Implements(jsonMarshaler) || t.Implements(textMarshaler) {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return t
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return unencodable(t.Elem(), seen)
	case reflect.Struct:
		if pointer := reflect.PointerTo(t); pointer.Implements(jsonMarshaler) || pointer.Implements(textMarshaler) {
			return nil
		}
		for field := range t.Fields() {
			if (!field.IsExported() && !field.Anonymous) || field.Tag.Get("json") == "-" {
				continue
			}
			if found := unencodable(field.Type, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// encodes keeps the problem of a step whose result has no JSON.
func (g *graph) encodes(step string, result reflect.Type) {
	if found := unencodable(result, map[reflect.Type]bool{}); found != nil {
		g.problem("the result of step %q has a %s, which has no JSON", step, found)
	}
}
