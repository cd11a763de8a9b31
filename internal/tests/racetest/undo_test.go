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
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// undoing are the causes that begin to undo a task, and what may happen at the same time: a claim that finds a worker lost, and
// the results of the step that is in progress, under the claim number $2.
var undoing = map[string]string{
	"cancel":   "select from tasker.cancel_task($1)",
	"give up":  "select from tasker.give_up_task($1)",
	"deadline": "select from tasker.fire_due_timers()",
	"stale":    "select from tasker.detect_and_transition_stale_tasks(false)",
	"complete": "select from tasker.complete_steps(array[tasker.step_uuid($1, 2)], array[$2::integer], array['{}']::jsonb[])",
	"fail":     "select from tasker.fail_steps(array[tasker.step_uuid($1, 2)], array[$2::integer], array['no'], array[true])",
	"release":  "select from tasker.release_steps(array[tasker.step_uuid($1, 2)], array[$2::integer])",
	"lost":     "select from tasker.claim_steps('{race}', gen_random_uuid(), 1, 60, '{b}')",
	// The note of a failure in a task with on_failure: fail.
	"on_failure": "select from tasker.fire_due_timers()",
}

var causes = map[string]bool{"cancel": true, "give up": true, "deadline": true, "stale": true, "on_failure": true}

// TestUndo_BeginsOnceWhateverComesTogether has each of these things happen while another is not yet committed, and runs the task
// to its end: what was done or begun is undone once, and the task ends once.
func TestUndo_BeginsOnceWhateverComesTogether(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	for _, policy := range []string{"continue", "fail"} {
		_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "race", "name": "`+policy+`", "on_failure": "`+policy+`",
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
				// A task that is given up is blocked.
				on := func(cause string) bool { return first == cause || second == cause }
				u := newUndone(t, pool, on("give up"), on("on_failure"), !on("on_failure") || on("deadline"))
				tx, err := pool.Begin(t.Context())
				require.NoError(t, err)
				defer func() { _ = tx.Rollback(t.Context()) }()
				requireRefusal(t, u.call(t.Context(), tx, one))
				called := make(chan error, 1)
				go func() { called <- u.call(t.Context(), pool, other) }()
				_ = tx.Commit(t.Context()) // what was refused has nothing to commit
				requireRefusal(t, <-called)
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

// newUndone makes a task whose step a is done, and whose step b is in progress, or has failed, in a task that is blocked or about to
// fail; perhaps its deadline has passed.
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
	_, err := enginetest.Pass(ctx, pool, 2*time.Minute) // the lease has ended, and the task is stale
	require.NoError(t, err)
	if late {
		_, err = pool.Exec(ctx, "insert into tasker.timers (task_uuid, kind, due_at) values ($1, 'task_deadline', tasker.clock())", u.task)
		require.NoError(t, err)
	}
	return u
}

// call does one thing to it. Only some take the claim number.
func (u *undoneTask) call(ctx context.Context, db executor.DBTX, sql string) error {
	arguments := []any{u.task, u.claim}
	if !strings.Contains(sql, "$2") {
		arguments = arguments[:strings.Count(sql, "$1")]
	}
	_, err := db.Exec(ctx, sql, arguments...)
	return err
}

// requireRefusal accepts what a call refuses, and nothing else: no deadlock.
func requireRefusal(t *testing.T, err error) {
	t.Helper()
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) {
		require.True(t, strings.HasPrefix(refusal.Code, "TK"), refusal.Error())
		return
	}
	require.NoError(t, err)
}

// finish runs the task to its end, and checks what was undone.
func (u *undoneTask) finish(t *testing.T) {
	t.Helper()
	ctx, e := t.Context(), executor.New(u.pool)
	var held []executor.StepResult
	for turn := 0; ; turn++ {
		require.Less(t, turn, 20, "the task does not end")
		reply, err := e.ExchangeSteps(ctx, executor.Exchange{
			Results: held, ClaimRequest: executor.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"race"}, Limit: 10},
		})
		require.NoError(t, err)
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, executor.StepResult{StepClaim: executor.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
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
		require.Equal(t, 2, undone, "a, which was done, and b, which was begun, once each")
		require.Equal(t, 1, ends)
	}
	violations, err := enginetest.Violations(ctx, u.pool, []uuid.UUID{u.task})
	require.NoError(t, err)
	require.Empty(t, violations)
}
