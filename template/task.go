package template

import "encoding/json"

// Task is the task that a step starts and waits for. The result of the step is the result of the task: the results of its last steps, by
// name. A last step is a step on which no other step depends.
type Task struct {
	// Namespace is the namespace of the task's template. Default: the namespace of this template.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Version is the version of the task's template. Default: the newest version that is not retired when the task starts.
	Version string `json:"version,omitempty"`
	// Context is a JSON object that describes the context of the task. The value of a field is a constant, a path of this task's context
	// such as "$.order.id", or a part of a dependency's result such as {"step": "pick", "path": "$.lines"}. If Context is nil, the task
	// gets the context of this task.
	Context json.RawMessage `json:"context,omitempty"`
	// Abandon makes the task continue if the step ends before the task. By default the task is then cancelled.
	Abandon *bool `json:"abandon,omitempty"`
}
