package template

// Runs bounds how many tasks of a template run at once for each key, and says what becomes of further ones.
type Runs struct {
	// Key is a jsonpath of the context, such as $.customer: tasks with other values run beside each other. Empty is one key for all.
	Key string `json:"key,omitempty"`
	// Max is how many tasks of a key run at once; nil is one.
	Max *int64 `json:"max,omitempty"`
	// Order is which waiting task comes next: created, the one that waits longest, or priority; created if empty.
	Order string `json:"order,omitempty"`
	// Further is what becomes of a task requested while all places are taken: wait, skip (the running task stands for it),
	// refuse, cancel_running or replace_waiting; wait if empty.
	Further string `json:"further,omitempty"`
	// Sequence: a failed task keeps its place, until it is complete or skipped.
	Sequence bool `json:"sequence,omitempty"`
}
