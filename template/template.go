package template

import (
	"encoding/json"

	"github.com/pgtasker/pgtasker/internal/span"
)

// Template is a task template as written in a file. Absent fields get the database's defaults.
type Template struct {
	// Namespace groups templates. It is created when the template is registered.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Version is 0.1.0 if empty.
	Version     string `json:"version,omitempty"`
	Description string `json:"description,omitempty"`
	// IdentityStrategy is strict, caller_provided or always_unique, strict if empty.
	IdentityStrategy string `json:"identity_strategy,omitempty"`
	// OnFailure is continue, halt or fail; continue if empty.
	OnFailure string     `json:"on_failure,omitempty"`
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
	// InputSchema is the JSON Schema that the context of each new task must fit; nil checks nothing. Type, properties, required,
	// enum, minimum, maximum, maxLength and items are checked; title, description, default, format and examples are notes.
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	// StartOn are the events that start a task, CancelOn those that cancel the open task of an identity key.
	StartOn  []StartOn  `json:"start_on,omitempty"`
	CancelOn []CancelOn `json:"cancel_on,omitempty"`
	// Steps are numbered in this order.
	Steps []Step `json:"steps"`
	// Types is an object of texts: the program's types of results, by step, and of the context, as $context.
	// They are no part of the content, but two programs that differ cannot register one version.
	Types json.RawMessage `json:"types,omitempty"`
	// OnUndo is cancel or drain, what compensations do with steps in progress; cancel if empty.
	OnUndo string `json:"on_undo,omitempty"`
	// Runs bounds how many tasks run at once for each key; nil is no bound.
	Runs *Runs `json:"runs,omitempty"`
	// Encrypted is an object if payloads are encrypted before they leave the client: {"clear": ["customer"]} names the fields of the
	// context in the clear. Nil encrypts nothing.
	Encrypted json.RawMessage `json:"encrypted,omitempty"`
	// Schedules create tasks of this template. They are no part of its content: another schedule is no new version.
	Schedules []Schedule `json:"-" file:"schedules"`

	file  string
	lines map[string]int // of each path
}

// Lifecycle says after how many minutes without progress a task is stale, nil is the setting.
type Lifecycle struct {
	MaxWaitingForDependenciesMinutes *int64 `json:"max_waiting_for_dependencies_minutes,omitempty"`
	MaxWaitingForRetryMinutes        *int64 `json:"max_waiting_for_retry_minutes,omitempty"`
	MaxStepsInProcessMinutes         *int64 `json:"max_steps_in_process_minutes,omitempty"`
}

// Step is a step of a template.
type Step struct {
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// Handler is the name under which workers register the step's handler. Default: Name.
	Handler      string       `json:"handler,omitempty"`
	Dependencies []Dependency `json:"dependencies,omitempty"`
	// Join is all, any, settled or first; all if empty.
	Join  string `json:"join,omitempty"`
	Retry *Retry `json:"retry,omitempty"`
	// TimeoutSeconds limits one attempt. Nil is no limit.
	TimeoutSeconds *int64 `json:"timeout_seconds,omitempty"`
	Priority       *int64 `json:"priority,omitempty"`
	// Initialization is a JSON object, the handler's inputs.
	Initialization json.RawMessage `json:"initialization,omitempty"`
	// Await makes the step wait instead of running a handler: the first alternative to come ends the wait, and the
	// result says which. Such a step has no Handler, Retry, TimeoutSeconds, Priority and Initialization.
	Await span.OneOrMany[Await] `json:"await,omitempty"`
	// Timeout is how long it waits at most, as the fields of Await say it; empty is no limit.
	Timeout span.Span `json:"timeout,omitempty"`
	// OnTimeout is fail, skip or complete; fail if empty.
	OnTimeout string `json:"on_timeout,omitempty"`
	// Assignee is who is to answer. The name of a database role is enforced.
	Assignee string `json:"assignee,omitempty"`
	// Task makes the step start a task of another template and wait for its end instead of running a handler.
	Task *Task `json:"task,omitempty"`
	// ForEach makes the step a map: its handler runs for each element of an array, and a step that depends on it finds
	// their results as an array.
	ForEach *ForEach `json:"for_each,omitempty"`
	// MaxParallel is how many elements may be started and not settled at a time. Nil is all.
	MaxParallel *int64 `json:"max_parallel,omitempty"`
	// AllowFailures is how many elements may fail for good. Nil: each failure waits for an operator.
	AllowFailures *int64 `json:"allow_failures,omitempty"`
	// Compensate is the name of the handler that undoes the step if its task fails or is cancelled after the step was done or
	// begun. Nothing does if it is empty.
	Compensate string `json:"compensate,omitempty"`
	// Limit is the name of the limit that the step waits for, none if empty.
	Limit string `json:"limit,omitempty"`
	// LimitKey is a jsonpath of the task's context, or of the step's inputs with $inputs: steps with other values have
	// places and a rate of their own. One key for all if empty.
	LimitKey string `json:"limit_key,omitempty"`
	// SQL is the function of the database that runs the step instead of a worker, with its schema, such as shop.book_order.
	SQL string `json:"sql,omitempty"`
	// LimitUnits is how many places of its limit the step takes; nil is one.
	LimitUnits *int64 `json:"limit_units,omitempty"`
	// LimitHold is how long it keeps its places: claim, until the claim ends; run, until its run ends, over retries, sleeps and
	// waits. Claim if empty.
	LimitHold string `json:"limit_hold,omitempty"`
	// Limits are further limits that it needs, too: it takes all of them or none.
	Limits []Limit `json:"limits,omitempty"`
}

// Limit is a further limit of a step. In a file it is the limit's name, or an object.
type Limit struct {
	Limit string `json:"limit"`
	// LimitKey and LimitUnits are as those of [Step].
	LimitKey   string `json:"limit_key,omitempty"`
	LimitUnits *int64 `json:"limit_units,omitempty"`
}

// UnmarshalJSON reads both forms: a name, or an object.
func (l *Limit) UnmarshalJSON(text []byte) error {
	type object Limit
	if len(text) > 0 && text[0] == '"' {
		*l = Limit{}
		return json.Unmarshal(text, &l.Limit)
	}
	return json.Unmarshal(text, (*object)(l))
}

// Retry decides about a step that fails. Nil is the default: for Retryable true, else the setting.
type Retry struct {
	Retryable   *bool  `json:"retryable,omitempty"`
	MaxAttempts *int64 `json:"max_attempts,omitempty"`
	// Backoff is exponential or constant, exponential if empty.
	Backoff     string   `json:"backoff,omitempty"`
	BaseSeconds *float64 `json:"base_seconds,omitempty"`
	Multiplier  *float64 `json:"multiplier,omitempty"`
	MaxSeconds  *int64   `json:"max_seconds,omitempty"`
}

// Dependency is a step that another one waits for. In a file it is the step's name, or an object with
// step, when and on.
type Dependency struct {
	Step string `json:"step,omitempty"`
	// When is a jsonpath predicate on the step's results, any success if empty.
	When string `json:"when,omitempty"`
	// On is complete, failed or ended, the end of the step that is waited for; complete if empty.
	On string `json:"on,omitempty"`
}

// UnmarshalJSON reads both forms: a name, or an object with step, when and on.
func (d *Dependency) UnmarshalJSON(text []byte) error {
	type object Dependency
	if len(text) > 0 && text[0] == '"' {
		*d = Dependency{}
		return json.Unmarshal(text, &d.Step)
	}
	return json.Unmarshal(text, (*object)(d))
}

// JSON returns the template as tasker.register_task_template takes it.
func (t *Template) JSON() (json.RawMessage, error) { return json.Marshal(t) }

// Problem returns the database's problem with a place in the template, such as "steps[2].join", as an
// error with the line of that place in its file. A missing field has the line of the object that it is missing
// from.
func (t *Template) Problem(path, problem, hint string) *Error {
	return &Error{File: t.file, Line: t.line(path), Path: path, Problem: problem, Hint: hint}
}

func (t *Template) line(path string) int {
	for {
		if line, known := t.lines[path]; known || path == "" {
			return line
		}
		path = parent(path)
	}
}

// parent cuts the last field or index off a path.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}
