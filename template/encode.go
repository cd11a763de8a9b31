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
	// JSON is YAML; what is left is to write it as people do.
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	unfold(&document)

	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, err
	}
	return b.Bytes(), encoder.Close()
}

// unfold gives everything a line of its own and takes quotes away where they are not needed. Empty lists
// and objects have no other form.
func unfold(node *yaml.Node) {
	if len(node.Content) > 0 || node.Kind == yaml.ScalarNode {
		node.Style = 0
	}
	for _, child := range node.Content {
		unfold(child)
	}
}
