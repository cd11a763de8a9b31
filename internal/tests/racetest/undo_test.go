package racetest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// undoing lists the calls that begin to undo a task, and other calls at the same time: a claim that finds a worker lost, and
// results of the step in progress, under the claim number $2.
var undoing = map[string]string{
	"cancel":   "select from tasker.cancel_task($1)",
	"give up":  "select from tasker.give_up_task($1)",
	"deadline": "select from tasker.fire_due_timers()",
	"stale":    "select from tasker.detect_and_transition_stale_tasks(false)",
	"complete": "select from tasker.complete_steps(array[tasker.step_uuid($1, 2)], array[$2::integer], array['{}']::jsonb[])",
	"fail":     "select from tasker.fail_steps(array[tasker.step_uuid($1, 2)], array[$2::integer], array['no'], array[true])",
	"release":  "select from tasker.release_steps(array[tasker.step_uuid($1, 2)], array[$2::integer])",
	"lost":     "select from tasker.claim_steps('{race}', gen_random_uuid(), 1, 60, '{b}')",
	// This fires the note of a failure in a task with on_failure: fail.
	"on_failure": "select from tasker.fire_due_timers()",
}

var causes = map[string]bool{"cancel": true, "give up": true, "deadline": true, "stale": true, "on_failure": true}

// TestUndo_BeginsOnceWhateverComesTogether makes each call while another call is not yet committed, and runs the task to
// its end. Steps that are complete or have begun are undone once, and the task ends once.
func TestUndo_BeginsOnceWhateverComesTogether(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	for _, policy := range []string{"continue", "fail"} {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "race", "name": "`+policy+`", "on_failure": "`+policy+`",
			"identity_strategy": "always_unique", "lifecycle": {"max_steps_in_process_minutes": 1}, "steps": [
			{"name": "a", "compensate": "undo"}, {"name": "b", "compensate": "undo", "dependencies": ["a"], "retry": {"retryable": false}}]}`))
		require.NoError(t, err)
	}
	for first, one := range undoing {
		for second, other := range undoing {
			if !causes[first] && !causes[second] {
				continue
			}
			t.Run(first+", "+second, func(t *testing.T) {
				// A task can be given up only if it is blocked.
				on := func(cause string) bool { return first == cause || second == cause }
				u := newUndone(t, pool, on("give up"), on("on_failure"), !on("on_failure") || on("deadline"))
				tx, err := pool.Begin(t.Context())
				require.NoError(t, err)
				defer func() { _ = tx.Rollback(t.Context()) }()
				refused := isRefused(t, u.call(t.Context(), tx, one))
				conn, err := pool.Acquire(t.Context())
				require.NoError(t, err)
				defer conn.Release()
				called := make(chan error, 1)
				go func() { called <- u.call(t.Context(), conn, other) }()
				awaitReplyOrLock(t, pool, conn, called)
				if refused {
					require.NoError(t, tx.Rollback(t.Context()))
				} else {
					require.NoError(t, tx.Commit(t.Context()))
				}
				isRefused(t, <-called)
				u.finish(t)
			})
		}
	}
}

type undoneTask struct {
	pool  *pgxpool.Pool
	task  uuid.UUID
	claim int32
}

// newUndone creates a task whose step a is complete, and whose step b is in progress or has failed. The task may be blocked or
// about to fail, and its deadline may have passed.
func newUndone(t *testing.T, pool *pgxpool.Pool, blocked, fails, late bool) *undoneTask {
	t.Helper()
	u := &undoneTask{pool: pool}
	worker := uuid.New()
	ctx := t.Context()
	template := map[bool]string{false: "continue", true: "fail"}[fails]
	require.NoError(t, pool.QueryRow(ctx, "select task_uuid from tasker.create_task('race', $1, '{}')", template).Scan(&u.task))
	for no := 1; no <= 2; no++ {
		require.NoError(t, pool.QueryRow(ctx, "select claim_no from tasker.claim_step(tasker.step_uuid($1, $2), $3)", u.task, no, worker).Scan(&u.claim))
		if no == 1 {
			_, err := pool.Exec(ctx, "select from tasker.complete_steps(array[tasker.step_uuid($1, 1)], array[$2::integer], array['{}']::jsonb[])", u.task, u.claim)
			require.NoError(t, err)
		}
	}
	if blocked || fails {
		_, err := pool.Exec(ctx, undoing["fail"], u.task, u.claim)
		require.NoError(t, err)
	}
	_, err := enginetest.Pass(ctx, pool, 2*time.Minute) // The lease has ended, and the task is stale.
	require.NoError(t, err)
	if late {
		_, err = pool.Exec(ctx, "insert into tasker.timers (task_uuid, kind, due_at) values ($1, 'task_deadline', tasker.clock())", u.task)
		require.NoError(t, err)
	}
	return u
}

// call makes one of the calls. Only some of them take the claim number.
func (u *undoneTask) call(ctx context.Context, db executor.DBTX, sql string) error {
	arguments := []any{u.task, u.claim}
	if !strings.Contains(sql, "$2") {
		arguments = arguments[:strings.Count(sql, "$1")]
	}
	_, err := db.Exec(ctx, sql, arguments...)
	return err
}

// isRefused reports whether a call is refused. It accepts no other error, such as a deadlock.
func isRefused(t *testing.T, err error) bool {
	t.Helper()
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) {
		require.True(t, strings.HasPrefix(refusal.Code, "TK"), refusal.Error())
		return true
	}
	require.NoError(t, err)
	return false
}

// awaitReplyOrLock waits until the call on conn waits for a lock or has replied. It leaves the reply in the channel.
func awaitReplyOrLock(t testing.TB, pool *pgxpool.Pool, conn *pgxpool.Conn, replied <-chan error) {
	t.Helper()
	for waits := false; !waits && len(replied) == 0; {
		require.NoError(t, pool.QueryRow(t.Context(), `select coalesce(bool_or(a.wait_event_type = 'Lock'), false)
			from pg_stat_activity as a where a.pid = $1`, conn.Conn().PgConn().PID()).Scan(&waits))
	}
}

// finish runs the task to its end, and checks the undone steps.
func (u *undoneTask) finish(t *testing.T) {
	t.Helper()
	ctx, e := t.Context(), direct.New(u.pool)
	var held []direct.StepResult
	for turn := 0; ; turn++ {
		require.Less(t, turn, 20, "the task does not end")
		reply, err := e.ExchangeSteps(ctx, direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"race"}, Limit: 10},
		})
		require.NoError(t, err)
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		_, err = enginetest.Pass(ctx, u.pool, 2*time.Second)
		require.NoError(t, err)
		task, err := e.GetTask(ctx, u.task)
		require.NoError(t, err)
		if task.Complete {
			break
		}
	}
	var state string
	var ends, undone int
	require.NoError(t, u.pool.QueryRow(ctx, `select t.state::text,
			(select count(*) from tasker.task_transition_log as l where l.task_uuid = t.task_uuid and l.event in ('Cancel', 'GiveUp', 'Timeout')),
			(select count(*) from tasker.workflow_steps as s where s.task_uuid = t.task_uuid and s.undo_no is not null and s.state = 'complete')
		from tasker.tasks as t where t.task_uuid = $1`, u.task).Scan(&state, &ends, &undone))
	if state == "complete" {
		require.Zero(t, undone)
	} else {
		require.Equal(t, 2, undone, "a, which is complete, and b, which has begun, are undone once each")
		require.Equal(t, 1, ends)
	}
	violations, err := enginetest.Violations(ctx, u.pool, []uuid.UUID{u.task})
	require.NoError(t, err)
	require.Empty(t, violations)
}
