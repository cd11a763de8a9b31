package template

import "encoding/json"

// StartOn is an event that starts a task, in the transaction that emits the event. In a file several events form a list.
type StartOn struct {
	// Event is the name of an event of the template's namespace, Key the key that the event must have. If Key is empty, the event may have
	// any key.
	Event string `json:"event,omitempty"`
	Key   string `json:"key,omitempty"`
	// When is a jsonpath predicate on the payload, any payload if empty.
	When string `json:"when,omitempty"`
	// Context is a JSON object. Texts in it that begin with $ are paths of the payload. If Context is empty, the context is the payload
	// itself.
	Context json.RawMessage `json:"context,omitempty"`
	// Identity is a path of the payload that leads to the identity key, such as $.order, of a template whose identity strategy is
	// caller_provided. If empty, the identity key is the key of the event.
	Identity string `json:"identity,omitempty"`
}

// CancelOn is an event that cancels the open task of an identity key. Its fields have the meaning of the fields of [StartOn].
type CancelOn struct {
	Event    string `json:"event,omitempty"`
	Key      string `json:"key,omitempty"`
	When     string `json:"when,omitempty"`
	Identity string `json:"identity,omitempty"`
}
