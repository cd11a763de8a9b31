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

// Identity decides when two requests are the same task.
type Identity string

// The identities of a workflow's tasks.
const (
	// ByContext makes requests with equal contexts the same task. It is the default.
	ByContext Identity = "strict"
	// ByKey makes requests with the same StartOptions.Key the same task.
	ByKey Identity = "caller_provided"
	// AlwaysNew makes each request a task of its own.
	AlwaysNew Identity = "always_unique"
)

func (i Identity) workflow(g *graph) { g.template.IdentityStrategy = string(i) }

// Every creates a task at every tick of a schedule: by cron expression, or every so many seconds. The schedule is
// set when the workflow is registered, and needs a name. The context of the tasks is s.Context, a JSON object. The
// schedule is not part of the template: another schedule does not need a new version.
func Every(s template.Schedule) Option {
	return option(func(g *graph) { g.template.Schedules = append(g.template.Schedules, s) })
}

// HaltOnFailure starts no more steps after one has failed for good. By default branches that do not depend on it continue.
func HaltOnFailure() Option {
	return option(func(g *graph) { g.template.OnFailure = "halt" })
}

// FailOnFailure fails the task once a step has failed for good and nothing else can move. By default such a task is
// blocked until an operator decides.
func FailOnFailure() Option {
	return option(func(g *graph) { g.template.OnFailure = "fail" })
}

// DrainOnUndo lets steps in progress end before the task is undone, as long as their workers renew their leases. By default
// their workers are told to stop, and have what is left of the lease.
func DrainOnUndo() Option {
	return option(func(g *graph) { g.template.OnUndo = "drain" })
}

// Lifecycle says how long a task may stay in a state without progress before it is stale, in whole minutes. Where it is 0
// the settings decide.
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

// whole is a duration as a template says it.
func (g *graph) whole(what string, d, unit time.Duration) *int64 {
	if d%unit != 0 {
		g.problem("%s, %s, is not a whole number of %s", what, d, map[time.Duration]string{
			time.Second: "seconds", time.Minute: "minutes",
		}[unit])
	}
	return new(int64(d / unit))
}

// Retry decides how often a failed step is tried again, and the waits between. It is a [StepOption]. For a field that is
// 0 the settings apply.
type Retry struct {
	// Attempts is how many there are in all. With 1 the first failure is final. Default: the setting max_attempts.
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

// Priority of the step: above 0 it takes the fast lane, below 0 the slow one. Default: 0.
func Priority(priority int) StepOption {
	return stepOption(func(n *node) { n.step.Priority = new(int64(priority)) })
}

// Limit lets a step wait for a limit of the workflow's namespace: how many steps that name it run at once, and how many start in a
// time, over all workers. Operators set its bounds at any time, see [executor.Limits]; until then it has none. It is a
// [StepOption]; worker.MaxRunning bounds what one worker does. A step with several takes a place of each, or none.
type Limit struct {
	// Name of the limit.
	Name string
	// Key gives steps whose tasks differ at a path places and a rate of their own: a jsonpath of the task's context, such as
	// $.customer. Default: all steps share the limit.
	Key string
	// Units is how many places the step takes. Default: 1.
	Units int64
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
	if l.WholeRun {
		n.step.LimitHold = "run"
	}
	if n.step.Limit == "" {
		n.step.Limit, n.step.LimitKey, n.step.LimitUnits = l.Name, l.Key, units
		return
	}
	n.step.Limits = append(n.step.Limits, template.Limit{Limit: l.Name, LimitKey: l.Key, LimitUnits: units})
}

// JoinAny runs a step if any of its dependencies holds, when all have settled. It asks for their results as [Optional].
// By default all must hold.
func JoinAny() StepOption {
	return stepOption(func(n *node) { n.step.Join = "any" })
}

// JoinSettled runs a step when its dependencies have settled, whatever came of them. It asks for their results as
// [Optional].
func JoinSettled() StepOption {
	return stepOption(func(n *node) { n.step.Join = "settled" })
}

// JoinFirst runs a step with the first of its dependencies that holds, and cancels the branches of the others; it asks for their
// results as [Optional].
func JoinFirst() StepOption {
	return stepOption(func(n *node) { n.step.Join = "first" })
}

// HandledBy gives what does the step a name, instead of one made of namespace, workflow, version and step. With nil as
// its function the step is done by another program, in any language, that registers the name:
//
//	label := workflow.Root[Order, Label](order, "label", nil, workflow.HandledBy("python.label"))
func HandledBy(name string) StepOption {
	return stepOption(func(n *node) { n.step.Handler = name })
}

// SQL lets a function of the database do the step, such as shop.book_order, in the transaction that records its result:
// the function's writes exist exactly once, and no worker is needed. The step has nil as its Go function:
//
//	booked := workflow.Root[Order, Booking](order, "book", nil, workflow.SQL("shop.book_order"))
//
// The function takes one jsonb, which has the task's context and the results of other steps as parents, and
// returns one.
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
