package template

// Attribute is an attribute by which tasks of a template can be searched and sorted.
type Attribute struct {
	// Type is text, number or time. An empty Type means text. All templates of a namespace share the type of an attribute.
	Type string `json:"type,omitempty"`
	// Context is the jsonpath of the value in the context, such as $.customer.id.
	Context string `json:"context,omitempty"`
	// Results maps the name of a step to the jsonpath of the value in the step's result. The attribute changes when the step completes.
	Results map[string]string `json:"results,omitempty"`
}
