package template

import "encoding/json"

// Task is the task that a step starts and waits for. The step's result is the task's: the results of its last steps, by
// name. A last step is a step on which no other step depends.
type Task struct {
	// Namespace is that of the template of the task. Empty is the namespace of this template.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Version is that of the template. Empty is the newest that is not retired when the task is started.
	Version string `json:"version,omitempty"`
	// Context makes the context of the task, a JSON object: fields with values, paths of this task's context such as "$.order.id", or
	// results of a dependency such as {"step": "pick", "path": "$.lines"}. Nil is the context of this task.
	Context json.RawMessage `json:"context,omitempty"`
	// Abandon lets the task go on if the step ends before it. By default it is cancelled.
	Abandon *bool `json:"abandon,omitempty"`
}
