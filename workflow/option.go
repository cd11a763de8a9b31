package workflow

import (
	"time"

	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Option is an option of a workflow: [Description], [Identity], [HaltOnFailure], [FailOnFailure], [Lifecycle].
type Option interface{ workflow(g *graph) }

// StepOption is an option of a step: [Description], [Retry], [Timeout], [Limit], [Priority], [JoinAny] and others.
type StepOption interface{ step(n *node) }

type (
	option     func(g *graph)
	stepOption func(n *node)
)

func (o option) workflow(g *graph) { o(g) }
func (o stepOption) step(n *node)  { o(n) }

// Description describes a workflow or a step for people.
type Description string

func (d Description) workflow(g *graph) { g.template.Description = string(d) }
func (d Description) step(n *node)      { n.step.Description = string(d) }

// Identity decides when two requests stand for the same task.
type Identity string

// The identities of a workflow's tasks.
const (
	// ByContext makes requests with equal contexts the same task. It is the default.
	ByContext Identity = "strict"
	// ByKey makes requests with the same StartOptions.Key the same task.
	ByKey Identity = "caller_provided"
	// AlwaysNew makes a new task for each request.
	AlwaysNew Identity = "always_unique"
)

func (i Identity) workflow(g *graph) { g.template.IdentityStrategy = string(i) }

// Every creates a task at every tick of a schedule: by cron expression, or at an interval of seconds. The schedule is set when the workflow
// is registered, and needs a name. The context of the tasks is s.Context, a JSON object. The schedule is not part of the template: a
// changed schedule does not need a new version.
func Every(s template.Schedule) Option {
	return option(func(g *graph) { g.template.Schedules = append(g.template.Schedules, s) })
}

// HaltOnFailure starts no further steps after a step has failed for good. By default branches that do not depend on it continue.
func HaltOnFailure() Option {
	return option(func(g *graph) { g.template.OnFailure = "halt" })
}

// FailOnFailure fails the task once a step has failed for good and no other step can run. By default such a task is blocked until an
// operator decides.
func FailOnFailure() Option {
	return option(func(g *graph) { g.template.OnFailure = "fail" })
}

// DrainOnUndo lets steps in progress end before the task is undone, as long as their workers renew their leases. By default their workers
// are told to stop, and have the rest of the lease for that.
func DrainOnUndo() Option {
	return option(func(g *graph) { g.template.OnUndo = "drain" })
}

// Lifecycle says how long a task may stay in a state without progress before it is stale, in whole minutes. If a field is 0, the settings
// decide.
type Lifecycle struct {
	WaitingForDependencies time.Duration
	WaitingForRetry        time.Duration
	StepsInProcess         time.Duration
}

func (l Lifecycle) workflow(g *graph) {
	minutes := func(what string, d time.Duration) *int64 {
		if d == 0 {
			return nil
		}
		return g.whole("the lifecycle's "+what, d, time.Minute)
	}
	g.template.Lifecycle = &template.Lifecycle{
		MaxWaitingForDependenciesMinutes: minutes("WaitingForDependencies", l.WaitingForDependencies),
		MaxWaitingForRetryMinutes:        minutes("WaitingForRetry", l.WaitingForRetry),
		MaxStepsInProcessMinutes:         minutes("StepsInProcess", l.StepsInProcess),
	}
}

// whole returns a duration in whole seconds, as templates have it.
func (g *graph) whole(what string, d, unit time.Duration) *int64 {
	if d%unit != 0 {
		g.problem("%s, %s, is not a whole number of %s", what, d, map[time.Duration]string{
			time.Second: "seconds", time.Minute: "minutes",
		}[unit])
	}
	return new(int64(d / unit))
}

// Retry decides how often a failed step is tried again, and how long it waits between attempts. It is a [StepOption]. If a field is 0, the
// setting applies.
type Retry struct {
	// Attempts is the total number of attempts. With 1 the first failure is final. Default: the setting max_attempts.
	Attempts int
	// Backoff is the wait before the second attempt. Default: the setting backoff_base.
	Backoff time.Duration
	// Multiplier is the factor of the wait for each further attempt. With 1 all waits are equal. Default: the setting
	// backoff_multiplier.
	Multiplier float64
	// MaxBackoff is the longest wait, in whole seconds. Default: the setting max_backoff_seconds.
	MaxBackoff time.Duration
}

func (r Retry) step(n *node) {
	to := &template.Retry{}
	for what, below := range map[string]bool{
		"Attempts": r.Attempts < 0, "Backoff": r.Backoff < 0, "Multiplier": r.Multiplier < 0, "MaxBackoff": r.MaxBackoff < 0,
	} {
		if below {
			n.graph.problem("step %q: Retry.%s is below 0", n.step.Name, what)
		}
	}
	if len(n.step.Await) > 0 {
		n.graph.problem("step %q waits: there is nothing to try again", n.step.Name)
	}
	switch r.Attempts {
	case 0:
	case 1:
		to.Retryable = new(false)
	default:
		to.MaxAttempts = new(int64(r.Attempts))
	}
	if r.Backoff != 0 {
		to.BaseSeconds = new(r.Backoff.Seconds())
	}
	switch r.Multiplier {
	case 0:
	case 1:
		to.Backoff = "constant"
	default:
		to.Multiplier = &r.Multiplier
	}
	if r.MaxBackoff != 0 {
		to.MaxSeconds = n.graph.whole("MaxBackoff of step \""+n.step.Name+"\"", r.MaxBackoff, time.Second)
	}
	n.step.Retry = to
}

// Timeout is how long an attempt may take, in whole seconds, and how long a [Child] waits. Default: no limit.
func Timeout(d time.Duration) StepOption {
	return stepOption(func(n *node) {
		switch {
		case d <= 0:
			n.graph.problem("step %q: its timeout, %s, is not above 0", n.step.Name, d)
			return
		case len(n.step.Await) > 0:
			n.graph.problem("step %q waits: its timeout stands in Waiting", n.step.Name)
			return
		case n.step.Task != nil:
			n.step.Timeout = template.Seconds(d)
			return
		}
		n.step.TimeoutSeconds = n.graph.whole("Timeout of step \""+n.step.Name+"\"", d, time.Second)
	})
}

// StartWithin is how long the step may wait for a worker each time it is enqueued. Then it fails for good, without an attempt, and a step
// that depends on its failure runs, see [Failed]. Default: the step waits until a worker takes it.
func StartWithin(d time.Duration) StepOption {
	return stepOption(func(n *node) {
		switch {
		case d <= 0:
			n.graph.problem("step %q: its StartWithin, %s, is not above 0", n.step.Name, d)
		case len(n.step.Await) > 0 || n.step.Task != nil:
			n.graph.problem("step %q waits for no worker: it has no StartWithin", n.step.Name)
		}
		n.step.StartWithin = template.Seconds(d)
	})
}

// Priority of the step: above 0 the step takes the fast lane, below 0 the slow lane. Default: 0.
func Priority(priority int) StepOption {
	return stepOption(func(n *node) { n.step.Priority = new(int64(priority)) })
}

// Limit lets a step wait for a limit of the workflow's namespace. A limit bounds how many of its steps run at once over all workers, and
// how many start in a period. Operators set the bounds at any time, see [executor.Limits]. Until then a limit has no bounds. Limit is a
// [StepOption]. A step with several limits takes a place of each limit, or no place. worker.MaxRunning bounds the steps of one worker
// instead.
type Limit struct {
	// Name of the limit.
	Name string
	// Key is a jsonpath of the task's context, such as $.customer. Steps whose tasks differ at this path have separate places and rates.
	// Default: all steps share the limit.
	Key string
	// Units is how many places the step takes. Default: 1.
	Units int64
	// Bound is a jsonpath of the task's context, such as $.plan.places, that leads to how many steps of its key may run at once. The creation
	// of a task sets this bound, at most BoundMax, and the newest task wins. Bounds that an operator gave the key win over both. Default:
	// only operators set bounds.
	Bound string
	// BoundMax is the largest bound that a task may set. A Bound needs a BoundMax.
	BoundMax int64
	// WholeRun lets the step keep the places of all its limits until its run ends, over retries, sleeps and waits. Default: until the
	// claim ends.
	WholeRun bool
}

func (l Limit) step(n *node) {
	if l.Name == "" {
		n.graph.problem("step %q: its Limit has no Name", n.step.Name)
	}
	if l.Units < 0 {
		n.graph.problem("step %q: limit %q has %d Units", n.step.Name, l.Name, l.Units)
	}
	var units *int64
	if l.Units > 1 {
		units = &l.Units
	}
	var most *int64
	if l.BoundMax != 0 {
		most = &l.BoundMax
	}
	if l.WholeRun {
		n.step.LimitHold = "run"
	}
	if n.step.Limit == "" {
		n.step.Limit, n.step.LimitKey, n.step.LimitUnits, n.step.LimitBound, n.step.LimitBoundMax = l.Name, l.Key, units, l.Bound, most
		return
	}
	n.step.Limits = append(n.step.Limits, template.Limit{Limit: l.Name, LimitKey: l.Key, LimitUnits: units, LimitBound: l.Bound, LimitBoundMax: most})
}

// JoinAny runs a step when all its dependencies have settled, if at least one holds. The step takes their results as [Optional]. By default
// all dependencies must hold.
func JoinAny() StepOption {
	return stepOption(func(n *node) { n.step.Join = "any" })
}

// JoinSettled runs a step when its dependencies have settled, whether they hold or not. The step takes their results as [Optional].
func JoinSettled() StepOption {
	return stepOption(func(n *node) { n.step.Join = "settled" })
}

// JoinFirst runs a step as soon as one of its dependencies holds, and cancels the branches of the others. The step takes their results as
// [Optional].
func JoinFirst() StepOption {
	return stepOption(func(n *node) { n.step.Join = "first" })
}

// HandledBy sets the name of the step's handler. The default name consists of namespace, workflow, version and step. If the step has nil as
// its function, another program in any language runs the step under that name:
//
//	label := workflow.Root[Order, Label](order, "label", nil, workflow.HandledBy("python.label"))
func HandledBy(name string) StepOption {
	return stepOption(func(n *node) { n.step.Handler = name })
}

// SQL lets a function of the database run the step, such as shop.book_order, in the transaction that records the result. The function's
// writes happen exactly once, and the step needs no worker. The step has nil as its Go function:
//
//	booked := workflow.Root[Order, Booking](order, "book", nil, workflow.SQL("shop.book_order"))
//
// The function takes one jsonb with the task's context and, as parents, the results of other steps. It returns one jsonb.
func SQL(function string) StepOption {
	return stepOption(func(n *node) {
		if function == "" {
			n.graph.problem("step %q: its SQL names no function", n.step.Name)
		}
		n.step.SQL, n.step.Handler = function, "sql:"+function
	})
}

// OnWorker changes how workers run the step, such as with [worker.MaxRunning] and [worker.With]. It is not part of the template.
func OnWorker(options ...worker.HandlerOption) StepOption {
	return stepOption(func(n *node) { n.options = append(n.options, options...) })
}
