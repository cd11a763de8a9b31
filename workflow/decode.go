package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

// readOf returns a function that reads the result of one step.
func readOf[R any](n *node) func(results) (R, error) {
	return func(from results) (value R, err error) {
		raw, found, err := from(n.step.Name)
		switch {
		case err != nil:
			return value, err
		case !found:
			return value, missingError{n.step.Name, "has no result"}
		case isMissing[R](raw):
			return value, missingError{n.step.Name, fmt.Sprintf("was resolved without a result, and a %T is needed", value)}
		}
		if isNull(raw) {
			return value, nil
		}
		err = jsonfit.DecodeResult(n.step.Name, raw, &value)
		return value, err
	}
}

// missingError says that a step has no result, which [Optional] allows.
type missingError struct{ step, problem string }

func (e missingError) Error() string { return fmt.Sprintf("step %q %s", e.step, e.problem) }

// isFinal reports whether every further attempt would fail in the same way. A result that does not fit its type may fit in another build of
// the program, so such an error is not final.
func isFinal(err error) bool {
	var missing missingError
	return errors.As(err, &missing)
}

// isMissing reports whether a result is null although no value of the type R is encoded as null.
func isMissing[R any](raw json.RawMessage) bool {
	if !isNull(raw) {
		return false
	}
	r := reflect.TypeFor[R]()
	switch r.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		return false
	case reflect.Struct:
		if r.NumField() == 0 {
			return false
		}
	}
	return !reflect.PointerTo(r).Implements(reflect.TypeFor[json.Unmarshaler]())
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
