package replay

import (
	"fmt"
	"strings"
)

// Kind is the way in which present code diverges from a recorded run.
type Kind string

// The kinds of divergences.
const (
	// Input: a step, or a call of its function, cannot decode its input.
	Input Kind = "input"
	// Type: a step returns a result of another type.
	Type Kind = "type"
	// Value: a step returns another value.
	Value Kind = "value"
	// Failure: a step that succeeded fails.
	Failure Kind = "failure"
	// Call: a durable function makes another call, calls in another order, or more or fewer calls.
	Call Kind = "call"
	// Vanished: an open task needs a step that the template does not have, or a handler that the worker does not
	// have.
	Vanished Kind = "vanished"
)

// Divergence is a place where present code diverges from a recorded run.
type Divergence struct {
	Kind     Kind   `json:"kind"`
	File     string `json:"file"` // file of the export; with the line if it is an NDJSON file
	Template string `json:"template"`
	Task     string `json:"task"`
	Step     string `json:"step"`
	// Message describes the divergence.
	Message string `json:"message"`
	// Where is the file and line of the present code, if they are known.
	Where string `json:"where,omitempty"`
}

func (d Divergence) String() string {
	text := fmt.Sprintf("%s: task %s of %s, step %q: %s", d.File, d.Task, d.Template, d.Step, d.Message)
	if d.Where != "" {
		text += " (" + d.Where + ")"
	}
	return text
}

// key identifies an accepted divergence. The key has no lines of code, since they move.
func (d Divergence) key() string {
	return strings.Join([]string{string(d.Kind), d.Step, d.Message}, ": ")
}

// Report is the outcome of the replay of one task.
type Report struct {
	Divergences []Divergence
	// Accepted is how many divergences were not reported because they had been accepted.
	Accepted int
	// Steps are the steps of the task, in the order of their numbers.
	Steps []Outcome
}

// Outcome has the recorded and the present outcome of a step.
type Outcome struct {
	Step    string
	Handler string
	// Ran says whether the present code ran.
	Ran bool
	// Skipped is the reason why the present code did not run.
	Skipped string
	// Recorded is the error of the recorded step, empty if the step did not fail.
	Recorded string
	// Err is the error of the present code, empty if there is none.
	Err string
	// Result is the return of the present code.
	Result []byte
	// Open says that a durable function has stopped where its recorded run stopped, without an end.
	Open bool
}
