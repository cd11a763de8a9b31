package template

import "encoding/json"

// StartOn is an event that starts a task, in the transaction that emits the event. In a file several events form a list.
type StartOn struct {
	// Event is the name of an event of the template's namespace. Key is the key that the event must have. If Key is empty, the event may
	// have any key.
	Event string `json:"event,omitempty"`
	Key   string `json:"key,omitempty"`
	// When is a jsonpath predicate that the payload must meet. If When is empty, any payload starts a task.
	When string `json:"when,omitempty"`
	// Context is a JSON object. Texts in it that begin with $ are paths of the payload. If Context is empty, the context is the payload
	// itself.
	Context json.RawMessage `json:"context,omitempty"`
	// Identity is a path such as $.order that finds the task's identity key in the payload. Only templates with the identity strategy
	// caller_provided need it. If Identity is empty, the identity key is the key of the event.
	Identity string `json:"identity,omitempty"`
}

// CancelOn is an event that cancels the open task of an identity key. Its fields have the meaning of the fields of [StartOn].
type CancelOn struct {
	Event    string `json:"event,omitempty"`
	Key      string `json:"key,omitempty"`
	When     string `json:"when,omitempty"`
	Identity string `json:"identity,omitempty"`
}
