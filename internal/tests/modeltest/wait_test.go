package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
)

// context returns a task's context, which has the time that its steps may wait for.
func (t *task) context() json.RawMessage {
	given := map[string]string{}
	if !t.at.IsZero() {
		given["at"] = t.at.UTC().Format(time.RFC3339Nano)
	}
	if t.tenant != "" {
		given["tenant"] = t.tenant
	}
	if len(given) == 0 {
		return nil
	}
	raw, err := json.Marshal(given)
	if err != nil {
		panic(err)
	}
	return raw
}

// signal sends a signal to a task, early, late or again. It may be a signal that no step waits for.
func (s *session) signal() {
	s.Helper()
	g := signal{name: append(signalNames, "foreign")[s.r.IntN(len(signalNames)+1)], payload: randomResults(s.r)}
	if s.r.IntN(2) == 0 {
		g.key = fmt.Sprint("k", s.r.IntN(6))
	}
	if s.plan.keyed && s.r.IntN(3) == 0 {
		s.signalByKey(g)
		return
	}
	i := s.r.IntN(len(s.tasks))
	if wanted := s.tasks[i].wanted(); len(wanted) > 0 && s.r.IntN(2) == 0 {
		g.name = wanted[s.r.IntN(len(wanted))]
	}
	s.send(i, g)
}

// wanted returns the names that steps wait for now.
func (t *task) wanted() (names []string) {
	for _, k := range t.steps {
		if k.state == state.StepSuspended {
			names = append(names, k.awaits().signals()...)
		}
	}
	return names
}

func (s *session) send(i int, g signal) {
	s.Helper()
	m := s.tasks[i]
	s.say("signal %+v to %d", g, i)
	have, err := s.e.SendSignal(s.Context(), m.id, executor.Signal{Name: g.name, Payload: g.payload.json(), IdempotencyKey: g.key})
	s.sent(m, g, have, err)
}

// signalByKey sends a signal by the task's identity, and may create the task.
func (s *session) signalByKey(g signal) {
	s.Helper()
	i := s.r.IntN(min(len(s.tasks)+1, 3))
	key := executor.TaskKey{Namespace: s.plan.namespace, Name: s.plan.name, IdentityKey: fmt.Sprintf("%s-%d", s.plan.name, i)}
	made := i == len(s.tasks)
	var start *executor.SignalStart
	if s.r.IntN(2) == 0 {
		start = &executor.SignalStart{}
	}
	s.say("signal %+v by key to %d, start %v", g, i, start != nil)
	have, err := s.e.SendSignalByKey(s.Context(), key, executor.Signal{
		Name: g.name, Payload: g.payload.json(), IdempotencyKey: g.key,
	}, start)
	if !made {
		s.sent(s.tasks[i], g, have, err)
		return
	}
	if start == nil {
		require.ErrorIs(s, err, executor.ErrNotFound)
		return
	}
	m := newTask(s.plan, func() time.Time { return s.now })
	m.key, m.id = key.IdentityKey, have.TaskUUID
	m.advance(s.now)
	if err == nil {
		require.True(s, have.Created)
		have.Created = false
		s.tasks = append(s.tasks, m)
	}
	s.sent(m, g, have, err) // An invalid signal creates no task.
}

// sent compares the answer to a signal with the model.
func (s *session) sent(m *task, g signal, have gen.SignalAnswer, err error) {
	s.Helper()
	want, step := m.send(g)
	said := have.Answer
	if errors.Is(err, executor.ErrInvalid) {
		said, err = "invalid", nil
	}
	require.NoError(s, err)
	s.say("  %s", said)
	require.EqualValues(s, want, said)
	require.False(s, have.Created)
	if want == "ended" || want == "invalid" {
		return
	}
	var taker *uuid.UUID
	if step >= 0 {
		taker = new(stepID(m.id, step))
	}
	require.Equal(s, taker, have.StepUUID)
	if want != "repeated" {
		require.EqualValues(s, len(m.signals), have.SignalNo)
	}
}

// compareSignals compares the signals of a task with the model: which step took which.
func (s *session) compareSignals(i int, m *task) {
	s.Helper()
	if len(m.signals) == 0 {
		return
	}
	rows, err := s.e.ListSignals(s.Context(), m.id, 0, 1000)
	require.NoError(s, err)
	require.Len(s, rows, len(m.signals))
	for no, row := range rows {
		g := m.signals[no]
		where := fmt.Sprintf("signal %d of task %d", no+1, i)
		require.Equal(s, g.name, row.Name, where)
		requireJSON(s, g.payload, row.Payload)
		require.Equal(s, g.step >= 0, row.Consumed, where)
		if g.step >= 0 {
			require.Equal(s, m.steps[g.step].name, *row.StepName, where)
		}
	}
}

// compareWaits compares the inbox with the model.
func (s *session) compareWaits() {
	s.Helper()
	rows, err := s.e.ListWaits(s.Context(), executor.WaitFilter{Namespace: s.plan.namespace, TaskName: s.plan.name, Limit: 1000})
	require.NoError(s, err)
	seen := 0
	for i, m := range s.tasks {
		for n, k := range m.steps {
			if k.state != state.StepSuspended || len(k.awaits().signals())+len(m.awaited(n)) == 0 {
				continue
			}
			seen++
			where := fmt.Sprintf("step %s of task %d, which should be %+v", k.name, i, k)
			at := slices.IndexFunc(rows, func(row gen.WaitDetail) bool { return row.StepUUID == stepID(m.id, n) })
			require.GreaterOrEqual(s, at, 0, where)
			require.ElementsMatch(s, k.awaits().signals(), rows[at].Signals, where)
			s.compareAwaited(m, n, rows[at])
			require.True(s, k.since.Equal(rows[at].WaitingSince), where)
			require.Equal(s, k.due.IsZero(), rows[at].DueAt == nil, where)
			if !k.due.IsZero() {
				require.True(s, k.due.Equal(*rows[at].DueAt), where)
			}
		}
	}
	require.Len(s, rows, seen, "no other step waits for a signal or an event")
}

// answerWaits sends the signals that steps wait for. An operator ends some waits that nothing else may end.
func (s *session) answerWaits() {
	s.Helper()
	for i, m := range s.tasks {
		for n := range m.steps {
			if m.steps[n].state != state.StepSuspended {
				continue
			}
			if names := m.steps[n].awaits().signals(); len(names) > 0 && s.r.IntN(4) > 0 {
				s.send(i, signal{name: names[s.r.IntN(len(names))], payload: randomResults(s.r)})
				continue
			}
			if events := m.awaited(n); len(events) > 0 && s.r.IntN(3) > 0 {
				e := events[s.r.IntN(len(events))]
				s.emitOne(e.name, e.key)
				continue
			}
			if s.r.IntN(4) == 0 {
				s.say("end the wait of %d.%s by hand", i, m.steps[n].name)
				_, err := s.e.ResolveStepManually(s.Context(), stepID(m.id, n), "", "")
				require.NoError(s, err)
				s.settleByHand(m, n, nil)
			}
		}
	}
}
