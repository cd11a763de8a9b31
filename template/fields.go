package template

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pgtasker/pgtasker/internal/nearest"
)

// fields holds the fields of an object by their names. The names in a file and in JSON are the same.
type fields struct {
	names []string
	index map[string]int
	// own are the fields of a file that do not belong to the template's content.
	own []string
}

// known holds the objects of a template's content, and fileOnly holds the other objects of its file.
var (
	known    = map[reflect.Type]fields{}
	fileOnly = map[reflect.Type]fields{}
)

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[Template](), reflect.TypeFor[Lifecycle](), reflect.TypeFor[Step](), reflect.TypeFor[Retry](), dependency,
		reflect.TypeFor[Await](),
		reflect.TypeFor[Task](), reflect.TypeFor[Runs](), forEach, furtherLimit, startOn, cancelOn,
	} {
		known[t] = namesOf(t)
	}
	schedule := reflect.TypeFor[Schedule]()
	fileOnly[schedule] = namesOf(schedule)
}

func namesOf(t reflect.Type) fields {
	f := fields{index: map[string]int{}}
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		if own := tag.Get("file"); own != "" {
			f.own = append(f.own, own)
			f.index[own] = i
		} else if name, _, _ := strings.Cut(tag.Get("json"), ","); name != "" {
			f.names = append(f.names, name)
			f.index[name] = i
		}
	}
	return f
}

func fieldsOf(t reflect.Type) fields {
	if f, ok := known[t]; ok {
		return f
	}
	return fileOnly[t]
}

func (f fields) hint(name string) string {
	names := slices.Concat(f.names, f.own)
	all := fmt.Sprintf("Its fields are %s.", strings.Join(names, ", "))
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf("Did you mean %q? %s", near, all)
	}
	return all
}
