package racetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// verdict is the expected answer of the second call. The call answers while the transaction of the first call is open, or once
// that transaction has ended.
type verdict struct {
	waits bool
	// committed and undone are the answers if the first call commits, and if it rolls back. A call that does not wait answers
	// the same in both cases.
	committed, undone string
}

func waits(committed, undone string) verdict { return verdict{true, committed, undone} }

func says(answer string) verdict { return verdict{false, answer, answer} }

// pairs has the verdict on the second action for each first action. As the first action, "complete" and "fail" hold the task
// and the step, "cancel" holds everything, "retry", "finalise" and "timer" hold the task, and a claim holds only its step.
var pairs = map[string]map[string]verdict{
	// A claim never waits, because it skips rows that another transaction holds.
	"claim": {
		"claim": says("nothing"), "lease end": says("claimed"), "complete": says("claimed"), "complete in a transaction": says("claimed"), "fail": says("claimed"),
		"cancel": says("nothing"), "retry": says("claimed"), "finalise": says("claimed"), "timer": says("claimed"),
	},
	"lease end": {
		"claim": says("claimed"), "lease end": says("nothing"), "complete": says("nothing"), "complete in a transaction": says("nothing"), "fail": says("nothing"),
		"cancel": says("nothing"), "retry": says("claimed"), "finalise": says("claimed"), "timer": says("claimed"),
	},
	// A result waits for the task, or for the step.
	"complete": {
		"claim": says("completed"), "lease end": waits("stale", "completed"),
		"complete": waits("already_complete", "completed"), "complete in a transaction": waits("already_complete", "completed"), "fail": waits("stale", "completed"),
		"cancel": waits("cancelled", "completed"), "retry": waits("completed", "completed"),
		"finalise": waits("completed", "completed"), "timer": waits("completed", "completed"),
	},
	// complete_step waits as complete_steps does. It raises an error if complete_steps would answer that nothing is
	// recorded.
	"complete in a transaction": {
		"claim": says("completed"), "lease end": waits("stale", "completed"),
		"complete": waits("already_complete", "completed"), "complete in a transaction": waits("already_complete", "completed"), "fail": waits("stale", "completed"),
		"cancel": waits("cancelled", "completed"), "retry": waits("completed", "completed"),
		"finalise": waits("completed", "completed"), "timer": waits("completed", "completed"),
	},
	"fail": {
		"claim": says("retrying"), "lease end": waits("stale", "retrying"),
		"complete": waits("already_complete", "retrying"), "complete in a transaction": waits("already_complete", "retrying"), "fail": waits("retrying", "retrying"),
		"cancel": waits("cancelled", "retrying"), "retry": waits("retrying", "retrying"),
		"finalise": waits("retrying", "retrying"), "timer": waits("retrying", "retrying"),
	},
	// A cancellation takes everything, including claimed steps.
	"cancel": {
		"claim": waits("true", "true"), "lease end": waits("true", "true"),
		"complete": waits("true", "true"), "complete in a transaction": waits("true", "true"), "fail": waits("true", "true"),
		"cancel": waits("false", "true"), "retry": waits("true", "true"),
		"finalise": waits("true", "true"), "timer": waits("true", "true"),
	},
	"retry": {
		"claim": says("true"), "lease end": says("true"),
		"complete": waits("true", "true"), "complete in a transaction": waits("true", "true"), "fail": waits("true", "true"),
		"cancel": waits("refused", "true"), "retry": waits("false", "true"),
		"finalise": waits("true", "true"), "timer": waits("false", "true"),
	},
	"finalise": {
		"claim": says("false"), "lease end": says("false"),
		"complete": waits("false", "false"), "complete in a transaction": waits("false", "false"), "fail": waits("false", "false"),
		"cancel": waits("false", "false"), "retry": waits("false", "false"),
		"finalise": waits("false", "false"), "timer": waits("false", "false"),
	},
	// A timer never waits, because it tries again in a second if another transaction holds the task.
	"timer": {
		"claim": says("1"), "lease end": says("1"), "complete": says("0"), "complete in a transaction": says("0"), "fail": says("0"),
		"cancel": says("0"), "retry": says("0"), "finalise": says("0"), "timer": says("0"),
	},
}

func TestPairs_AnswerAsTheyMustInEitherOrder(t *testing.T) {
	t.Parallel()
	for _, second := range sorted(actions) {
		t.Run(second, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			for _, first := range sorted(actions) {
				for _, commit := range []bool{true, false} {
					name := first + " rolls back"
					if commit {
						name = first + " commits"
					}
					t.Run(name, func(t *testing.T) {
						s := newScene(t, pool, "plain")
						s.race(actions[first], actions[second], pairs[second][first], commit)
						s.requireEnd()
					})
				}
			}
		})
	}
}

// race calls the first action in a transaction, calls the second action while this transaction is open, and then ends the
// transaction.
func (s *scene) race(first, second action, want verdict, commit bool) {
	s.Helper()
	tx, err := s.pool.Begin(s.Context())
	require.NoError(s, err)
	defer func() { _ = tx.Rollback(s.Context()) }()
	_, err = first(s.Context(), s, direct.New(tx))
	require.NoError(s, err)

	conn, err := s.pool.Acquire(s.Context())
	require.NoError(s, err)
	defer conn.Release()
	type reply struct {
		answer string
		err    error
	}
	replied := make(chan reply, 1)
	go func() {
		answer, err := second(s.Context(), s, direct.New(conn))
		replied <- reply{answer, err}
	}()
	var have reply
	if want.waits {
		pgtest.WaitBlocked(s, s.pool, conn.Conn().PgConn().PID())
		require.Empty(s, replied)
	} else {
		have = <-replied // The second call returns at once. If it waited for the first call, it would never return.
	}

	answer := want.undone
	if commit {
		answer = want.committed
		require.NoError(s, tx.Commit(s.Context()))
	} else {
		require.NoError(s, tx.Rollback(s.Context()))
	}
	if want.waits {
		have = <-replied
	}
	require.NoError(s, have.err)
	require.Equal(s, answer, have.answer)
}
