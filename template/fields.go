package template

import (
	"fmt"
	"reflect"
	"strings"
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
	if near := nearest(name, f.names); near != "" {
		return fmt.Sprintf("Is %q meant? %s", near, all)
	}
	return all
}

// nearest returns the one of these names that a mistyped name most likely means, or nothing: the one
// with which it shares most pairs of neighbouring letters, as tasker.nearest_name in the database.
func nearest(name string, names []string) (best string) {
	const likely = 0.35
	given := pairs(name)
	most := 0.0
	for _, candidate := range names {
		have := pairs(candidate)
		common := 0
		for pair := range have {
			if given[pair] {
				common++
			}
		}
		share := 2 * float64(common) / float64(len(given)+len(have))
		if share >= likely && (share > most || share == most && candidate < best) {
			best, most = candidate, share
		}
	}
	return best
}

func pairs(name string) map[string]bool {
	letters := []rune(strings.ToLower(name))
	letters = append([]rune{'^'}, append(letters[:min(len(letters), 128)], '$')...)
	set := map[string]bool{}
	for i := range len(letters) - 1 {
		set[string(letters[i:i+2])] = true
	}
	return set
}
