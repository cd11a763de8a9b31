package modeltest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// TestEvents_AgreeWithTheModelCallByCall runs the model's session with tasks that wait for events. The steps of templates and
// durable functions wait, before or after the event is emitted, for several events at once, and repeatedly.
func TestEvents_AgreeWithTheModelCallByCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	now, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	setMaxLost(t, pool, maxLost)
	throwOften(t, pool)
	_, err = direct.New(pool).SetSetting(t.Context(), "kept_results", new(fmt.Sprint(maxKept)))
	require.NoError(t, err)
	prepareSQL(t, pool)

	seen := map[string]int{}
	rounds(t, 8, 2000, func(t *testing.T, seed uint64, r *rand.Rand) {
		kind := enginetest.Namespaces[r.IntN(len(enginetest.Namespaces))]
		s := newSession(t, pool, r, kind, eventTemplate(r, kind.Name, fmt.Sprintf("e%d", seed)), now)
		s.seen = seen
		now = s.run(40 + r.IntN(40))
	})
	replaytest.Recorded(t, pool)
	t.Logf("what events met: %v", seen)
	for _, kind := range []string{"delivered", "looked back", "function", "too early", "does not fit", "left over", "late while paused"} {
		// A single seed, given by PGTASKER_SEED, may not reach every kind.
		require.True(t, seen[kind] > 0 || os.Getenv("PGTASKER_SEED") != "", "no event met the case %q", kind)
	}
}

// emit emits an event for which a step waits, or a random event. Some events are emitted again, and some in a transaction that
// is rolled back.
func (s *session) emit() {
	s.Helper()
	name := append(eventNames, "foreign")[s.r.IntN(len(eventNames)+1)]
	key := eventKeys[1+s.r.IntN(len(eventKeys)-1)]
	var wanted []awaited
	for _, m := range s.tasks {
		for n := range m.steps {
			wanted = append(wanted, m.awaited(n)...)
		}
	}
	if len(wanted) > 0 && s.r.IntN(4) > 0 {
		w := wanted[s.r.IntN(len(wanted))]
		name, key = w.name, w.key
	}
	s.emitOne(name, key)
}

func (s *session) emitOne(name, key string) {
	s.Helper()
	e := &event{name: name, key: key, payload: randomResults(s.r), sentAt: s.now, taken: map[place]bool{}}
	if s.r.IntN(3) == 0 {
		e.idempotentKey = fmt.Sprintf("%s-%d", s.plan.name, s.r.IntN(4))
	}
	given := executor.Event{Namespace: s.plan.namespace, Name: name, Key: key, Payload: e.payload.json(), IdempotencyKey: e.idempotentKey}
	s.say("emit %s key %q %s idempotency key %q", name, key, given.Payload, e.idempotentKey)
	if s.r.IntN(8) == 0 {
		s.say("  which is rolled back")
		tx, err := s.pool.Begin(s.Context())
		require.NoError(s, err)
		_, err = direct.New(tx).EmitEvent(s.Context(), given)
		require.NoError(s, err)
		require.NoError(s, tx.Rollback(s.Context()))
		return
	}
	have, err := s.e.EmitEvent(s.Context(), given)
	require.NoError(s, err)
	e.id = have.EventUUID
	first := s.world.emit(e)
	require.Equal(s, first != nil, have.Repeated)
	if first != nil {
		require.Equal(s, first.id, have.EventUUID)
	}
}

// matched returns those of the steps that had begun to wait which a claim has matched with events. If there are more steps than
// the claim matches, the engine may choose.
func (s *session) matched(begun []place, limit int) []place {
	s.Helper()
	if most := max(limit, 25) / 2; len(s.begun()) > most {
		left := s.notes()
		begun = slices.DeleteFunc(begun, func(p place) bool { return slices.Contains(left, s.note(p)) })
		require.LessOrEqual(s, len(begun), most)
	}
	return begun
}

// deliversMore reports whether a claim has delivered events to more steps, as a claim without ready steps does. If only
// limits hold steps back, the engine may find no ready step.
func (s *session) deliversMore(unlimited, all int) bool {
	s.Helper()
	open := s.undelivered()
	if len(open) == 0 || unlimited > 0 {
		return false
	}
	if all > 0 {
		have, err := s.e.GetEvent(s.Context(), open[0].id)
		require.NoError(s, err)
		if have.DeliveredAt == nil {
			return false
		}
	}
	s.seen["idle"]++
	return true
}

// compareAwaited compares the events that a step waits for with the model.
func (s *session) compareAwaited(m *task, n int, have gen.WaitDetail) {
	s.Helper()
	names, keys := []string{}, []string{}
	for _, a := range m.awaited(n) {
		names, keys = append(names, a.name), append(keys, a.key)
	}
	require.Equal(s, names, have.Events)
	require.Equal(s, keys, have.EventKeys)
}

// compareEvents compares each event with the model: the number of steps that have taken it, and the due notes for events and
// waits.
func (s *session) compareEvents() {
	s.Helper()
	rows, err := s.e.ListEvents(s.Context(), executor.EventFilter{Namespace: s.plan.namespace, Limit: 1000})
	require.NoError(s, err)
	notes := []string{}
	for _, e := range s.events {
		at := slices.IndexFunc(rows, func(row gen.BroadcastDetail) bool { return row.EventUUID == e.id })
		require.GreaterOrEqual(s, at, 0, "event %s %s", e.name, e.id)
		row := rows[at]
		require.Equal(s, [2]string{e.name, e.key}, [2]string{row.Name, row.Key})
		requireJSON(s, e.payload, row.Payload)
		require.True(s, e.sentAt.Equal(row.SentAt))
		require.EqualValues(s, len(e.taken), row.Receivers, "receivers of %s %s: %v", e.name, e.id, e.taken)
		require.Equal(s, e.delivered, row.DeliveredAt != nil, "whether %s %s is delivered", e.name, e.id)
		require.Zero(s, row.BusyReceivers)
		if !e.delivered {
			notes = append(notes, fmt.Sprintf("deliver_event %s 0", e.id))
		}
	}
	for _, p := range s.begun() {
		notes = append(notes, s.note(p))
	}
	require.ElementsMatch(s, notes, s.notes(), "notes")
}

func (s *session) note(p place) string {
	return fmt.Sprintf("match_wait %s %d", s.tasks[p.task].id, p.step+1)
}

// notes returns the engine's notes for events and waits.
func (s *session) notes() (notes []string) {
	s.Helper()
	rows, err := s.pool.Query(s.Context(), "select m.kind::text, m.task_uuid, m.step_no from tasker.timers as m where m.kind in ('match_wait', 'deliver_event')")
	require.NoError(s, err)
	defer rows.Close()
	for rows.Next() {
		var kind string
		var id uuid.UUID
		var step int
		require.NoError(s, rows.Scan(&kind, &id, &step))
		notes = append(notes, fmt.Sprintf("%s %s %d", kind, id, step))
	}
	require.NoError(s, rows.Err())
	return notes
}
