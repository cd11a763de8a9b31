package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
)

// function makes a call as the handler of a durable function does, under a current or an old claim.
func (s *session) function() {
	s.Helper()
	claims := s.held()
	if len(claims) == 0 || s.r.IntN(5) == 0 {
		claims = s.old()
	}
	if len(claims) == 0 {
		return
	}
	c := claims[s.r.IntN(len(claims))]
	m := s.world.step(c)
	at := m.randomCall(s.r)
	chance := s.r.IntN(20)
	if s.plan.events && s.r.IntN(4) > 0 {
		chance, at = 10, m.nextCall(callNames[0])
	}
	given := direct.KeptCall{Position: int32(at.position), Name: at.name, Occurrence: int32(at.occurrence)}
	here := s.stepClaims([]claim{c})[0]
	var have gen.KeptAnswer
	var want kept
	var err error
	switch {
	case chance < 10:
		k, failure := keptResult{value: randomResults(s.r).json()}, ""
		if s.r.IntN(4) == 0 {
			k, failure = keptResult{failure: "refused"}, "refused"
		}
		s.say("keep %d.%s no %d %+v %s%s", c.task, m.name, c.no, at, k.value, failure)
		have, err = s.e.KeepStepResult(s.Context(), here, given, k.value, failure)
		want = s.keepResult(c, at, k)
	case chance < 15:
		waits, until := s.plan.wait(s.r, eventKeys[1:]), s.now.Add(time.Duration(s.r.IntN(100)-20)*time.Second)
		if s.plan.events && m.asked != nil && m.asked.wait != nil && s.r.IntN(3) > 0 {
			waits = m.asked.wait // in a loop
		}
		s.say("suspend %d.%s no %d %+v %s", c.task, m.name, c.no, at, waits.asJSON(until))
		have, err = s.e.SuspendStep(s.Context(), here, given, waits.asJSON(until))
		want = s.suspendStep(c, at, waits, until)
	case chance < 17:
		name := append(callNames, "$end")[s.r.IntN(len(callNames)+1)]
		s.say("diverge %d.%s no %d at %d with %s", c.task, m.name, c.no, at.position, name)
		have, err = s.e.DivergeStep(s.Context(), here, given.Position, name)
		want = s.divergeStep(c, at.position, name)
	default:
		round, n := m.round, s.r.IntN(100)
		if s.r.IntN(3) == 0 {
			round += s.r.IntN(3) - 1
		}
		s.say("continue %d.%s no %d after round %d with %d", c.task, m.name, c.no, round, n)
		have, err = s.e.ContinueStep(s.Context(), here, int32(round), json.RawMessage(fmt.Sprint(n)))
		want = s.continueStep(c, round, n)
	}
	s.answeredKept(want, have, err)
}

// answeredKept compares the answer to a function's call with the model.
func (s *session) answeredKept(want kept, have gen.KeptAnswer, err error) {
	s.Helper()
	switch {
	case errors.Is(err, executor.ErrInvalid):
		have.Answer, err = "invalid", nil
	case errors.Is(err, executor.ErrTooLarge):
		have.Answer, err = "full", nil
	}
	require.NoError(s, err)
	s.say("  %s", have.Answer)
	require.EqualValues(s, want.answer, have.Answer)
	if want.answer == "invalid" || want.answer == "full" {
		return
	}
	require.Equal(s, want.round == nil, have.Round == nil)
	if want.round != nil {
		require.EqualValues(s, *want.round, *have.Round)
	}
	if want.call.position == 0 {
		require.Nil(s, have.Position)
		return
	}
	require.Equal(s, want.call, call{position: int(*have.Position), name: *have.Name, occurrence: int(*have.Occurrence)})
	s.requireKept(want.found, have.Value, have.Error)
}

func (s *session) requireKept(want keptResult, value json.RawMessage, failure *string) {
	s.Helper()
	if want.failure != "" {
		require.Equal(s, want.failure, *failure)
		return
	}
	require.Nil(s, failure)
	require.JSONEq(s, string(want.value), string(value))
}

// compareFunctions compares the kept results and the waits of a task's functions with the model.
func (s *session) compareFunctions(i int, m *task) {
	s.Helper()
	for n := range m.steps {
		k := &m.steps[n]
		where := fmt.Sprintf("function %s of task %d, which should be %+v", k.name, i, k.function)
		if k.known || s.r.IntN(20) == 0 {
			rows, err := s.e.GetKeptResults(s.Context(), stepID(m.id, n), 0, 100)
			require.NoError(s, err)
			require.Len(s, rows, len(k.kept), where)
			for p, row := range rows {
				have := call{position: int(row.Position), name: row.Name, occurrence: int(row.Occurrence)}
				require.Equal(s, call{position: p + 1, name: k.kept[p].name, occurrence: k.kept[p].occurrence}, have, where)
				s.requireKept(k.kept[p], row.Value, row.Error)
			}
		}
		if k.asked == nil || k.wait != nil {
			continue
		}
		have, waits, err := s.e.GetStepWait(s.Context(), stepID(m.id, n))
		require.NoError(s, err)
		require.Equal(s, k.state == state.StepSuspended, waits, where)
		if !waits {
			continue
		}
		since, due := k.waitingFor()
		require.True(s, since.Equal(have.WaitingSince), where)
		require.ElementsMatch(s, k.signalsOf(), have.Signals, where)
		s.compareAwaited(m, n, have)
		require.Equal(s, due.IsZero(), have.DueAt == nil, where)
		if !due.IsZero() {
			require.True(s, due.Equal(*have.DueAt), where)
		}
	}
}

// compareDiverged compares how many functions health counts as waiting for other code.
func (s *session) compareDiverged() {
	s.Helper()
	var want int64
	for _, m := range s.tasks {
		for _, k := range m.lasting() {
			if k.asked.diverged != nil {
				want++
			}
		}
	}
	health, err := s.e.GetSystemHealthCounts(s.Context())
	require.NoError(s, err)
	require.Equal(s, want, health.DivergedSteps)
}
