package jsonfit

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Describe returns the demands of a type on JSON, as a text. If the texts of two builds of a program differ, a build may be
// unable to read the JSON of the other build. The text leaves out the fields that may be missing (omitempty, omitzero), and
// does not depend on the order of the other fields. A type that encodes or decodes itself is described as any.
func Describe(typ reflect.Type) string { return describe(typ, nil) }

// Unfit returns the first part of a type that encoding/json cannot encode (a channel, a function or a complex number), such as
// "Done: chan int". It returns "" if there is none. Unfit does not look into a type that encodes itself, nor into the value of
// an interface.
func Unfit(typ reflect.Type) string { return unfit(typ, "", nil) }

func unfit(typ reflect.Type, path string, above []reflect.Type) string {
	if slices.Contains(above, typ) || encodesItself(typ) {
		return ""
	}
	above = append(slices.Clip(above), typ)
	switch typ.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		if path == "" {
			return typ.String()
		}
		return path + ": " + typ.String()
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return unfit(typ.Elem(), path, above)
	case reflect.Struct:
		for i := range typ.NumField() {
			field := typ.Field(i)
			if field.Tag.Get("json") == "-" || !field.IsExported() && !field.Anonymous {
				continue
			}
			inner := field.Name
			if path != "" {
				inner = path + "." + field.Name
			}
			if part := unfit(field.Type, inner, above); part != "" {
				return part
			}
		}
	}
	return ""
}

func encodesItself(typ reflect.Type) bool {
	for _, t := range []reflect.Type{typ, reflect.PointerTo(typ)} {
		if t.Implements(jsonEncoder) || t.Implements(textEncoder) {
			return true
		}
	}
	return false
}

var (
	jsonEncoder = reflect.TypeFor[json.Marshaler]()
	textEncoder = reflect.TypeFor[encoding.TextMarshaler]()
)

func describe(typ reflect.Type, above []reflect.Type) string {
	for typ.Kind() == reflect.Pointer && !slices.Contains(above, typ) {
		above = append(above, typ)
		typ = typ.Elem()
	}
	switch pointer := reflect.PointerTo(typ); {
	case slices.Contains(above, typ):
		return "…" // a type that holds itself
	case decodesItself(typ), pointer.Implements(jsonEncoder), pointer.Implements(textEncoder):
		return "any"
	}
	above = append(slices.Clip(above), typ)
	switch typ.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "integer"
	case reflect.Slice, reflect.Array:
		if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8 {
			return "string" // base64
		}
		return "[" + describe(typ.Elem(), above) + "]"
	case reflect.Map:
		return "{*:" + describe(typ.Elem(), above) + "}"
	case reflect.Struct:
		fields := map[string]string{}
		describeFields(typ, above, fields)
		texts := make([]string, 0, len(fields))
		for name, text := range fields {
			if text != "" {
				texts = append(texts, name+":"+text)
			}
		}
		slices.Sort(texts)
		return "{" + strings.Join(texts, ",") + "}"
	}
	return "any"
}

// describeFields adds the required fields of a struct and of the structs embedded in it. A field that may be left out gets an
// empty description, since it hides an embedded field of the same name.
func describeFields(typ reflect.Type, above []reflect.Type, fields map[string]string) {
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case name == "-" && options == "":
			continue
		case field.Anonymous && name == "" && embedded.Kind() == reflect.Struct:
			if !slices.Contains(above, embedded) {
				describeFields(embedded, append(slices.Clip(above), embedded), fields)
			}
			continue
		case !field.IsExported():
			continue
		case name == "":
			name = field.Name
		}
		switch {
		case omits(options):
			fields[name] = ""
		case strings.Contains(","+options+",", ",string,"):
			fields[name] = "string"
		default:
			fields[name] = describe(field.Type, above)
		}
	}
}
