package template

import "encoding/json"

// Task is the task that a step starts and waits for. The step's result is the task's: the results of its last steps, those
// that no other step depends on, by name.
type Task struct {
	// Namespace is that of the template of the task; empty is the namespace of this template.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Version is that of the template; empty is the newest that is not retired when the task is started.
	Version string `json:"version,omitempty"`
	// Context is a JSON object, what the task gets: fields with values, paths of this task's context such as "$.order.id", or
	// results of a dependency such as {"step": "pick", "path": "$.lines"}. Nil is the context of this task.
	Context json.RawMessage `json:"context,omitempty"`
	// Abandon lets the task go on if the step ends before it. By default it is cancelled.
	Abandon *bool `json:"abandon,omitempty"`
}
