package template

// Runs bounds how many tasks of a template run at once for each key, and decides about further tasks.
type Runs struct {
	// Key is a jsonpath of the context, such as $.customer: tasks with different values run in parallel. If empty, all tasks have one key.
	Key string `json:"key,omitempty"`
	// Max is how many tasks of a key run at once, one if nil.
	Max *int64 `json:"max,omitempty"`
	// Order says which waiting task starts next. With created it is the task that has waited longest, with priority the task with the
	// highest priority. The default is created.
	Order string `json:"order,omitempty"`
	// Further decides about a task that is requested while all places are taken: wait, skip (the request finds the running task), refuse,
	// cancel_running or replace_waiting. The default is wait.
	Further string `json:"further,omitempty"`
	// Sequence lets a failed task keep its place until it is complete or skipped.
	Sequence bool `json:"sequence,omitempty"`
}
