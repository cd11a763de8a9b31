package modeltest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
)

// senders is how many sessions send the same signals and emit the same events at the same time.
const senders = 3

// decideWaits makes the end of each wait independent of the order of calls. A wait has either no time and a signal or an event
// that only this step takes, or a time and a signal that is never sent.
func (t *template) decideWaits(r *rand.Rand) {
	for n := range t.steps {
		if t.steps[n].wait == nil {
			continue
		}
		never := alternative{signal: fmt.Sprint("never", n)}
		w := &wait{}
		switch r.IntN(8) {
		case 0:
			w.any = []alternative{never, {after: time.Duration(1+r.IntN(60)) * time.Second}}
		case 1:
			w.any, w.timeout = []alternative{never}, time.Duration(1+r.IntN(60))*time.Second
			w.onTimeout = []string{"fail", "skip", "complete"}[r.IntN(3)]
		case 2:
			w.any = []alternative{{until: true}} // The context has no time, so the wait fails.
		case 3, 4:
			w.any = []alternative{never, {
				event: fmt.Sprint("sent", n), key: "$.task", lookBack: 500 * 7 * 24 * time.Hour, when: conditions[r.IntN(6)],
			}}
		default:
			sent := alternative{signal: fmt.Sprint("sent", n), when: conditions[r.IntN(6)]}
			if r.IntN(2) == 0 {
				sent.most = 8
			}
			w.any = []alternative{never, sent}
		}
		t.steps[n].wait = w
	}
}

// paid returns the signal or event that a step gets, or nil. It returns the same value to each sender at any time.
func (c *crowd) paid(task uuid.UUID, n int) *signal {
	w := c.plan.steps[n].wait
	if w == nil || len(w.any) < 2 || !strings.HasPrefix(w.any[1].signal+w.any[1].event, "sent") {
		return nil
	}
	name, come := w.any[1].signal, (*event)(nil)
	if w.any[1].event != "" {
		name, come = w.any[1].event, &event{key: c.taskKey(c.index[task])}
	}
	r := rand.New(rand.NewPCG(c.seed, uint64(c.index[task]*1_000_000+n*1000)))
	for {
		g := &signal{name: name, payload: randomResults(r), key: name, event: come}
		if w.takes(g) {
			return g
		}
	}
}

// taskKey returns the field "task" of a task's context, which is the key of its events.
func (c *crowd) taskKey(i int) string { return fmt.Sprintf("%d.%d", c.seed, i) }

// endWait ends a wait as it ends if no operator or other sender interferes.
func (c *crowd) endWait(t *task, id uuid.UUID, n int) {
	if g := c.paid(id, n); g != nil {
		t.take(n, g)
		return
	}
	s := &t.steps[n]
	switch {
	case s.dueBy == "problem" || s.dueBy == "timeout" && s.wait.onTimeout == "fail":
		s.state = state.StepError
	case s.dueBy == "timeout" && s.wait.onTimeout == "skip":
		s.state = state.StepCancelled
	default:
		s.state, s.results = state.StepComplete, &results{by: s.dueBy}
	}
}

// sender sends the signals and events of steps. It sends some early, once or twice. It sends the others when the inbox lists
// the wait.
type sender struct {
	*crowd
	r *rand.Rand
}

func (s *sender) run(ctx context.Context, worked <-chan struct{}) error {
	e := direct.New(s.pool)
	for _, i := range s.r.Perm(len(s.ids)) {
		for _, n := range s.r.Perm(len(s.plan.steps)) {
			g := s.paid(s.ids[i], n)
			if g == nil || s.r.IntN(2) == 0 {
				continue
			}
			if s.r.IntN(8) == 0 {
				g.name, g.key = "foreign", ""
			}
			if err := s.send(ctx, e, s.ids[i], g); err != nil {
				return err
			}
		}
	}
	for {
		select {
		case <-worked:
			return nil
		default:
		}
		waits, err := e.ListWaits(ctx, executor.WaitFilter{Namespace: s.plan.namespace, TaskName: s.plan.name, Limit: 200})
		if err != nil {
			return err
		}
		for _, w := range waits {
			if _, ours := s.index[w.TaskUUID]; !ours || int(w.StepNo) > len(s.plan.steps) {
				continue
			}
			if g := s.paid(w.TaskUUID, int(w.StepNo)-1); g != nil {
				if err := s.send(ctx, e, w.TaskUUID, g); err != nil {
					return err
				}
			}
		}
	}
}

func (s *sender) send(ctx context.Context, e *direct.Executor, task uuid.UUID, g *signal) error {
	if g.event != nil {
		event := executor.Event{Namespace: s.plan.namespace, Name: g.name, Key: g.event.key, Payload: g.payload.json()}
		if g.key != "" {
			event.IdempotencyKey = g.event.key + g.key
		}
		_, err := e.EmitEvent(ctx, event)
		return err
	}
	_, err := e.SendSignal(ctx, task, executor.Signal{Name: g.name, Payload: g.payload.json(), IdempotencyKey: g.key})
	// The task may have ended without this step.
	if err != nil && !errors.Is(err, executor.ErrConflict) {
		return err
	}
	return nil
}

// endWaits ends waits as people do, by a signal or by settling the step.
func (w *worker) endWaits(ctx context.Context, e *direct.Executor, task uuid.UUID) error {
	rows, err := e.ListSteps(ctx, task)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.State != state.StepSuspended {
			continue
		}
		if w.r.IntN(3) == 0 {
			_, err = e.ResolveStepManually(ctx, row.WorkflowStepUUID, "", "")
		} else {
			_, err = e.SendSignal(ctx, task, executor.Signal{
				Name: signalNames[w.r.IntN(len(signalNames))], Payload: randomResults(w.r).json(),
			})
		}
		if err != nil && !errors.Is(err, executor.ErrConflict) && !errors.Is(err, executor.ErrInvalid) {
			return err
		}
	}
	return nil
}
