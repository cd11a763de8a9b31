package jsonfit

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// shape has the demands of a type on JSON, beyond the demands of encoding/json.
type shape struct {
	nullable  bool
	element   reflect.Type    // the type of the elements of a slice, array or map, if they must be checked
	fields    map[string]bool // names of a struct's fields in lower case → whether the field is required
	names     []string
	required  []string
	omittable bool // all fields may be left out
}

var shapes sync.Map // reflect.Type -> *shape

func shapeOf(typ reflect.Type) *shape {
	if known, found := shapes.Load(typ); found {
		return known.(*shape) // shapes has only this type.
	}
	s := makeShape(typ)
	shapes.Store(typ, s)
	return s
}

func makeShape(typ reflect.Type) *shape {
	s := &shape{}
	for to := map[reflect.Type]bool{}; typ.Kind() == reflect.Pointer && !to[typ]; typ = typ.Elem() {
		s.nullable = true
		to[typ] = true
	}
	if decodesItself(typ) {
		s.nullable = true
		return s
	}
	switch typ.Kind() {
	case reflect.Interface:
		s.nullable = true
	case reflect.Slice, reflect.Map:
		s.nullable = true
		s.element = demanding(typ.Elem())
	case reflect.Array:
		s.element = demanding(typ.Elem())
	case reflect.Struct:
		s.omittable = true
		s.fields = map[string]bool{}
		s.add(typ, map[reflect.Type]bool{})
		if len(s.fields) == 0 {
			s.fields = nil
		}
	}
	return s
}

var (
	jsonDecoder = reflect.TypeFor[json.Unmarshaler]()
	textDecoder = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func decodesItself(typ reflect.Type) bool {
	pointer := reflect.PointerTo(typ)
	return pointer.Implements(jsonDecoder) || pointer.Implements(textDecoder)
}

// demanding returns the type of elements that must be checked: structs, at any depth in slices and maps. It returns nil for a
// type whose elements are of the type itself.
func demanding(element reflect.Type) reflect.Type {
	typ := element
	for seen := map[reflect.Type]bool{}; !decodesItself(typ) && !seen[typ]; {
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			typ = typ.Elem()
			continue
		case reflect.Struct:
			return element
		}
		break
	}
	return nil
}

// add adds the fields of a struct and of the structs embedded in it, as encoding/json sees them.
func (s *shape) add(typ reflect.Type, seen map[reflect.Type]bool) {
	if seen[typ] {
		return
	}
	seen[typ] = true
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" && options == "" {
			continue
		}
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if field.Anonymous && name == "" && embedded.Kind() == reflect.Struct {
			s.add(embedded, seen)
			continue
		}
		if !field.IsExported() {
			continue
		}
		if name == "" {
			name = field.Name
		}
		if _, known := s.fields[strings.ToLower(name)]; known {
			continue
		}
		required := field.Tag.Get("tasker") == "required"
		s.fields[strings.ToLower(name)] = required
		s.names = append(s.names, name)
		if required {
			s.required = append(s.required, name)
		}
		s.omittable = s.omittable && omits(options)
	}
}

func omits(options string) bool {
	for option := range strings.SplitSeq(options, ",") {
		if option == "omitempty" || option == "omitzero" {
			return true
		}
	}
	return false
}
