package template

import "encoding/json"

// ForEach is the array that a map runs over. In a file it is a path of the context, or an object with step and path.
type ForEach struct {
	// Step is a dependency whose result has the array. It is empty if the task's context has the array.
	Step string `json:"step,omitempty"`
	// Path is a jsonpath that finds one array, such as $.lines. Default: $.
	Path string `json:"path,omitempty"`
}

// MarshalJSON writes a path of the context as a text.
func (f ForEach) MarshalJSON() ([]byte, error) {
	type object ForEach
	if f.Step == "" {
		return json.Marshal(f.Path)
	}
	return json.Marshal(object(f))
}

// UnmarshalJSON reads both forms: a path, or an object with step and path.
func (f *ForEach) UnmarshalJSON(text []byte) error {
	type object ForEach
	if len(text) > 0 && text[0] == '"' {
		*f = ForEach{}
		return json.Unmarshal(text, &f.Path)
	}
	return json.Unmarshal(text, (*object)(f))
}
