package racetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// branching lists calls about a task whose step a is in progress under the claim number $2, and whose other steps wait for its
// failure or its end.
var branching = map[string]string{
	"fail":     "select from tasker.fail_steps(array[tasker.step_uuid($1, 1)], array[$2::integer], array['no'], array[true])",
	"complete": "select from tasker.complete_steps(array[tasker.step_uuid($1, 1)], array[$2::integer], array['{}']::jsonb[])",
	"snooze":   "select from tasker.snooze_step(tasker.step_uuid($1, 1), $2::integer, 0.001)",
	"cancel":   "select from tasker.cancel_task($1) where $2::integer is not null",
	"retry":    "select from tasker.retry_step(tasker.step_uuid($1, 1)) where $2::integer is not null",
	"rerun":    "select from tasker.rerun_step(tasker.step_uuid($1, 1), 'again') where $2::integer is not null",
	"reset":    "select from tasker.reset_task($1) where $2::integer is not null",
	"resolve":  "select from tasker.resolve_step_manually(tasker.step_uuid($1, 1)) where $2::integer is not null",
}

// racing lists calls about a task whose step go has begun with the first result while a, another dependency of it, is in progress.
var racing = map[string]string{
	"end race": "select from tasker.fire_due_timers() where $1::uuid is not null and $2::integer is not null",
	"fail":     branching["fail"], "complete": branching["complete"], "cancel": branching["cancel"], "retry": branching["retry"],
	"rerun first": "select from tasker.rerun_step(tasker.step_uuid($1, 2), 'again') where $2::integer is not null",
}

// starting lists calls about a task whose step a is enqueued and has waited too long for a worker.
var starting = map[string]string{
	"too late": racing["end race"], "cancel": branching["cancel"], "rerun": branching["rerun"], "resolve": branching["resolve"],
	"claim": "select from tasker.claim_step(tasker.step_uuid($1, 1), gen_random_uuid()) where $2::integer is not null",
}

const (
	lateSteps = `[{"name": "a", "start_within": 0.001}, {"name": "alert", "dependencies": [{"step": "a", "on": "failed"}]},
		{"name": "clean", "join": "settled", "dependencies": [{"step": "a", "on": "ended"}]}, {"name": "next", "dependencies": ["a"]}]`
	branchSteps = `[{"name": "a"}, {"name": "alert", "dependencies": [{"step": "a", "on": "failed"}]},
		{"name": "clean", "join": "settled", "dependencies": [{"step": "a", "on": "ended"}]}, {"name": "next", "dependencies": ["a"]}]`
	raceSteps = `[{"name": "a"}, {"name": "b"}, {"name": "go", "join": "first", "dependencies": ["a", "b"]}]`
)

// TestBranches_AreDecidedOnceWhateverComesTogether makes each call while another call is not yet committed, and runs the task to
// its end. Failure branches run only after a failure, and a race has one winner or none.
func TestBranches_AreDecidedOnceWhateverComesTogether(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	for name, steps := range map[string]string{"branch": branchSteps, "contest": raceSteps, "late": lateSteps} {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(
			`{"namespace": "race", "name": "`+name+`", "identity_strategy": "always_unique", "steps": `+steps+`}`))
		require.NoError(t, err)
	}
	for template, calls := range map[string]map[string]string{"branch": branching, "contest": racing, "late": starting} {
		for _, first := range sorted(calls) {
			for _, second := range sorted(calls) {
				t.Run(template+": "+first+", "+second, func(t *testing.T) {
					task, claim := newBranching(t, pool, template)
					tx, err := pool.Begin(t.Context())
					require.NoError(t, err)
					defer func() { _ = tx.Rollback(t.Context()) }()
					_, err = tx.Exec(t.Context(), calls[first], task, claim)
					refused := isRefused(t, err)
					conn, err := pool.Acquire(t.Context())
					require.NoError(t, err)
					defer conn.Release()
					called := make(chan error, 1)
					go func() {
						_, err := conn.Exec(t.Context(), calls[second], task, claim)
						called <- err
					}()
					awaitReplyOrLock(t, pool, conn, called)
					if refused {
						require.NoError(t, tx.Rollback(t.Context()))
					} else {
						require.NoError(t, tx.Commit(t.Context()))
					}
					isRefused(t, <-called)
					finishBranching(t, pool, task)
				})
			}
		}
	}
}

// newBranching creates a task whose step a is in progress, or is late. In a contest b is complete, and go has begun.
func newBranching(t *testing.T, pool *pgxpool.Pool, template string) (task uuid.UUID, claim int) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), "select task_uuid from tasker.create_task('race', $1, '{}')", template).Scan(&task))
	if template == "contest" {
		require.NoError(t, pool.QueryRow(t.Context(), "select claim_no from tasker.claim_step(tasker.step_uuid($1, 2), gen_random_uuid())", task).Scan(&claim))
	}
	if template == "late" {
		return task, 0
	}
	var a int
	require.NoError(t, pool.QueryRow(t.Context(), "select claim_no from tasker.claim_step(tasker.step_uuid($1, 1), gen_random_uuid())", task).Scan(&a))
	if template == "contest" {
		_, err := pool.Exec(t.Context(), "select from tasker.complete_steps(array[tasker.step_uuid($1, 2)], array[$2::integer], array['{}']::jsonb[])", task, claim)
		require.NoError(t, err)
	}
	return task, a
}

// finishBranching completes the remaining steps of a task, and checks which steps ran.
func finishBranching(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) {
	t.Helper()
	for {
		// A note whose task was locked is due a second later.
		_, err := enginetest.Pass(t.Context(), pool, 2*time.Second)
		require.NoError(t, err)
		_, err = pool.Exec(t.Context(), "select tasker.fire_due_timers()")
		require.NoError(t, err)
		// If no call ends a claim, the test completes its step, as a worker would.
		done, err := pool.Exec(t.Context(), `
			select from tasker.workflow_steps as s
			 cross join lateral (
			   select c.claim_no from tasker.claim_step(s.workflow_step_uuid, gen_random_uuid()) as c where s.state = 'enqueued'
			   union all
			   select s.claim_no where s.state = 'in_progress'
			 ) as c
			 cross join lateral tasker.complete_steps(array[s.workflow_step_uuid], array[c.claim_no], array['{}']::jsonb[]) as a
			 where s.task_uuid = $1`, task)
		require.NoError(t, err)
		if done.RowsAffected() == 0 {
			break
		}
	}
	violations, err := enginetest.Violations(t.Context(), pool, []uuid.UUID{task})
	require.NoError(t, err)
	require.Empty(t, violations)
	var state string
	var wrong []string
	require.NoError(t, pool.QueryRow(t.Context(), `
		select t.state::text, array(
		    select s.name || ' is ' || s.state from tasker.workflow_steps as s
		     where s.task_uuid = t.task_uuid
		       and t.state = 'complete'
		       and s.name in ('alert', 'clean', 'next', 'go')
		       and (s.state = 'complete') <> case s.name
		         when 'alert' then f.failed
		         when 'next' then not f.failed
		         else true
		       end
		  )
		  from tasker.tasks as t
		 cross join lateral (
		   select coalesce((
		       select l.event = 'Tolerate' from tasker.workflow_step_transition_log as l
		        where l.task_uuid = t.task_uuid and l.step_no = 1 order by l.sort_key desc limit 1
		     ), false) as failed
		 ) as f
		 where t.task_uuid = $1`, task).Scan(&state, &wrong))
	require.Contains(t, []string{"complete", "cancelled"}, state)
	require.Empty(t, wrong)
}
