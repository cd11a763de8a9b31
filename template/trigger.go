package template

import "encoding/json"

// StartOn is an event that starts a task, in the transaction that emits it. In a file several are a list.
type StartOn struct {
	// Event is the name of an event of the template's namespace, Key the key that it must have; empty: any.
	Event string `json:"event,omitempty"`
	Key   string `json:"key,omitempty"`
	// When is a jsonpath predicate on the payload; any payload if empty.
	When string `json:"when,omitempty"`
	// Context is a JSON object, in which texts that begin with $ are paths of the payload; the payload itself if empty.
	Context json.RawMessage `json:"context,omitempty"`
	// Identity is a path of the payload that leads to the identity key, such as $.order, of a template whose identity strategy is
	// caller_provided; the key of the event if empty.
	Identity string `json:"identity,omitempty"`
}

// CancelOn is an event that cancels the open task of an identity key. Its fields are those of [StartOn].
type CancelOn struct {
	Event    string `json:"event,omitempty"`
	Key      string `json:"key,omitempty"`
	When     string `json:"when,omitempty"`
	Identity string `json:"identity,omitempty"`
}
