package racetest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// family is a parent whose step waits for a child. A worker has the child's last step.
type family struct {
	*testing.T
	pool          *pgxpool.Pool
	parent, child uuid.UUID
	kid, a        uuid.UUID
	claim         int32
}

// familyActions lists the actions that can happen to a family at the same time.
var familyActions = map[string]func(ctx context.Context, f *family, e *direct.Executor) error{
	"the child ends": func(ctx context.Context, f *family, e *direct.Executor) error {
		return f.end(ctx, e, "")
	},
	"the child fails": func(ctx context.Context, f *family, e *direct.Executor) error {
		return f.end(ctx, e, "no stock")
	},
	"the word is given": func(ctx context.Context, _ *family, e *direct.Executor) error {
		_, err := e.FireDueTimers(ctx, 100)
		return err
	},
	"the parent is cancelled": func(ctx context.Context, f *family, e *direct.Executor) error {
		_, err := e.CancelTask(ctx, f.parent, "", "")
		return err
	},
	"the child is cancelled": func(ctx context.Context, f *family, e *direct.Executor) error {
		_, err := e.CancelTask(ctx, f.child, "", "")
		return err
	},
	"the step is completed": func(ctx context.Context, f *family, e *direct.Executor) error {
		_, err := e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{StepUUID: f.kid, Results: json.RawMessage(`{}`)})
		return err
	},
	"the step is retried": func(ctx context.Context, f *family, e *direct.Executor) error {
		_, err := e.RetryStep(ctx, f.kid, "", "")
		return err
	},
	"the parent is reset": func(ctx context.Context, f *family, e *direct.Executor) error {
		_, err := e.ResetTask(ctx, f.parent, "", "")
		return err
	},
	"the child is reset": func(ctx context.Context, f *family, e *direct.Executor) error {
		_, err := e.ResetTask(ctx, f.child, "", "")
		return err
	},
	"the deadline passes": func(ctx context.Context, _ *family, e *direct.Executor) error {
		_, err := e.FireDueTimers(ctx, 1)
		return err
	},
}

func (f *family) end(ctx context.Context, e *direct.Executor, failure string) error {
	_, err := e.ExchangeSteps(ctx, direct.Exchange{
		Results: []direct.StepResult{{
			StepClaim: direct.StepClaim{StepUUID: f.a, ClaimNo: f.claim}, Error: failure, Permanent: failure != "",
		}},
		ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1, Handlers: []string{"none"}},
	})
	return err
}

// The test runs each pair in both orders, and the first action commits or rolls back. The child has completed before, has
// failed before, or still runs.
func TestFamilyPairs_EndSoundInEveryOrder(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "the child ends", "the child fails"} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			for _, template := range []string{
				`{"namespace": "plain", "name": "child", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [{"name": "a"}]}`,
				`{"namespace": "plain", "name": "parent", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [
				  {"name": "kid", "task": {"name": "child"}}, {"name": "after", "dependencies": ["kid"]}]}`,
			} {
				_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
				require.NoError(t, err)
			}
			for _, first := range sorted(familyActions) {
				for _, second := range sorted(familyActions) {
					for _, commit := range []bool{true, false} {
						if !commit && before != "" {
							continue // a rollback is tried only while the child runs
						}
						name := first + ", rolled back, then " + second
						if commit {
							name = first + ", then " + second
						}
						t.Run(name, func(t *testing.T) {
							f := newFamily(t, pool, first == "the deadline passes" || second == "the deadline passes")
							if before != "" {
								// The child ends here, and the two actions find its note.
								_, err := pool.Exec(t.Context(), "select tasker.exchange_steps($1, array[$2::uuid], array[$3::integer], p_errors => array[$4::text], p_permanent => array[true])",
									uuid.New(), f.a, f.claim, map[string]any{"the child fails": "no stock"}[before])
								require.NoError(t, err)
							}
							f.race(familyActions[first], familyActions[second], commit)
							f.requireSound()
						})
					}
				}
			}
		})
	}
}

func newFamily(t *testing.T, pool *pgxpool.Pool, late bool) *family {
	t.Helper()
	e := direct.New(pool)
	f := &family{T: t, pool: pool}
	now, err := e.Clock(t.Context())
	require.NoError(t, err)
	options := executor.TaskOptions{}
	if late {
		options.Deadline = now.Add(time.Minute)
	}
	made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "parent", TaskOptions: options})
	require.NoError(t, err)
	f.parent, f.kid = made.TaskUUID, made.TaskUUID
	f.kid[15] = 1
	_, err = e.FireDueTimers(t.Context(), 100)
	require.NoError(t, err)
	steps, err := e.ListSteps(t.Context(), f.parent)
	require.NoError(t, err)
	require.NotNil(t, steps[0].ChildTaskUUID)
	f.child, f.a = *steps[0].ChildTaskUUID, *steps[0].ChildTaskUUID
	f.a[15] = 1
	claimed, err := e.ClaimStep(t.Context(), f.a, uuid.New(), time.Hour)
	require.NoError(t, err)
	f.claim = claimed.ClaimNo
	if late {
		_, err = enginetest.Pass(t.Context(), pool, 2*time.Minute)
		require.NoError(t, err)
	}
	return f
}

// race runs the first action, and starts the second action while the transaction of the first action is open. The second action
// may wait for this transaction.
func (f *family) race(first, second func(context.Context, *family, *direct.Executor) error, commit bool) {
	f.Helper()
	tx, err := f.pool.Begin(f.Context())
	require.NoError(f, err)
	defer func() { _ = tx.Rollback(f.Context()) }()
	// An action that does not apply is refused, which is part of the race.
	if err := first(f.Context(), f, direct.New(tx)); err != nil {
		require.ErrorIs(f, err, executor.ErrConflict)
		commit = false
	}
	conn, err := f.pool.Acquire(f.Context())
	require.NoError(f, err)
	defer conn.Release()
	replied := make(chan error, 1)
	go func() { replied <- second(f.Context(), f, direct.New(conn)) }()
	awaitReplyOrLock(f, f.pool, conn, replied)
	if commit {
		require.NoError(f, tx.Commit(f.Context()))
	} else {
		require.NoError(f, tx.Rollback(f.Context()))
	}
	if answer := <-replied; answer != nil && !errors.Is(answer, executor.ErrConflict) {
		require.NoError(f, answer)
	}
}

// requireSound fires notes until none is left and checks both tasks, then cancels the parent and checks again. No task of the
// family may be open, except a child that was reset alone after its parent's step had ended.
func (f *family) requireSound() {
	f.Helper()
	f.settle()
	e := direct.New(f.pool)
	if _, err := e.CancelTask(f.Context(), f.parent, "", ""); err != nil {
		require.ErrorIs(f, err, executor.ErrConflict)
	}
	f.settle()
	var open int
	require.NoError(f, f.pool.QueryRow(f.Context(), `
		select count(*)
		  from tasker.tasks as c
		  join tasker.workflow_steps as s on s.child_task_uuid = c.task_uuid
		 where c.parent_step_uuid = $1 and not c.complete
		   and not exists (select from tasker.task_transition_log as l where l.task_uuid = c.task_uuid and l.event = 'Reset' and l.actor <> 'task ' || $2)`,
		f.kid, f.parent.String()).Scan(&open))
	require.Zero(f, open)
}

func (f *family) settle() {
	f.Helper()
	e := direct.New(f.pool)
	for notes := 1; notes > 0; {
		_, err := enginetest.Pass(f.Context(), f.pool, 2*time.Second)
		require.NoError(f, err)
		_, err = e.FireDueTimers(f.Context(), 1000)
		require.NoError(f, err)
		require.NoError(f, f.pool.QueryRow(f.Context(), `select count(*) from tasker.timers as m
			where m.kind in ('start_child', 'child_ended', 'cancel_child')`).Scan(&notes))
	}
	found, err := enginetest.Violations(f.Context(), f.pool, []uuid.UUID{f.parent, f.child})
	require.NoError(f, err)
	require.Empty(f, found)
}
