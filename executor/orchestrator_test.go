package executor_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestGetNextReadyTasks_HandsEachTaskToOneOfManySessions(t *testing.T) {
	t.Parallel()
	const sessions, tasks, batch = 8, 10_000, 50
	pool := pgtest.New(t, pgtest.MaxConns(sessions))
	_, err := pool.Exec(t.Context(), `select tasker_test.register('single', 'only')`)
	require.NoError(t, err)
	// Some tasks have a priority, so that the order differs from that of creation.
	for _, priority := range []int{0, 3, -2, 1} {
		_, err = pool.Exec(t.Context(), `
			select tasker.create_tasks('test', 'single', array(select jsonb_build_object('n', n, 'priority', $2::int) from generate_series(1, $1::int) as n),
			                           p_priority => $2, p_deferred => true)`, tasks/4, priority)
		require.NoError(t, err)
	}

	var mutex sync.Mutex
	found := make(map[uuid.UUID]int, tasks)
	var group sync.WaitGroup
	for range sessions {
		group.Go(func() {
			e := executor.New(pool)
			for {
				rows, err := e.GetNextReadyTasks(t.Context(), batch)
				if err != nil {
					t.Error(err)
					return
				}
				if len(rows) == 0 {
					return
				}
				mutex.Lock()
				for i, row := range rows {
					found[row.TaskUUID]++
					if i > 0 && row.ComputedPriority > rows[i-1].ComputedPriority {
						t.Errorf("task %d of a batch has priority %v after %v", i, row.ComputedPriority, rows[i-1].ComputedPriority)
					}
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	require.Len(t, found, tasks, "every task is found")
	for task, times := range found {
		require.Equal(t, 1, times, "task %s is handed out once", task)
	}
}

func TestGetNextReadyTasks_SkipsLockedTasks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var busy, free uuid.UUID
	require.NoError(t, pool.QueryRow(t.Context(), `select tasker_test.make_task()`).Scan(&busy))
	require.NoError(t, pool.QueryRow(t.Context(), `select tasker_test.make_task()`).Scan(&free))
	e := executor.New(pool)

	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `select 1 from tasker.tasks where task_uuid = $1 for update`, busy); err != nil {
			return err
		}
		rows, err := e.GetNextReadyTasks(t.Context(), 10)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		require.Equal(t, free, rows[0].TaskUUID)
		return nil
	}))
	// The task was set aside for only a second; do not wait for that.
	_, err := pool.Exec(t.Context(), `update tasker.timers set due_at = tasker.clock() where task_uuid = $1 and kind = 'advance_task'`, busy)
	require.NoError(t, err)
	task, ok, err := e.GetNextReadyTask(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, busy, task.TaskUUID)
	_, ok, err = e.GetNextReadyTask(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
}

func TestGetNextReadyTasks_GivesBackWhatATransactionThatRolledBackHad(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	startWaiting(t, pool, 3)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	rows, err := executor.New(tx).GetNextReadyTasks(t.Context(), 3)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	others, err := executor.New(pool).GetNextReadyTasks(t.Context(), 3)
	require.NoError(t, err)
	require.Empty(t, others, "the open transaction still holds the tasks")
	require.NoError(t, tx.Rollback(t.Context()))
	others, err = executor.New(pool).GetNextReadyTasks(t.Context(), 3)
	require.NoError(t, err)
	require.Len(t, others, 3, "a crash leaves no lease behind")
}

func TestTaskExecutionContext_SpeaksOfStatusAndAction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	c, err := executor.New(pool).GetTaskExecutionContext(t.Context(), task)
	require.NoError(t, err)
	require.Equal(t, "processing", c.ExecutionStatus)
	require.Equal(t, "wait_for_completion", c.RecommendedAction)
	require.Equal(t, "healthy", c.HealthStatus)
	require.False(t, c.ReadySteps > 0)

	_, err = executor.New(pool).GetTaskExecutionContext(t.Context(), uuid.UUID{})
	require.ErrorIs(t, err, executor.ErrNotFound)
	all, err := executor.New(pool).GetTaskExecutionContexts(t.Context(), []uuid.UUID{task, {}})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, c, all[0])
}
