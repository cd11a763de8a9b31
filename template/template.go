package template

import (
	"encoding/json"

	"github.com/pgtasker/pgtasker/internal/span"
)

// Template is a task template as written in a file. Missing fields get the database's defaults.
type Template struct {
	// Namespace groups templates. The namespace is created when the template is registered.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Version is 0.1.0 if empty.
	Version     string `json:"version,omitempty"`
	Description string `json:"description,omitempty"`
	// IdentityStrategy is strict, caller_provided or always_unique. Default: strict.
	IdentityStrategy string `json:"identity_strategy,omitempty"`
	// OnFailure is continue, halt or fail. Default: continue.
	OnFailure string     `json:"on_failure,omitempty"`
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
	// InputSchema is the JSON Schema that the context of each new task must fit. With nil nothing is checked. The keywords type,
	// properties, required, enum, minimum, maximum, maxLength and items are checked. The keywords title, description, default, format and
	// examples are allowed, but not checked.
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	// StartOn lists the events that start a task. CancelOn lists the events that cancel the open task of an identity key.
	StartOn  []StartOn  `json:"start_on,omitempty"`
	CancelOn []CancelOn `json:"cancel_on,omitempty"`
	// Steps are the steps, numbered in this order.
	Steps []Step `json:"steps"`
	// Types holds names of the program's Go types: the type of each step's result under the name of the step, and the type of the context
	// under $context. The types do not belong to the content, but two programs with different types cannot register one version.
	Types json.RawMessage `json:"types,omitempty"`
	// OnUndo decides about steps in progress when compensations begin: cancel or drain. Default: cancel.
	OnUndo string `json:"on_undo,omitempty"`
	// Runs bounds how many tasks run at once for each key. With nil there is no bound.
	Runs *Runs `json:"runs,omitempty"`
	// Encrypted is an object if payloads are encrypted before they leave the client: {"clear": ["customer"]} names the fields of the
	// context that stay in the clear. With nil nothing is encrypted.
	Encrypted json.RawMessage `json:"encrypted,omitempty"`
	// Attributes declares at most eight attributes by which tasks can be searched and sorted. It is an object with the names as keys. Each
	// value is a jsonpath of the context, or an object with the fields of [Attribute].
	Attributes json.RawMessage `json:"attributes,omitempty"`
	// Schedules create tasks of this template. The schedules do not belong to its content, so a changed schedule needs no new version.
	Schedules []Schedule `json:"-" file:"schedules"`

	file  string
	lines map[string]int // line of each path
}

// Lifecycle says after how many minutes without progress a task is stale. With nil the setting decides.
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
	// Join is all, any, settled or first. Default: all.
	Join  string `json:"join,omitempty"`
	Retry *Retry `json:"retry,omitempty"`
	// TimeoutSeconds limits one attempt. With nil there is no limit.
	TimeoutSeconds *int64 `json:"timeout_seconds,omitempty"`
	Priority       *int64 `json:"priority,omitempty"`
	// Initialization is a JSON object with the inputs of the handler.
	Initialization json.RawMessage `json:"initialization,omitempty"`
	// Await makes the step wait instead of running a handler: the first alternative that happens ends the wait, and the result names it.
	// Such a step has no Handler, Retry, TimeoutSeconds, Priority or Initialization.
	Await span.OneOrMany[Await] `json:"await,omitempty"`
	// Timeout is how long the step waits at most, in the form of Await.For. If empty, there is no limit.
	Timeout span.Span `json:"timeout,omitempty"`
	// OnTimeout is fail, skip or complete. Default: fail.
	OnTimeout string `json:"on_timeout,omitempty"`
	// Assignee is the person or role that should answer. If it is the name of a database role, only this role can answer.
	Assignee string `json:"assignee,omitempty"`
	// Task makes the step start a task of another template and wait for its end instead of running a handler.
	Task *Task `json:"task,omitempty"`
	// ForEach makes the step a map: its handler runs for each element of an array, and a step that depends on the map gets the results as
	// an array.
	ForEach *ForEach `json:"for_each,omitempty"`
	// MaxParallel bounds how many elements are in progress at a time: started and not settled. If it is nil, there is no bound.
	MaxParallel *int64 `json:"max_parallel,omitempty"`
	// AllowFailures is how many elements may fail for good. If nil, each failure waits for an operator.
	AllowFailures *int64 `json:"allow_failures,omitempty"`
	// Compensate is the name of the handler that undoes the step if its task fails or is cancelled after the step was done or begun. If
	// empty, nothing undoes the step.
	Compensate string `json:"compensate,omitempty"`
	// Limit is the name of the limit that the step waits for. If it is empty, the step waits for no limit.
	Limit string `json:"limit,omitempty"`
	// LimitKey is a jsonpath of the task's context, or with $inputs of the step's inputs. Each value at this path has its own places and
	// rate. If LimitKey is empty, all steps share them.
	LimitKey string `json:"limit_key,omitempty"`
	// SQL is the function of the database that runs the step instead of a worker, with its schema, such as shop.book_order.
	SQL string `json:"sql,omitempty"`
	// LimitUnits is how many places of its limit the step takes. Default: 1.
	LimitUnits *int64 `json:"limit_units,omitempty"`
	// LimitHold is how long the step keeps its places. With claim it keeps them until its claim ends. With run it keeps them until its run
	// ends, over retries, sleeps and waits. The default is claim.
	LimitHold string `json:"limit_hold,omitempty"`
	// Limits are further limits that the step needs. The step takes a place of every limit or of none.
	Limits []Limit `json:"limits,omitempty"`
	// StartWithin is how long the step may wait for a worker before it fails for good, in the form of Await.For. If empty, the step waits
	// until a worker takes it.
	StartWithin span.Span `json:"start_within,omitempty"`
	// LimitBound is a jsonpath of the task's context that leads to how many steps of its key may run at once. The creation of a task sets
	// this bound, at most LimitBoundMax, and the newest task wins. If empty, only operators set bounds.
	LimitBound string `json:"limit_bound,omitempty"`
	// LimitBoundMax is the largest bound that a task may set.
	LimitBoundMax *int64 `json:"limit_bound_max,omitempty"`
}

// Limit is a further limit of a step. In a file a limit is a name or an object.
type Limit struct {
	Limit string `json:"limit"`
	// LimitKey, LimitUnits, LimitBound and LimitBoundMax have the meaning of the fields of [Step].
	LimitKey      string `json:"limit_key,omitempty"`
	LimitUnits    *int64 `json:"limit_units,omitempty"`
	LimitBound    string `json:"limit_bound,omitempty"`
	LimitBoundMax *int64 `json:"limit_bound_max,omitempty"`
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

// Retry decides whether and when a failed step is tried again. A nil field has its default: Retryable is true, and the settings decide
// about the other fields.
type Retry struct {
	Retryable   *bool  `json:"retryable,omitempty"`
	MaxAttempts *int64 `json:"max_attempts,omitempty"`
	// Backoff is exponential or constant. Default: exponential.
	Backoff     string   `json:"backoff,omitempty"`
	BaseSeconds *float64 `json:"base_seconds,omitempty"`
	Multiplier  *float64 `json:"multiplier,omitempty"`
	MaxSeconds  *int64   `json:"max_seconds,omitempty"`
}

// Dependency is a step that another step waits for. In a file a dependency is the step's name, or an object with step, when and on.
type Dependency struct {
	Step string `json:"step,omitempty"`
	// When is a jsonpath predicate that the step's result must meet. If When is empty, any success counts.
	When string `json:"when,omitempty"`
	// On says for which end of the step to wait: complete, failed or ended. Default: complete.
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

// JSON returns the template in the form that tasker.register_task_template takes.
func (t *Template) JSON() (json.RawMessage, error) { return json.Marshal(t) }

// Problem returns a problem that the database reported for a place in the template, such as "steps[2].join", as an error with the line of
// that place in the file. A missing field has the line of the object that lacks it.
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

// parent returns a path without its last field or index.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}
