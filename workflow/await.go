package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/template"
)

// Signal is the name of a signal whose payload is a P. The step that takes it is made with [Await]:
//
//	var approved = workflow.Signal[Approval]("approved")
type Signal[P any] string

// Send sends the signal to a task, as [executor.Signals.Send] does, and says what became of it. A key makes two signals of a task
// the same, such as the number of a webhook; with an empty one each call sends another signal.
func (s Signal[P]) Send(ctx context.Context, db executor.DBTX, task uuid.UUID, payload P, key string) (executor.Delivery, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return "", fmt.Errorf("signal %q: %w", string(s), err)
	}
	answer, err := executor.New(db).SendSignal(ctx, task, executor.Signal{Name: string(s), Payload: raw, IdempotencyKey: key})
	return executor.Delivery(answer.Answer), err
}

// AfterTimeout is what becomes of a step whose timeout ends its wait.
type AfterTimeout string

// The outcomes of a timeout.
const (
	// Fail makes the step fail for good. It is the default.
	Fail AfterTimeout = "fail"
	// Skip skips the step, and with it the steps that need its answer.
	Skip AfterTimeout = "skip"
	// Complete makes an [Answer] of it, by "timeout".
	Complete AfterTimeout = "complete"
)

// Waiting says how a step waits. Its zero value waits for the signal or event alone, without end, and takes any payload.
type Waiting struct {
	// When is a jsonpath predicate on the payload, such as "$.ok == true"; other payloads are kept.
	When string
	// Schema is what the payload of a signal must look like; others are refused. See [template.Await].
	Schema json.RawMessage
	// LookBack is how long before the wait began an event may have been emitted. Default: 60 seconds.
	LookBack time.Duration
	// Or are further alternatives: other signals and events with such a payload, durations, times. The first to come wins.
	Or []template.Await
	// Timeout is how long the step waits at most. Default: without end.
	Timeout time.Duration
	// OnTimeout is what becomes of the step then. Default: [Fail].
	OnTimeout AfterTimeout
	// Assignee is who is to answer. The name of a database role is enforced.
	Assignee string
	// Options of the step: [Description], [JoinAny], [JoinSettled].
	Options []StepOption
}

// Await adds a step that has no function: it waits for a signal, an event, or what else waiting names, without a worker, a
// connection or an attempt, and its result is what ended the wait. It begins to wait when the steps after which it
// stands are complete, at once if there are none.
//
//	decision := workflow.Await(order, "approve", approved, workflow.Waiting{Timeout: 72 * time.Hour, Assignee: "finance"}, check)
func Await[C, P any](w *Workflow[C], name string, source Source[P], waiting Waiting, after ...Of[C]) Step[C, Answer[P]] {
	return wait[C, P](w, name, append([]template.Await{source.awaited(waiting)}, waiting.Or...), waiting, after)
}

// Pause adds a step that waits for a time to pass.
func Pause[C any](w *Workflow[C], name string, d time.Duration, after ...Of[C]) Step[C, Answer[struct{}]] {
	return wait[C, struct{}](w, name, []template.Await{{For: template.Seconds(d)}}, Waiting{}, after)
}

func wait[C, P any](
	w *Workflow[C], name string, alternatives []template.Await, waiting Waiting, after []Of[C],
) Step[C, Answer[P]] {
	n := &node{step: template.Step{
		Name: name, Await: alternatives, OnTimeout: string(waiting.OnTimeout), Assignee: waiting.Assignee,
	}}
	if waiting.Timeout != 0 {
		n.step.Timeout = template.Seconds(waiting.Timeout)
	}
	parents := make([]parent, len(after))
	for i, step := range after {
		var c C
		parents[i] = step.of(c)
		parents[i].optional = true // It reads no results.
	}
	w.graph.add(n, parents, waiting.Options)
	return Step[C, Answer[P]]{parent: parent{graph: w.graph, own: []edge{{node: n}}}, read: readOf[Answer[P]](n)}
}
