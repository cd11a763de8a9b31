package workflow

import (
	"time"

	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// Option is an option of a workflow, such as [Description], [Identity], [HaltOnFailure], [FailOnFailure] and [Lifecycle].
type Option interface{ workflow(g *graph) }

// StepOption is an option of a step, such as [Description], [Retry], [Timeout], [Limit], [Priority] and [JoinAny].
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

// Identity decides which requests are equal, so that they get the same task.
type Identity string

// The identities of a workflow's tasks.
const (
	// ByContext makes requests with equal contexts get the same task. ByContext is the default.
	ByContext Identity = "strict"
	// ByKey makes requests with the same StartOptions.Key get the same task.
	ByKey Identity = "caller_provided"
	// AlwaysNew makes a new task for each request.
	AlwaysNew Identity = "always_unique"
)

func (i Identity) workflow(g *graph) { g.template.IdentityStrategy = string(i) }

// Every creates a task at every tick of a schedule. The schedule has a cron expression or an interval in seconds, and needs a name. It is
// set when the workflow is registered. The context of the tasks is s.Context, a JSON object. The schedule is not part of the template, so a
// changed schedule needs no new version.
func Every(s template.Schedule) Option {
	return option(func(g *graph) { g.template.Schedules = append(g.template.Schedules, s) })
}

// HaltOnFailure starts no further steps after a step has failed for good. By default the branches that do not depend on the failed step
// continue.
func HaltOnFailure() Option {
	return option(func(g *graph) { g.template.OnFailure = "halt" })
}

// FailOnFailure fails the task once a step has failed for good and no other step can run. By default such a task is blocked until an
// operator decides.
func FailOnFailure() Option {
	return option(func(g *graph) { g.template.OnFailure = "fail" })
}

// DrainOnUndo lets steps in progress end before the task is undone, if their workers renew the leases. By default the steps are cancelled:
// their workers have the rest of the lease to stop.
func DrainOnUndo() Option {
	return option(func(g *graph) { g.template.OnUndo = "drain" })
}

// Lifecycle says how long a task may stay in a state without progress before the task is stale. The durations are whole minutes. If a field
// is 0, the settings decide.
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

// whole converts a duration to whole units, such as seconds or minutes, for the template.
func (g *graph) whole(what string, d, unit time.Duration) *int64 {
	if d%unit != 0 {
		g.problem("%s, %s, is not a whole number of %s", what, d, map[time.Duration]string{
			time.Second: "seconds", time.Minute: "minutes",
		}[unit])
	}
	return new(int64(d / unit))
}

// Retry decides how often a failed step is tried again, and how long the step waits between attempts. Retry is a [StepOption]. If a field
// is 0, the setting applies.
type Retry struct {
	// Attempts is the total number of attempts. With 1 the first failure is final. Default: the setting max_attempts.
	Attempts int
	// Backoff is the wait before the second attempt. Default: the setting backoff_base.
	Backoff time.Duration
	// Multiplier is the factor by which the wait grows before each further attempt. With 1 all waits are equal. Default: the setting
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

// Timeout is how long an attempt may take, in whole seconds. For a [Child] it is how long the step waits for its task. Default: no limit.
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

// StartWithin is how long the step may wait for a worker each time it is enqueued. After that time the step fails for good, without an
// attempt, and a step of [OnFailure] can run. Default: the step waits until a worker takes it.
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

// Priority sets the priority of the step. With a priority above 0 the step uses the fast lane, with a priority below 0 the slow lane.
// Default: 0.
func Priority(priority int) StepOption {
	return stepOption(func(n *node) { n.step.Priority = new(int64(priority)) })
}

// Limit makes a step wait for a limit of the workflow's namespace. A limit bounds how many of its steps run at once over all workers, and
// how many of them start in a period. Operators can set the bounds at any time, see [executor.Limits]. Until then a limit has no bounds.
// Limit is a [StepOption]. A step with several limits takes a place of each limit at once, or waits. Use worker.MaxRunning to bound the
// steps of one worker instead.
type Limit struct {
	// Name of the limit.
	Name string
	// Key is a jsonpath of the task's context, such as $.customer. Steps whose tasks differ at this path have separate places and rates.
	// Default: all steps share the limit.
	Key string
	// Units is how many places the step takes. Default: 1.
	Units int64
	// Bound is a jsonpath of the task's context, such as $.plan.places. The number at this path says how many steps of the key may run at
	// once. The creation of a task sets this bound, at most BoundMax, and the newest task wins. Bounds that an operator gave the key win over
	// the bounds of tasks. Default: only operators set bounds.
	Bound string
	// BoundMax is the largest bound that a task may set. A Bound needs a BoundMax.
	BoundMax int64
	// WholeRun makes the step keep the places of all its limits until its run ends, over retries, sleeps and waits. Default: the step keeps
	// its places until its claim ends.
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

// JoinAny runs a step when all its dependencies have settled and at least one of them holds. The step takes the results of its dependencies
// as [Optional]. By default all dependencies must hold.
func JoinAny() StepOption {
	return stepOption(func(n *node) { n.step.Join = "any" })
}

// JoinSettled runs a step when all its dependencies have settled, whether they hold or not. The step takes the results of its dependencies
// as [Optional].
func JoinSettled() StepOption {
	return stepOption(func(n *node) { n.step.Join = "settled" })
}

// JoinFirst runs a step as soon as one of its dependencies holds, and cancels the branches of the other dependencies. The step takes the
// results of its dependencies as [Optional].
func JoinFirst() StepOption {
	return stepOption(func(n *node) { n.step.Join = "first" })
}

// HandledBy sets the name of the step's handler. The default name consists of namespace, workflow, version and step. If the function of the
// step is nil, another program, in any language, runs the step under that name:
//
//	label := workflow.Root[Order, Label](order, "label", nil, workflow.HandledBy("python.label"))
func HandledBy(name string) StepOption {
	return stepOption(func(n *node) { n.step.Handler = name })
}

// SQL makes a function of the database, such as shop.book_order, run the step in the transaction that records the result. The function's
// writes happen exactly once, and the step needs no worker. The Go function of the step is nil:
//
//	booked := workflow.Root[Order, Booking](order, "book", nil, workflow.SQL("shop.book_order"))
//
// The function takes one jsonb value with the task's context and, in its field parents, the results of other steps. It returns one jsonb
// value, the result of the step.
func SQL(function string) StepOption {
	return stepOption(func(n *node) {
		if function == "" {
			n.graph.problem("step %q: its SQL names no function", n.step.Name)
		}
		n.step.SQL, n.step.Handler = function, "sql:"+function
	})
}

// OnWorker sets options for the workers of this program that run the step, such as [worker.MaxRunning] and [worker.With]. The options are
// not part of the template.
func OnWorker(options ...worker.HandlerOption) StepOption {
	return stepOption(func(n *node) { n.options = append(n.options, options...) })
}
