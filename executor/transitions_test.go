package executor_test

import (
	"encoding/json"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

// With PGTASKER_SOAK there are 10,000 tries.
func TestTransitionTaskStateAtomic_LetsOneOfTwoSessionsWinEachTry(t *testing.T) {
	t.Parallel()
	tries := 1_000
	if os.Getenv("PGTASKER_SOAK") != "" {
		tries = 10_000
	}
	pool := pgtest.New(t)

	// One task changes back and forth between two states. Each session tries every change.
	task, _ := startTask(t, pool)
	e := direct.New(pool)
	moved, err := e.TransitionTaskStateAtomic(t.Context(), direct.TaskMove{
		TaskUUID: task, From: state.TaskStepsInProcess, To: state.TaskEvaluatingResults,
	})
	require.NoError(t, err)
	require.True(t, moved)
	ring := []state.TaskState{
		state.TaskEvaluatingResults, state.TaskEnqueuingSteps, state.TaskStepsInProcess,
	}

	var wins [2]int
	for i := range tries {
		move := direct.TaskMove{TaskUUID: task, From: ring[i%3], To: ring[(i+1)%3]}
		var won atomic.Int32
		var group sync.WaitGroup
		for session := range wins {
			group.Go(func() {
				ok, err := e.TransitionTaskStateAtomic(t.Context(), move)
				if err != nil {
					t.Errorf("try %d: %v", i, err)
				}
				if ok {
					won.Add(1)
					wins[session]++
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, won.Load(), "try %d", i)
	}
	require.Equal(t, tries, wins[0]+wins[1])
	requireSound(t, pool, task)
}

func TestTransitionStepStateAtomic_LetsOneOfEightWorkersStartAStep(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)

	for range 50 {
		task, top := startTask(t, pool)
		var won atomic.Int32
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				worker := uuid.New()
				ok, err := e.TransitionStepStateAtomic(t.Context(), direct.StepMove{
					StepUUID: top, From: state.StepEnqueued, To: state.StepInProgress, ProcessorUUID: worker,
				})
				if err != nil {
					t.Error(err)
				}
				if ok {
					won.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, won.Load())
		requireSound(t, pool, task)
	}
}

func TestTransitionStepStateAtomic_WaitsForTheTaskAndThenJudgesAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, top := startTask(t, pool)

	// One session cancels the task and does not commit. Another session wants to start its step.
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	moved, err := direct.New(tx).TransitionTaskStateAtomic(t.Context(), direct.TaskMove{
		TaskUUID: task, From: state.TaskStepsInProcess, To: state.TaskCancelled,
	})
	require.NoError(t, err)
	require.True(t, moved)

	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	started := make(chan bool)
	go func() {
		ok, err := direct.New(conn).TransitionStepStateAtomic(t.Context(), direct.StepMove{
			StepUUID: top, From: state.StepEnqueued, To: state.StepInProgress,
		})
		if err != nil {
			t.Error(err)
		}
		started <- ok
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(t.Context()))

	require.False(t, <-started, "the step was cancelled while the worker waited")
	requireSound(t, pool, task)
}

func TestTransitionStepStateAtomic_KeepsResults(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	task, top := startTask(t, pool)
	worker := uuid.New()

	for _, move := range []direct.StepMove{
		{From: state.StepEnqueued, To: state.StepInProgress},
		{
			From: state.StepInProgress, To: state.StepEnqueuedForOrchestration,
			Metadata: json.RawMessage(`{"results": {"paid": true}, "execution_time_ms": 12}`),
		},
		{From: state.StepEnqueuedForOrchestration, To: state.StepComplete},
	} {
		move.StepUUID, move.ProcessorUUID = top, worker
		moved, err := e.TransitionStepStateAtomic(t.Context(), move)
		require.NoError(t, err)
		require.True(t, moved)
	}

	var results string
	require.NoError(t, pool.QueryRow(t.Context(),
		"select results from tasker.workflow_steps where task_uuid = $1 and step_no = 1", task).Scan(&results))
	require.JSONEq(t, `{"paid": true}`, results)
	requireSound(t, pool, task)
}
