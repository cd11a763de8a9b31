package template

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// initialization decodes an object with the user's own fields into JSON.
func (d *decoder) initialization(node *yaml.Node, v reflect.Value, path string) {
	if node.Kind != yaml.MappingNode {
		d.problem(node, path, "must be an object", "")
		return
	}
	before := len(d.problems)
	object := d.json(node, path, 0)
	if len(d.problems) > before {
		return
	}
	text, err := json.Marshal(object)
	if err != nil {
		d.problem(node, path, err.Error(), "")
		return
	}
	v.Set(reflect.ValueOf(json.RawMessage(text)))
}

// json returns the value of a node in the types of encoding/json. Times and binary data become their source text.
func (d *decoder) json(node *yaml.Node, path string, depth int) any {
	if d.spent(node, path) {
		return nil
	}
	node = resolve(node)
	if depth > maxDepth {
		d.problem(node, path[:min(len(path), 100)], fmt.Sprintf("is nested more than %d deep", maxDepth), "")
		return nil
	}
	switch node.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		for _, m := range d.members(node, path) {
			object[d.text(m.key, path)] = d.json(m.value, join(path, m.name), depth+1)
		}
		return object
	case yaml.SequenceNode:
		array := make([]any, len(node.Content))
		for i, element := range node.Content {
			array[i] = d.json(element, fmt.Sprintf("%s[%d]", path, i), depth+1)
		}
		return array
	}
	switch node.Tag {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		_ = node.Decode(&b)
		return b
	case "!!int", "!!float":
		return d.number(node, path)
	}
	return d.text(node, path)
}

// number keeps every digit of a number if JSON can write the number in the same way.
func (d *decoder) number(node *yaml.Node, path string) any {
	if n := json.Number(node.Value); json.Valid([]byte(n)) {
		return n
	}
	var i int64
	if node.Decode(&i) == nil {
		return i
	}
	var f float64
	if err := node.Decode(&f); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		d.problem(node, path, fmt.Sprintf("is %s, which JSON has not", node.Value), "")
	}
	return f
}

func (d *decoder) text(node *yaml.Node, path string) string {
	if strings.ContainsRune(node.Value, 0) {
		d.problem(node, path, "holds the character NUL, which PostgreSQL cannot store", "")
	}
	return node.Value
}
