package span

import "encoding/json"

// OneOrMany is a list that may be a single object in a file.
type OneOrMany[T any] []T

// UnmarshalJSON reads both forms: a list, or an object.
func (l *OneOrMany[T]) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		*l = make(OneOrMany[T], 1)
		return json.Unmarshal(text, &(*l)[0])
	}
	return json.Unmarshal(text, (*[]T)(l))
}
