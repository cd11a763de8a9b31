package template

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// YAML returns the template as a file, which [Load] reads back as the same template.
func (t *Template) YAML() ([]byte, error) {
	text, err := t.JSON()
	if err != nil {
		return nil, err
	}
	// JSON is YAML, so only the style has to change.
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	unfold(&document)
	shortenDependencies(document.Content[0])

	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, err
	}
	return b.Bytes(), encoder.Close()
}

// unfold puts each value on its own line and removes needless quotes. Empty lists and objects have no other form.
func unfold(node *yaml.Node) {
	if len(node.Content) > 0 || node.Kind == yaml.ScalarNode {
		node.Style = 0
	}
	for _, child := range node.Content {
		unfold(child)
	}
}

// shortenDependencies writes a dependency without a condition as the name of its step.
func shortenDependencies(template *yaml.Node) {
	for _, step := range field(template, "steps") {
		for _, dependency := range field(step, "dependencies") {
			if len(dependency.Content) == 2 {
				*dependency = *dependency.Content[1]
			}
		}
	}
}

// field returns the elements of an object's list.
func field(object *yaml.Node, name string) []*yaml.Node {
	for i := 0; i+1 < len(object.Content); i += 2 {
		if object.Content[i].Value == name {
			return object.Content[i+1].Content
		}
	}
	return nil
}
