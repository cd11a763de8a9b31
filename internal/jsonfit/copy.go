package jsonfit

import (
	"encoding/json"
	"reflect"
	"sync"
	"time"
)

// Copier returns a function that copies a decoded value of this type. A change of one copy does not change the other. It
// returns nil if values of the type may hold parts that cannot be copied: unexported fields, or parts that decode themselves.
// Copies share texts, since no program can change a text. So it costs nothing to copy a large text. To decode it again would
// cost time in proportion to its length.
func Copier(typ reflect.Type) func(to, from reflect.Value) {
	if found, ok := copiers.Load(typ); ok {
		return found.(copier)
	}
	made := makeCopier(typ, map[reflect.Type]bool{})
	copiers.Store(typ, made)
	return made
}

type copier = func(to, from reflect.Value)

var copiers sync.Map // of copiers by their types

func assign(to, from reflect.Value) { to.Set(from) }

// makeCopier makes a copier. above has the types of which this type is a part. A type that contains itself is not copied.
func makeCopier(typ reflect.Type, above map[reflect.Type]bool) copier {
	if typ == reflect.TypeFor[time.Time]() {
		return assign
	}
	if above[typ] {
		return nil
	}
	if decodesItself(typ) && typ != reflect.TypeFor[json.RawMessage]() && !plain(typ) {
		return nil
	}
	above[typ] = true
	defer delete(above, typ)
	switch typ.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Map, reflect.Array:
		if plain(typ) {
			return assign
		}
		element := makeCopier(typ.Elem(), above)
		if element == nil || typ.Kind() == reflect.Map && !plain(typ.Key()) {
			return nil
		}
		return containerCopier(typ, element)
	case reflect.Struct:
		return structCopier(typ, above)
	case reflect.Interface:
		if typ.NumMethod() > 0 {
			return nil
		}
		return copyAny
	default:
		if plain(typ) {
			return assign
		}
		return nil
	}
}

// plain says whether values of the type refer to nothing that can change.
func plain(typ reflect.Type) bool {
	switch kind := typ.Kind(); kind {
	case reflect.Array:
		return plain(typ.Elem())
	case reflect.String:
		return true
	default:
		return kind >= reflect.Bool && kind <= reflect.Complex128 && kind != reflect.Uintptr
	}
}

func containerCopier(typ reflect.Type, element copier) copier {
	switch typ.Kind() {
	case reflect.Pointer:
		return func(to, from reflect.Value) {
			if from.IsNil() {
				to.SetZero()
				return
			}
			to.Set(reflect.New(typ.Elem()))
			element(to.Elem(), from.Elem())
		}
	case reflect.Map:
		return func(to, from reflect.Value) {
			if from.IsNil() {
				to.SetZero()
				return
			}
			to.Set(reflect.MakeMapWithSize(typ, from.Len()))
			value := reflect.New(typ.Elem()).Elem()
			for all := from.MapRange(); all.Next(); {
				value.SetZero()
				element(value, all.Value())
				to.SetMapIndex(all.Key(), value)
			}
		}
	case reflect.Array:
		return func(to, from reflect.Value) {
			for i := range from.Len() {
				element(to.Index(i), from.Index(i))
			}
		}
	default:
		whole := plain(typ.Elem())
		return func(to, from reflect.Value) {
			if from.IsNil() {
				to.SetZero()
				return
			}
			to.Set(reflect.MakeSlice(typ, from.Len(), from.Len()))
			if whole {
				reflect.Copy(to, from)
				return
			}
			for i := range from.Len() {
				element(to.Index(i), from.Index(i))
			}
		}
	}
}

func structCopier(typ reflect.Type, above map[reflect.Type]bool) copier {
	fields := make([]copier, typ.NumField())
	for i := range fields {
		if !typ.Field(i).IsExported() {
			return nil
		}
		if fields[i] = makeCopier(typ.Field(i).Type, above); fields[i] == nil {
			return nil
		}
	}
	return func(to, from reflect.Value) {
		for i, field := range fields {
			field(to.Field(i), from.Field(i))
		}
	}
}

// copyAny copies a value that was decoded into an empty interface.
func copyAny(to, from reflect.Value) {
	if from.IsNil() {
		to.SetZero()
		return
	}
	to.Set(reflect.ValueOf(anyCopy(from.Interface())))
}

func anyCopy(value any) any {
	switch value := value.(type) {
	case map[string]any:
		copied := make(map[string]any, len(value))
		for key, element := range value {
			copied[key] = anyCopy(element)
		}
		return copied
	case []any:
		copied := make([]any, len(value))
		for i, element := range value {
			copied[i] = anyCopy(element)
		}
		return copied
	default: // a text, a number, a truth value, or nothing
		return value
	}
}
