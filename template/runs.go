package template

// Runs bounds how many tasks of a template run at once for each key, and decides about further tasks.
type Runs struct {
	// Key is a jsonpath of the context, such as $.customer. Each value at this path has its own bound. If Key is empty, all tasks share the
	// bound.
	Key string `json:"key,omitempty"`
	// Max is how many tasks of a key run at once. Default: 1.
	Max *int64 `json:"max,omitempty"`
	// Order says which waiting task starts next: "created" means the task that has waited longest, and "priority" the task with the highest
	// priority. The default is created.
	Order string `json:"order,omitempty"`
	// Further decides about a task that is requested while all places are taken: wait, skip (the request finds the running task), refuse,
	// cancel_running or replace_waiting. The default is wait.
	Further string `json:"further,omitempty"`
	// Sequence lets a failed task keep its place until it is complete or skipped.
	Sequence bool `json:"sequence,omitempty"`
}
