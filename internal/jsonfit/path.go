package jsonfit

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// member matches one accessor of a jsonpath: a field, any element, or an accessor of another kind. After an accessor of another
// kind the types are not known.
var member = regexp.MustCompile(`^\s*(?:\.\s*([A-Za-z_]\w*)(\s*\()?|\.\s*"((?:[^"\\]|\\.)*)"|(\[[^\]]*\]))`)

// Missing returns the first field that a jsonpath reads although the JSON of a type never has it. It also returns the fields
// that the JSON has. It returns "" if no field is missing. It does not check a path into a map, an interface or a type that
// encodes itself. It does not check the rest of a path after a method, a wildcard or a filter.
func Missing(typ reflect.Type, path string) (field string, fields []string) {
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '"':
			for i++; i < len(path) && path[i] != '"'; i++ {
				if path[i] == '\\' {
					i++
				}
			}
		case '$':
			if field, fields = missing(typ, path[i+1:]); field != "" {
				return field, fields
			}
		}
	}
	return "", nil
}

func missing(typ reflect.Type, path string) (string, []string) {
	for {
		m := member.FindStringSubmatch(path)
		if m == nil || m[2] != "" {
			return "", nil
		}
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array {
			if encodesItself(typ) || typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8 {
				return "", nil
			}
			typ = typ.Elem() // a jsonpath looks into the elements of an array by itself
		}
		if encodesItself(typ) || typ.Kind() == reflect.Map || typ.Kind() == reflect.Interface {
			return "", nil
		}
		path = path[len(m[0]):]
		if m[4] != "" {
			continue
		}
		name := m[1] + m[3]
		known := map[string]reflect.Type{}
		if typ.Kind() == reflect.Struct {
			encoded(typ, nil, known)
		}
		inner, found := known[name]
		if !found {
			var names []string
			for other := range known {
				names = append(names, other)
			}
			slices.Sort(names)
			return name, names
		}
		typ = inner
	}
}

// encoded adds the fields of a struct that encoding/json writes, with their types.
func encoded(typ reflect.Type, above []reflect.Type, fields map[string]reflect.Type) {
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case name == "-" && options == "":
		case field.Anonymous && name == "" && embedded.Kind() == reflect.Struct:
			if !slices.Contains(above, embedded) {
				encoded(embedded, append(slices.Clip(above), embedded), fields)
			}
		case !field.IsExported():
		case name == "":
			fields[field.Name] = field.Type
		default:
			fields[name] = field.Type
		}
	}
}
