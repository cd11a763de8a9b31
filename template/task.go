package template

import "encoding/json"

// Task is the task that a step starts and waits for. The result of the step is the result of the task: the results of its last steps, by
// name. A last step is a step on which no other step depends.
type Task struct {
	// Namespace of the task's template. If empty, it is the namespace of this template.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Version of the task's template. If empty, it is the newest version that is not retired when the task starts.
	Version string `json:"version,omitempty"`
	// Context makes the context of the task, a JSON object: fields with values, paths of this task's context such as "$.order.id", or
	// results of a dependency such as {"step": "pick", "path": "$.lines"}. If nil, the task gets the context of this task.
	Context json.RawMessage `json:"context,omitempty"`
	// Abandon lets the task continue if the step ends before the task. By default the task is cancelled.
	Abandon *bool `json:"abandon,omitempty"`
}
