package racetest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/state"
)

// hold begins a transaction that makes a call and stays open until it is rolled back.
func (s *scene) hold(call func(e *direct.Executor) error) pgx.Tx {
	s.Helper()
	tx, err := s.pool.Begin(s.Context())
	require.NoError(s, err)
	s.Cleanup(func() { _ = tx.Rollback(s.Context()) })
	require.NoError(s, call(direct.New(tx)))
	return tx
}

func TestBusy_ALockedTaskDelaysNoOther(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	held, free := newScene(t, pool, "plain"), newScene(t, pool, "plain")
	tx := held.hold(func(e *direct.Executor) error {
		_, err := e.CancelTask(t.Context(), held.task, "", "")
		return err
	})

	results := []direct.StepResult{{StepClaim: held.claim}, {StepClaim: free.claim}}
	answers, err := direct.New(pool).CompleteSteps(t.Context(), results)
	require.NoError(t, err)
	require.EqualValues(t, "busy", answers[0].Answer)
	require.EqualValues(t, "completed", answers[1].Answer)

	require.NoError(t, tx.Rollback(t.Context()))
	answers, err = direct.New(pool).CompleteSteps(t.Context(), results)
	require.NoError(t, err)
	require.EqualValues(t, "completed", answers[0].Answer)
	require.EqualValues(t, "already_complete", answers[1].Answer)
	held.requireSound()
	free.requireSound()
}

func TestBusy_ALockedStepDelaysNoOther(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	held, free := newScene(t, pool, "plain"), newScene(t, pool, "plain")
	tx := held.hold(func(e *direct.Executor) error {
		_, err := e.CheckpointStep(t.Context(), held.claim, []byte(`1`), 0)
		return err
	})
	results := []direct.StepResult{{StepClaim: held.claim}, {StepClaim: free.claim}}
	answers, err := direct.New(pool).CompleteSteps(t.Context(), results)
	require.NoError(t, err)
	require.EqualValues(t, "busy", answers[0].Answer)
	require.EqualValues(t, "completed", answers[1].Answer)
	require.NoError(t, tx.Rollback(t.Context()))
	held.requireSound()
	free.requireSound()
}

func TestBusy_AReleaseDoesNotWait(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	held, free := newScene(t, pool, "plain"), newScene(t, pool, "plain")
	held.hold(func(e *direct.Executor) error {
		_, err := e.CancelTask(t.Context(), held.task, "", "")
		return err
	})
	answers, err := direct.New(pool).ReleaseSteps(t.Context(), []direct.StepClaim{held.claim, free.claim})
	require.NoError(t, err)
	require.EqualValues(t, "busy", answers[0].Answer)
	require.EqualValues(t, "released", answers[1].Answer)
	free.requireSound()
}

func TestBusy_OrchestratorsSkipALockedTask(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	held, free := newScene(t, pool, "plain"), newScene(t, pool, "plain")
	e := direct.New(pool)
	held.record()
	free.record()
	tx := held.hold(func(e *direct.Executor) error {
		_, err := e.RetryStep(t.Context(), held.waiting, "", "")
		return err
	})

	report, err := e.Orchestrate(t.Context(), 100)
	require.NoError(t, err)
	require.EqualValues(t, 1, report.ResultsProcessed, "the result of the other task is processed")
	require.EqualValues(t, 2, report.TimersFired, "its retry and its note")
	state1, err := e.GetCurrentStepState(t.Context(), held.lost)
	require.NoError(t, err)
	require.Equal(t, state.StepEnqueuedForOrchestration, state1)
	require.NoError(t, tx.Commit(t.Context()))
	held.requireSound()
	free.requireSound()
}

func TestClaim_TwoSessionsNeverGetTheSameStep(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	s := newScene(t, pool, "plain")
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	request := direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10}
	mine, err := direct.New(tx).ClaimSteps(t.Context(), request)
	require.NoError(t, err)
	require.Len(t, mine, 3, "the ready step, the lost step and the step whose wait has ended are claimed")

	request.WorkerUUID = uuid.New()
	theirs, err := direct.New(pool).ClaimSteps(t.Context(), request)
	require.NoError(t, err)
	require.Empty(t, theirs)
	require.NoError(t, tx.Commit(t.Context()))
	s.requireSound()
}

// newStart creates a task without steps that has not started. It completes as soon as it starts.
func newStart(t *testing.T, pool *pgxpool.Pool, options executor.TaskOptions) uuid.UUID {
	t.Helper()
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template(
		'{"namespace": "plain", "name": "nothing", "identity_strategy": "always_unique", "steps": []}')`)
	require.NoError(t, err)
	made, err := direct.New(pool).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "plain", Name: "nothing", TaskOptions: options,
	})
	require.NoError(t, err)
	return made.TaskUUID
}

// A transaction that fires timers or advances waiting tasks holds rows of busy tasks until it commits. If it waited for such a
// row of another transaction of the same kind, the two transactions would wait for each other.
func TestBusy_OrchestratorsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	inTenDays := time.Now().Add(240 * time.Hour)
	for _, test := range []struct {
		held    string // the table in which another transaction holds the task's row
		options executor.TaskOptions
		found   string // the row by which the orchestrator finds the task in the other table
	}{
		{"timers", executor.TaskOptions{Deferred: true, Deadline: inTenDays}, ""},
		{"waiting_tasks", executor.TaskOptions{StartAt: inTenDays}, `
			with due as (update tasker.timers set due_at = tasker.clock() - interval '1 second' where task_uuid = $1)
			insert into tasker.waiting_tasks (task_uuid) values ($1) on conflict do nothing`},
	} {
		t.Run(test.held, func(t *testing.T) {
			t.Parallel()
			pool := newPool(t)
			task := newStart(t, pool, test.options)
			find := func() {
				if test.found != "" {
					_, err := pool.Exec(t.Context(), test.found, task)
					require.NoError(t, err)
				}
			}
			find()
			other, err := pool.Begin(t.Context())
			require.NoError(t, err)
			tag, err := other.Exec(t.Context(), "select from tasker."+test.held+" where task_uuid = $1 for update", task)
			require.NoError(t, err)
			require.EqualValues(t, 1, tag.RowsAffected())

			orchestrator, err := pool.Begin(t.Context())
			require.NoError(t, err)
			_, err = orchestrator.Exec(t.Context(), "set local lock_timeout = '1s'")
			require.NoError(t, err)
			_, err = direct.New(orchestrator).Orchestrate(t.Context(), 100)
			require.NoError(t, err)
			require.NoError(t, orchestrator.Commit(t.Context()))
			e := direct.New(pool)
			now, err := e.GetCurrentTaskState(t.Context(), task)
			require.NoError(t, err)
			require.Equal(t, state.TaskPending, now)

			require.NoError(t, other.Rollback(t.Context()))
			find()
			_, err = e.Orchestrate(t.Context(), 100)
			require.NoError(t, err)
			now, err = e.GetCurrentTaskState(t.Context(), task)
			require.NoError(t, err)
			require.Equal(t, state.TaskComplete, now)
		})
	}
}

// A transaction that holds a task takes further locks in the lock order. No other transaction may keep the lock on a row that
// led it to the task after it has found the task locked.
func TestBusy_AHolderOfATaskDoesNotWaitForTheOrchestrator(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	task := newStart(t, pool, executor.TaskOptions{Deferred: true})

	holder, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = holder.Exec(t.Context(), "set local lock_timeout = '1s'")
	require.NoError(t, err)
	_, err = holder.Exec(t.Context(), "select from tasker.tasks where task_uuid = $1 for no key update", task)
	require.NoError(t, err)

	looker, err := pool.Begin(t.Context())
	require.NoError(t, err)
	report, err := direct.New(looker).Orchestrate(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, report.TasksAdvanced)

	now, err := direct.New(holder).AdvanceTask(t.Context(), task)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, now)
	require.NoError(t, holder.Commit(t.Context()))
	require.NoError(t, looker.Commit(t.Context()))
}

// A step whose result waits may be locked without its task, by a worker that releases the step too late.
func TestBusy_AnOrchestratorWaitsForNoStep(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	held, free := newScene(t, pool, "plain"), newScene(t, pool, "plain")
	held.record()
	free.record()
	tx := held.hold(func(e *direct.Executor) error {
		answers, err := e.ReleaseSteps(t.Context(), []direct.StepClaim{held.claim})
		require.EqualValues(t, "stale", answers[0].Answer)
		return err
	})

	orchestrator, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = orchestrator.Exec(t.Context(), "set local lock_timeout = '1s'")
	require.NoError(t, err)
	report, err := direct.New(orchestrator).Orchestrate(t.Context(), 100)
	require.NoError(t, err)
	require.EqualValues(t, 1, report.ResultsProcessed, "the result of the other task is processed")
	require.NoError(t, orchestrator.Commit(t.Context()))
	require.NoError(t, tx.Commit(t.Context()))
	held.requireSound()
	free.requireSound()
}

// Whenever the result of an instance of a map is recorded, the task is locked. If this lock postponed the map for as long as it
// postpones timers, every worker of a wide map would sleep while elements wait.
func TestBusy_ResultsOfAMapPutTheMapOffForAMomentOnly(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template(
		'{"namespace": "plain", "name": "wide", "identity_strategy": "always_unique", "steps": [{"name": "each", "for_each": "$.lines"}]}')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.create_task('plain', 'wide',
		jsonb_build_object('lines', (select jsonb_agg(n) from generate_series(1, 60) as n)))`)
	require.NoError(t, err)
	e := direct.New(pool)
	mine, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 25})
	require.NoError(t, err)
	require.Len(t, mine, 25, "a claim starts as many instances as it takes")
	results := make([]direct.StepResult, len(mine))
	for i, c := range mine {
		results[i].StepClaim = direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}
	}
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = direct.New(tx).CompleteSteps(t.Context(), results)
	require.NoError(t, err)

	request := direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 25}
	theirs, err := e.ClaimSteps(t.Context(), request)
	require.NoError(t, err)
	require.Empty(t, theirs, "the results hold the task")
	require.NoError(t, tx.Commit(t.Context()))
	_, err = enginetest.Pass(t.Context(), pool, 20*time.Millisecond)
	require.NoError(t, err)
	theirs, err = e.ClaimSteps(t.Context(), request)
	require.NoError(t, err)
	require.Len(t, theirs, 25, "the map is tried again in a moment")
}
