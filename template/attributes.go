package template

// Attribute is what tasks of a template are searched and sorted by.
type Attribute struct {
	// Type is text, number or time, text if empty. All templates of a namespace share the type of an attribute.
	Type string `json:"type,omitempty"`
	// Context is the jsonpath of the value in the context, such as $.customer.id.
	Context string `json:"context,omitempty"`
	// Results has the jsonpath of the value in the results of steps, by the name of the step. A step that completes changes the value.
	Results map[string]string `json:"results,omitempty"`
}
