package template

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pgtasker/pgtasker/internal/span"
)

// These constants bound a decoded document, since aliases can make a document larger than its file.
const (
	maxNodes    = 2_000_000
	maxBytes    = 64 << 20 // total size of the texts
	maxDepth    = 200
	maxProblems = 20
)

// decoder fills a template from the nodes of a document and collects its problems.
type decoder struct {
	template *Template
	problems []error
	nodes    int
}

func (d *decoder) document(node *yaml.Node) {
	if d.tooLarge(node) {
		return
	}
	d.value(node, reflect.ValueOf(d.template).Elem(), "")
}

func (d *decoder) problem(node *yaml.Node, path, problem, hint string) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, &Error{
			File: d.template.file, Line: node.Line, Path: path, Problem: problem, Hint: hint,
		})
	}
}

// spent reports whether the document has become too large, for example by aliases.
func (d *decoder) spent(node *yaml.Node, path string) bool {
	d.nodes++
	if d.nodes == maxNodes {
		d.problem(node, path, "is too large with its aliases", "")
	}
	return d.nodes >= maxNodes
}

var (
	rawJSON      = reflect.TypeFor[json.RawMessage]()
	dependency   = reflect.TypeFor[Dependency]()
	alternatives = reflect.TypeFor[span.OneOrMany[Await]]()
	forEach      = reflect.TypeFor[ForEach]()
	startOn      = reflect.TypeFor[StartOn]()
	cancelOn     = reflect.TypeFor[CancelOn]()
	furtherLimit = reflect.TypeFor[Limit]()
)

// listed holds the types of lists for which a file may have a single object instead.
var listed = []reflect.Type{alternatives, reflect.SliceOf(startOn), reflect.SliceOf(cancelOn)}

// value decodes a node into v. Null leaves v unchanged, as a missing field does.
func (d *decoder) value(node *yaml.Node, v reflect.Value, path string) {
	if d.spent(node, path) {
		return
	}
	if _, known := d.template.lines[path]; !known {
		d.template.lines[path] = node.Line
	}
	node = resolve(node)
	if isNull(node) {
		return
	}
	switch {
	case v.Type() == rawJSON:
		d.initialization(node, v, path)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(node, v.Elem(), path)
	case (v.Type() == dependency || v.Type() == furtherLimit) && node.Kind == yaml.ScalarNode:
		d.scalar(node, v.Field(0), path)
	case v.Type() == forEach && node.Kind == yaml.ScalarNode:
		d.scalar(node, v.FieldByName("Path"), path)
	case v.Kind() == reflect.Struct:
		d.object(node, v, path)
	case v.Kind() == reflect.Slice && slices.Contains(listed, v.Type()) && node.Kind == yaml.MappingNode:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		d.value(node, v.Index(0), path+"[0]")
	case v.Kind() == reflect.Slice:
		d.array(node, v, path)
	default:
		d.scalar(node, v, path)
	}
}

func (d *decoder) array(node *yaml.Node, v reflect.Value, path string) {
	if node.Kind != yaml.SequenceNode {
		d.problem(node, path, "must be a list", "")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(node.Content), len(node.Content)))
	for i, element := range node.Content {
		d.value(element, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
}

func (d *decoder) object(node *yaml.Node, v reflect.Value, path string) {
	if node.Kind != yaml.MappingNode {
		hint := ""
		if v.Type() == dependency {
			hint = `For example reserve, or {step: reserve, when: $.ok == true}.`
		} else if v.Type() == furtherLimit {
			hint = `For example stripe, or {limit: stripe, limit_units: 3}.`
		} else if v.Type() == forEach {
			hint = `For example $.lines, or {step: list, path: $.lines}.`
		}
		d.problem(node, path, "must be an object", hint)
		return
	}
	fields := fieldsOf(v.Type())
	for _, m := range d.members(node, path) {
		i, known := fields.index[m.name]
		if !known {
			d.problem(m.key, join(path, m.name),
				fmt.Sprintf("%s has no such field", withArticle(objectName(v.Type()))), fields.hint(m.name))
			continue
		}
		d.value(m.value, v.Field(i), join(path, m.name))
	}
}

// objectName returns the name that messages use for an object. The database uses the same names.
func objectName(t reflect.Type) string {
	switch t {
	case forEach:
		return "for_each"
	case startOn:
		return "start_on"
	case cancelOn:
		return "cancel_on"
	case furtherLimit:
		return "limits"
	}
	return strings.ToLower(t.Name())
}

// scalar decodes text, numbers and truth values. Text may look like a number: version: 1.10.
func (d *decoder) scalar(node *yaml.Node, v reflect.Value, path string) {
	kind := map[reflect.Kind]string{
		reflect.String: "a text", reflect.Bool: "true or false", reflect.Int64: "a whole number", reflect.Float64: "a number",
	}[v.Kind()]
	ok := false
	if node.Kind == yaml.ScalarNode {
		switch v.Kind() {
		case reflect.String:
			v.SetString(node.Value)
			ok = node.Tag != "!!binary"
		case reflect.Bool:
			var b bool
			ok = node.Tag == "!!bool" && node.Decode(&b) == nil
			v.SetBool(b)
		case reflect.Int64, reflect.Float64:
			var f float64
			ok = (node.Tag == "!!int" || node.Tag == "!!float") && node.Decode(&f) == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
			if v.Kind() == reflect.Float64 {
				v.SetFloat(f)
			} else if ok = ok && f == math.Trunc(f) && math.Abs(f) < 1<<53; ok {
				v.SetInt(int64(f))
			}
		}
	}
	if !ok {
		d.problem(node, path, fmt.Sprintf("must be %s, not %s", kind, describe(node)), "")
	} else if strings.ContainsRune(node.Value, 0) {
		d.problem(node, path, "holds the character NUL, which PostgreSQL cannot store", "")
	}
}

// member is a field of an object in a file.
type member struct {
	name       string
	key, value *yaml.Node
}

// members returns the members of a mapping, and the members that it merges ("<<") unless the mapping has its own.
func (d *decoder) members(node *yaml.Node, path string) []member {
	var own, merged []member
	lines := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := resolve(node.Content[i]), node.Content[i+1]
		switch {
		case key.Kind == yaml.ScalarNode && key.Tag == "!!merge":
			merged = append(merged, d.merged(value, path)...)
		case key.Kind != yaml.ScalarNode:
			d.problem(key, path, "has a field whose name is not a text", "")
		case lines[key.Value] > 0:
			d.problem(key, join(path, key.Value), fmt.Sprintf("is said in line %d already", lines[key.Value]), "")
		default:
			lines[key.Value] = key.Line
			own = append(own, member{key.Value, key, value})
		}
	}
	for _, m := range merged {
		if lines[m.name] == 0 {
			lines[m.name] = m.key.Line
			own = append(own, m)
		}
	}
	return own
}

func (d *decoder) merged(value *yaml.Node, path string) (members []member) {
	if d.spent(value, path) {
		return nil
	}
	switch value = resolve(value); value.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(value.Content); i += 2 {
			if key := value.Content[i]; key.Tag == "!!merge" {
				d.problem(key, path, "merges what merges something itself", "")
			} else {
				members = append(members, member{key.Value, key, value.Content[i+1]})
			}
		}
	case yaml.SequenceNode:
		for _, one := range value.Content {
			if resolve(one).Kind == yaml.MappingNode {
				members = append(members, d.merged(one, path)...)
			}
		}
	default:
		d.problem(value, path, "merges what is not an object", "")
	}
	return members
}

func join(path, name string) string {
	name = name[:min(len(name), 100)]
	if path == "" {
		return name
	}
	return path + "." + name
}

func resolve(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

func withArticle(noun string) string {
	if strings.HasPrefix(noun, "a") {
		return "an " + noun
	}
	return "a " + noun
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

func describe(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", node.Value[:min(len(node.Value), 40)])
}
