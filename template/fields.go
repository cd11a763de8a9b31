package template

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pgtasker/pgtasker/internal/nearest"
)

// fields are the fields of an object by their names in a file, which are those of its JSON.
type fields struct {
	names []string
	index map[string]int
}

var known = map[reflect.Type]fields{}

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[Template](), reflect.TypeFor[Lifecycle](), reflect.TypeFor[Step](), reflect.TypeFor[Retry](), dependency,
		reflect.TypeFor[Await](),
	} {
		f := fields{index: map[string]int{}}
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
				f.names = append(f.names, name)
				f.index[name] = i
			}
		}
		known[t] = f
	}
}

func fieldsOf(t reflect.Type) fields { return known[t] }

func (f fields) hint(name string) string {
	all := fmt.Sprintf("It has %s.", strings.Join(f.names, ", "))
	if near := nearest.Name(name, f.names); near != "" {
		return fmt.Sprintf("Is %q meant? %s", near, all)
	}
	return all
}
