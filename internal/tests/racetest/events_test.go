package racetest

import (
	"context"
	"encoding/json"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// eventActions lists the actions on a step that waits for a signal or an event. It has one action more than waitActions.
var eventActions = func() map[string]action {
	all := maps.Clone(waitActions)
	all["event"] = func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return fireOne(ctx, s, e)
	}
	return all
}()

// eventPairs has the pairs in which one of the two actions is the delivery of an event, with the verdict on the second action
// for each first action. The delivery never waits for a task. It leaves a note to try again.
var eventPairs = map[string]map[string]verdict{
	"event": {
		"signal": says("1"), "cancel": says("1"), "retry": says("1"), "reset": says("1"), "complete": says("1"),
		"timeout": says("1"), "deadline": says("1"), "event": says("0"),
	},
	"signal":   {"event": waits("kept", "delivered")},
	"cancel":   {"event": waits("true", "true")},
	"retry":    {"event": waits("refused", "false")},
	"reset":    {"event": waits("false", "false")},
	"complete": {"event": waits("refused", "true")}, // the event gave the step another result
	"timeout":  {"event": says("0")},
	"deadline": {"event": says("0")},
}

func TestEventPairs_OneEndsTheWaitAndTheOtherIsTold(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{
		"namespace": "plain", "name": "wait", "identity_strategy": "always_unique", "steps": [
		  {"name": "approve", "await": [{"signal": "approved"}, {"event": "go", "look_back": 0.001}], "timeout": "1h"},
		  {"name": "last", "dependencies": ["approve"]}]}`))
	require.NoError(t, err)
	for _, second := range sorted(eventPairs) {
		for _, first := range sorted(eventPairs[second]) {
			for _, commit := range []bool{true, false} {
				name := second + " after " + first + " rolls back"
				if commit {
					name = second + " after " + first + " commits"
				}
				t.Run(name, func(t *testing.T) {
					_, err := enginetest.Pass(t.Context(), pool, time.Minute) // Move the clock, so that this scene does not see the event of the previous scene.
					require.NoError(t, err)
					s := newWait(t, pool, first, second)
					e := direct.New(pool)
					fired, err := e.FireDueTimers(t.Context(), 1) // the note of the wait, which is due first
					require.NoError(t, err)
					require.Equal(t, int32(1), fired)
					_, err = e.EmitEvent(t.Context(), executor.Event{Namespace: "plain", Name: "go"})
					require.NoError(t, err)
					if first == "event" {
						_, err = pool.Exec(t.Context(), "update tasker.timers set due_at = '2020-01-01' where kind = 'deliver_event'")
						require.NoError(t, err)
					}
					s.race(eventActions[first], eventActions[second], eventPairs[second][first], commit)
					s.requireDelivered()
					s.requireNoWait()
				})
			}
		}
	}
}

// requireDelivered delivers the remaining events. The state of a step never holds up an event.
func (s *scene) requireDelivered() {
	s.Helper()
	_, err := s.pool.Exec(s.Context(), "update tasker.broadcast_retries set due_at = '2020-01-01'; update tasker.timers set due_at = '2020-01-01' where kind = 'deliver_event'")
	require.NoError(s, err)
	for {
		fired, err := direct.New(s.pool).FireDueTimers(s.Context(), 100)
		require.NoError(s, err)
		if fired == 0 {
			break
		}
	}
	var open, twice int
	require.NoError(s, s.pool.QueryRow(s.Context(), `
		select (select count(*) from tasker.broadcasts as b where b.delivered_at is null) + (select count(*) from tasker.broadcast_retries),
		       (select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = $1 and l.step_no = 1 and l.to_state = 'complete')`,
		s.task).Scan(&open, &twice))
	require.Zero(s, open)
	require.LessOrEqual(s, twice, 1)
}
