package eventstorm

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// Many steps wait for one event. It is emitted in a transaction that stays open for a while. Then the sessions that deliver the event
// are ended in the middle, and the server is killed.
func TestStorm_DeliversAnEventOnceToEachStepThatWaits(t *testing.T) {
	crowd, held := pgtest.Number("PGTASKER_STORM_CROWD", 1000), time.Duration(pgtest.Number("PGTASKER_STORM_HELD", 1))*time.Second
	s := newStorm(t, true, `{"namespace": "storm", "name": "crowd", "identity_strategy": "always_unique", "steps": [
		{"name": "other"}, {"name": "wait", "await": {"event": "go"}}]}`)
	var open reads
	o := s.others()
	s.exec("vacuum analyze")
	o.work(func(n int) bool { return n == 20 }) // plans its statements
	before := s.claimReads()
	unmatched, matching := o.register(crowd)
	t.Log("exchanges of others while no step begins to wait:", unmatched)
	t.Log("exchanges of others which match steps that wait: ", matching)
	s.exec("vacuum analyze")
	require.Equal(t, crowd, s.count("select count(*) from tasker.waits"))
	o.work(func(n int) bool { return n == 20 }) // makes its plans again
	waiting := s.claimReads()

	heldAlone, heldBeside := o.compareEmitting(held / 2)
	s.emitting("go", true, func() {
		open = s.claimReads()
		busy, worked, slowest := s.workOn(held / 2)
		t.Logf("%d results of tasks that wait while the event was being emitted, the slowest in %s", worked, slowest)
		require.Zero(t, busy, "no result of a task that waits was busy while the event was being emitted")
	})
	t.Log("exchanges of others beside another open event:   ", heldAlone)
	t.Log("exchanges of others beside the crowd's:          ", heldBeside)
	heldBeside.within(t, 2, heldAlone)

	s.exec("vacuum tasker.step_queue") // which others have filled with dead rows meanwhile
	// While a deliverer holds the event's note, other claims do not wait for it.
	holder, err := s.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = direct.New(holder).FireDueTimers(t.Context(), 100)
	require.NoError(t, err)
	delivered := s.claimReads()
	require.NoError(t, holder.Rollback(t.Context()))
	t.Logf("a claim of others touches %d blocks beside %d waits; %d while the event is emitted (%s), %d while it is delivered (%s)",
		waiting.sum(), crowd, open.sum(), open.beyond(waiting), delivered.sum(), delivered.beyond(waiting))
	t.Logf("before it were %d; beside the crowd more: %s", before.sum(), waiting.beyond(before))
	// A claim reads the event's row in timers, in a few versions, and pages of the queue that others have emptied meanwhile. The rest is
	// the height of indexes (TestClaim_ReadsNothingOfStepsThatWaitInOtherNamespaces).
	for _, r := range []reads{waiting, open, delivered} {
		r.requireNoneOfWaits(t)
		require.LessOrEqual(t, r["timers"], 8)
		require.LessOrEqual(t, r["timers_due_idx"], waiting["timers_due_idx"]+2)
		require.LessOrEqual(t, r.sum(), waiting.sum()+12)
	}

	delivering, done := context.WithCancel(t.Context())
	defer done()
	var deliverers sync.WaitGroup
	var passage gate
	for range 2 {
		deliverers.Go(func() { s.deliver(delivering, 100, &passage) })
	}
	without, beside, themselves := o.compare(crowd*3/4, &passage)
	t.Log("exchanges of others while nothing delivers:      ", without)
	t.Log("exchanges of others beside deliverers:           ", beside)
	t.Log("exchanges of others which deliver themselves:    ", themselves)
	// Each of these exchanges matches twelve steps itself. An exchange may make ten steps wait, so fewer than ten matches would let
	// unmatched steps pile up.
	matching.within(t, 3, unmatched)
	beside.within(t, 2, without)
	themselves.within(t, 2, without)
	var ended atomic.Int64
	ends := 4
	for i := range ends {
		goal := crowd*3/4 + (i+1)*crowd/4/(ends+2)
		require.Eventually(t, func() bool {
			var n int
			err := s.pool.QueryRow(t.Context(), "select count(*) from tasker.broadcast_receipts").Scan(&n)
			return err == nil && n >= goal
		}, 10*time.Minute, time.Millisecond)
		if i == ends/2 {
			require.NoError(t, s.server.Crash(t.Context()))
			ended.Add(1)
			continue
		}
		ended.Add(int64(s.endDeliverers(t.Context())))
	}
	require.Eventually(t, func() bool {
		var n int
		err := s.pool.QueryRow(t.Context(), "select count(*) from tasker.timers where kind = 'deliver_event'").Scan(&n)
		return err == nil && n == 0
	}, 10*time.Minute, 10*time.Millisecond)
	done()
	deliverers.Wait()
	s.pool.Reset() // it may hold sessions that ended with the server
	t.Logf("%d steps got the event, %d deliverers ended, one of them with the server", crowd, ended.Load())
	require.Equal(t, crowd, s.count("select count(*) from tasker.broadcast_receipts"))
	require.Equal(t, crowd, s.count("select count(*) from tasker.workflow_steps where name = 'wait' and state = 'complete'"))
	require.Equal(t, crowd, s.count("select count(*) from tasker.workflow_step_transition_log as l join tasker.workflow_steps as s using (task_uuid, step_no) where s.name = 'wait' and l.from_state = 'suspended'"))
	require.Zero(t, s.count("select count(*) from tasker.waits"))
	require.Zero(t, s.count("select count(*) from tasker.check_integrity()"))
	replaytest.Recorded(t, s.pool)
}

// emitting emits an event, and calls a function before it commits or rolls back.
func (s *storm) emitting(name string, commit bool, do func()) {
	s.Helper()
	tx, err := s.pool.Begin(s.Context())
	require.NoError(s, err)
	_, err = direct.New(tx).EmitEvent(s.Context(), executor.Event{Namespace: "storm", Name: name})
	require.NoError(s, err)
	do()
	if commit {
		require.NoError(s, tx.Commit(s.Context()))
		return
	}
	require.NoError(s, tx.Rollback(s.Context()))
}

// workOn claims and completes the other steps of tasks that wait. It returns the number of busy results, the number of recorded
// results, and the time of the slowest exchange.
func (s *storm) workOn(d time.Duration) (busy, worked int, slowest time.Duration) {
	s.Helper()
	e, worker := direct.New(s.pool), uuid.New()
	var held []direct.StepResult
	for end := time.Now().Add(d); time.Now().Before(end); {
		began := time.Now()
		reply, err := e.ExchangeSteps(s.Context(), direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 10},
		})
		require.NoError(s, err)
		slowest = max(slowest, time.Since(began))
		for _, answer := range reply.Answers {
			worked++
			if answer.Answer == "busy" {
				busy++
			}
		}
		held = results(reply.Claimed)
		if len(held) == 0 {
			pause(s.Context(), 20*time.Millisecond)
		}
	}
	return busy, worked, slowest
}
