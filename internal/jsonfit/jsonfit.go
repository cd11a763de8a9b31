// Package jsonfit decodes JSON into the type that a program asks for, and refuses JSON that does not fit it.
//
// encoding/json accepts any object for any struct, and null for everything. So it decodes the JSON of a reservation into an
// empty payment. In this package a value fits a type if it is of the type's kind of JSON. An object fits a struct if it has at
// least one of the struct's fields, and all fields that are tagged required:
//
//	Receipt string `json:"receipt" tasker:"required"`
//
// Fields that the struct does not have are ignored, because each reader takes its own view. An empty object fits a struct that
// has no fields, or only fields that may be left out (omitempty, omitzero). The same holds for the elements of slices, arrays
// and maps. A type that decodes itself (json.Unmarshaler) checks its JSON itself.
package jsonfit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// ErrMisfit is wrapped by every error of [Decode].
var ErrMisfit = errors.New("does not fit")

// OtherBuildError says that the result of an earlier step does not fit this build. A build that the result fits may take the
// step that needs the result.
type OtherBuildError struct {
	Step string // the earlier step
	Err  error
}

func (e *OtherBuildError) Error() string { return e.Err.Error() }
func (e *OtherBuildError) Unwrap() error { return e.Err }

// DecodeResult is [Decode] for the result of an earlier step.
func DecodeResult(step string, raw []byte, v any) error {
	if err := Decode(raw, v); err != nil {
		return &OtherBuildError{step, fmt.Errorf("the result of %q %w", step, err)}
	}
	return nil
}

// Decode decodes raw into v, a pointer. Its error names the place that does not fit. An empty raw stands for null.
func Decode(raw []byte, v any) error {
	if len(raw) == 0 {
		raw = []byte("null")
	}
	typ := reflect.TypeOf(v).Elem()
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%w %s: %w; it is %s", ErrMisfit, typ, err, shown(raw))
	}
	if err := check(raw, typ); err != nil {
		return fmt.Errorf("%w %s: %w; it is %s", ErrMisfit, typ, err, shown(raw))
	}
	return nil
}

// check returns an error if JSON does not fit typ, although it could be decoded into typ.
func check(raw []byte, typ reflect.Type) error {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	s := shapeOf(typ)
	switch {
	case raw[0] == 'n': // null
		if s.nullable {
			return nil
		}
		return errors.New("null is another kind of JSON")
	case s.element != nil:
		return checkElements(raw, s)
	case s.fields != nil:
		return checkObject(raw, s)
	}
	return nil
}

func checkElements(raw []byte, s *shape) (err error) {
	n := 0
	each(raw, func(key string, value []byte) bool {
		if err = check(value, s.element); err != nil {
			where := fmt.Sprintf("element %d", n)
			if raw[0] == '{' {
				where = fmt.Sprintf("element %q", key)
			}
			err = fmt.Errorf("%s: %w", where, err)
		}
		n++
		return err == nil
	})
	return err
}

func checkObject(raw []byte, s *shape) error {
	found, empty := false, true
	missing := len(s.required)
	var had map[string]bool
	each(raw, func(key string, value []byte) bool {
		empty = false
		name := strings.ToLower(key)
		if required, known := s.fields[name]; known {
			found = true
			if required && value[0] != 'n' && !had[name] {
				if had == nil {
					had = map[string]bool{}
				}
				had[name] = true
				missing--
			}
		}
		return !found || missing > 0
	})
	switch {
	case missing > 0:
		for _, name := range s.required {
			if !had[strings.ToLower(name)] {
				return fmt.Errorf("the required field %q is missing", name)
			}
		}
	case !found && empty && !s.omittable:
		return fmt.Errorf("the object is empty, and the type has %s", strings.Join(s.names, ", "))
	case !found && !empty:
		return fmt.Errorf("the object has none of the type's fields, which are %s", strings.Join(s.names, ", "))
	}
	return nil
}

// each calls f with the members of an object, or the elements of an array, until f returns false.
func each(raw []byte, f func(key string, value []byte) bool) {
	object := raw[0] == '{'
	for i := skipSpace(raw, 1); raw[i] != '}' && raw[i] != ']'; {
		key := ""
		if object {
			end := skipValue(raw, i)
			if key = string(raw[i+1 : end-1]); strings.Contains(key, `\`) {
				_ = json.Unmarshal(raw[i:end], &key) // it was decoded before
			}
			i = skipSpace(raw, skipSpace(raw, end)+1) // over the colon
		}
		end := skipValue(raw, i)
		if !f(key, raw[i:end]) {
			return
		}
		if i = skipSpace(raw, end); raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
}

func skipSpace(raw []byte, i int) int {
	for raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r' {
		i++
	}
	return i
}

// skipValue returns the end of the value of valid JSON that begins at i.
func skipValue(raw []byte, i int) int {
	for depth := 0; ; {
		switch raw[i] {
		case '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			i++
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
		default: // a number, true, false or null
			for i < len(raw) && !bytes.ContainsRune([]byte(",:]} \n\t\r"), rune(raw[i])) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// shown returns the beginning of a text, for messages.
func shown(raw []byte) string {
	const most = 80
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "…"
}
