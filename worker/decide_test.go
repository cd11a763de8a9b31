package worker

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// resting returns a loop with nothing to do: no step may be ready, and the next poll is far away.
func resting(t *testing.T) (l *loop, now time.Time) {
	t.Helper()
	w := bench(t, Config{Concurrency: 8, Exchanges: 2, PollInterval: time.Minute})
	Handle(w, "work", finish)
	Handle(w, "print", finish, MaxRunning(1))
	entries, err := w.start()
	require.NoError(t, err)
	d := newDesk(0)
	l = newLoop(makeRun(t.Context(), w, entries, d, d.open))
	now = l.pollAt
	l.pollAt, l.lastEvent = now.Add(time.Minute), now
	return l, now
}

func done() owed {
	return owed{StepResult: direct.StepResult{StepClaim: direct.StepClaim{StepUUID: uuid.New(), ClaimNo: 1}, Results: []byte("1")}}
}

// What the loop does follows from its fields and the time alone: there is no database, no goroutine, and no time passes.
func TestDecide(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		given func(l *loop, now time.Time)
		after time.Duration
		want  action
		next  time.Duration // from the beginning to the next event; 0: not looked at
	}{
		{"nothing has happened", func(*loop, time.Time) {}, 0, doNothing, settledAfter},
		{"nothing has happened for a while: it asks when something is due", func(*loop, time.Time) {}, settledAfter, doAsk, 0},
		{"it has asked", func(l *loop, _ time.Time) { l.asked = true }, settledAfter, doNothing, time.Minute},
		{"the next poll is so near that a question is not worth it", func(l *loop, now time.Time) { l.pollAt = now.Add(askBefore) }, settledAfter, doNothing, askBefore},
		{"a call is under way, which may have the answer", func(l *loop, _ time.Time) { l.idle = l.idle[:1] }, settledAfter, doNothing, time.Minute},
		{"no slot is free", func(l *loop, _ time.Time) { l.idle = nil; l.lookAgain() }, 0, doNothing, time.Minute},
		{"there may be steps", func(l *loop, _ time.Time) { l.lookAgain() }, 0, doExchange, 0},
		{"there may be steps, and no place is free", func(l *loop, _ time.Time) { l.lookAgain(); l.free = 0 }, 0, doNothing, time.Minute},
		{"there may be steps of a handler that has no place", func(l *loop, _ time.Time) {
			for _, g := range l.groups {
				if g.limit == 1 {
					g.ready, g.free = true, 0
				}
			}
		}, 0, doNothing, settledAfter},
		{"the database refused the last claim", func(l *loop, now time.Time) { l.lookAgain(); l.claimFrom = now.Add(time.Second) }, 0, doNothing, settledAfter},
		{"the pause after a refused claim is over", func(l *loop, now time.Time) { l.lookAgain(); l.claimFrom = now.Add(time.Second) }, time.Second, doExchange, 0},
		{"a result, and no handler runs", func(l *loop, _ time.Time) { l.pending = []owed{done()} }, 0, doExchange, 0},
		{"a result waits for those of other handlers", func(l *loop, _ time.Time) { l.active, l.pending = 3, []owed{done()} }, 0, doNothing, gatherBriefly},
		{"a result waits longer while many steps come", func(l *loop, _ time.Time) {
			l.active, l.busy, l.pending = 3, true, []owed{done()}
		}, 0, doNothing, gatherFor},
		{"a result has waited for others", func(l *loop, now time.Time) {
			l.active, l.pending, l.gatherTill = 3, []owed{done()}, now.Add(gatherBriefly)
		}, gatherBriefly, doExchange, 0},
		{"enough results for a call", func(l *loop, _ time.Time) {
			l.active, l.pending = 3, []owed{done(), done(), done(), done()}
		}, 0, doExchange, 0},
		{"a result and a step that may be ready", func(l *loop, _ time.Time) {
			l.active, l.pending = 3, []owed{done()}
			l.lookAgain()
		}, 0, doExchange, 0},
		{"results that no call could deliver go before claims", func(l *loop, _ time.Time) { l.lookAgain(); l.late = 1 }, 0, doNothing, settledAfter},
		{"too many bytes are owed for another claim", func(l *loop, _ time.Time) { l.lookAgain(); l.bytes = l.config.owesMost + 1 }, 0, doNothing, settledAfter},
		{"a refused call goes first", func(l *loop, _ time.Time) {
			l.split, l.releases, l.pending = [][]owed{{done()}}, []direct.StepClaim{done().StepClaim}, []owed{done()}
		}, 0, doResend, 0},
		{"steps are handed back before results", func(l *loop, _ time.Time) {
			l.releases, l.pending = []direct.StepClaim{done().StepClaim}, []owed{done()}
		}, 0, doHandBack, 0},
		{"the database does not answer", func(l *loop, now time.Time) {
			l.pending, l.wait, l.tryAt = []owed{done()}, time.Second, now.Add(time.Second)
		}, 0, doNothing, time.Second},
		{"one call at a time shows whether it answers again", func(l *loop, now time.Time) {
			l.pending, l.wait, l.tryAt = []owed{done()}, time.Second, now.Add(time.Second)
		}, time.Second, doExchange, 0},
		{"that call is under way", func(l *loop, now time.Time) {
			l.pending, l.wait, l.probing = []owed{done()}, time.Second, true
		}, time.Second, doNothing, 0},
		{"a worker that stops claims nothing", func(l *loop, _ time.Time) { l.lookAgain(); l.stopping = true }, 0, doNothing, 0},
		{"a worker that stops sends results at once", func(l *loop, _ time.Time) {
			l.stopping, l.active, l.pending = true, 3, []owed{done()}
		}, 0, doExchange, 0},
		{"a worker that stops asks nothing", func(l *loop, _ time.Time) { l.stopping = true }, settledAfter, doNothing, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l, now := resting(t)
			test.given(l, now)
			require.Equal(t, test.want, l.decide(now.Add(test.after)))
			if test.next > 0 {
				require.Equal(t, test.next, l.nextEvent(now.Add(test.after)).Sub(now))
			}
		})
	}
}
