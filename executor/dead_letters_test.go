package executor_test

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

var dry = false // lets DetectAndTransitionStaleTasks change tasks.

func TestDLQ_FromStaleToRequeued(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	dlq := executor.New(pool)
	require.NoError(t, freeze(t, pool, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)))
	task, _ := startTask(t, pool)
	pass(t, pool, time.Hour)

	stale, err := dlq.GetStaleTasksForDLQ(t.Context(), sqlfn.GetStaleTasksForDLQParams{})
	require.NoError(t, err)
	require.Len(t, stale, 1)
	require.Equal(t, "worker_unavailable", *stale[0].DLQReason)
	moved, err := dlq.DetectAndTransitionStaleTasks(t.Context(), sqlfn.DetectAndTransitionStaleTasksParams{DryRun: &dry})
	require.NoError(t, err)
	require.Len(t, moved, 1)
	require.Equal(t, "transitioned_to_dlq_and_error", moved[0].ActionTaken)

	entry, err := dlq.GetDLQEntry(t.Context(), *moved[0].DLQEntryUUID)
	require.NoError(t, err)
	require.Equal(t, "pending", entry.ResolutionStatus)
	require.Equal(t, state.TaskStepsInProcess, entry.OriginalState)
	require.Equal(t, state.TaskError, *entry.CurrentState)
	var snapshot struct {
		Task  struct{ State string } `json:"task"`
		Steps []struct{ State string }
	}
	require.NoError(t, json.Unmarshal(entry.TaskSnapshot, &snapshot))
	require.Equal(t, "steps_in_process", snapshot.Task.State)
	require.Equal(t, "enqueued", snapshot.Steps[0].State)

	requeued, err := dlq.RequeueDLQEntry(t.Context(), entry.DLQEntryUUID, "")
	require.NoError(t, err)
	require.True(t, requeued)
	requireSound(t, pool, task)
	now, err := executor.New(pool).GetCurrentTaskState(t.Context(), task)
	require.NoError(t, err)
	require.Equal(t, state.TaskStepsInProcess, now)

	entries, err := dlq.ListDLQEntries(t.Context(), sqlfn.ListDLQEntriesParams{})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NotEqual(t, "pending", entries[0].ResolutionStatus)
	require.Nil(t, entries[0].TaskSnapshot)
	_, err = dlq.GetDLQEntry(t.Context(), uuid.UUID{})
	require.ErrorIs(t, err, executor.ErrNotFound)
}

func TestDetectAndTransitionStaleTasks_MovesEachTaskOnce(t *testing.T) {
	t.Parallel()
	const sessions, tasks = 4, 40
	pool := pgtest.New(t, pgtest.MaxConns(sessions))
	require.NoError(t, freeze(t, pool, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)))
	for range tasks {
		makeTaskIn(t, pool, "waiting_for_dependencies")
	}
	pass(t, pool, 2*time.Hour)

	var mutex sync.Mutex
	moved := make(map[uuid.UUID]int, tasks)
	var group sync.WaitGroup
	for range sessions {
		group.Go(func() {
			limit := int32(7)
			for range tasks {
				rows, err := executor.New(pool).DetectAndTransitionStaleTasks(t.Context(),
					sqlfn.DetectAndTransitionStaleTasksParams{DryRun: &dry, Limit: limit})
				if err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				for _, row := range rows {
					moved[row.TaskUUID]++
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	require.Len(t, moved, tasks)
	for task, times := range moved {
		require.Equal(t, 1, times)
		requireSound(t, pool, task)
	}
}

func TestDetectAndTransitionStaleTasks_SkipsALockedTask(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, freeze(t, pool, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)))
	makeTaskIn(t, pool, "waiting_for_dependencies")
	pass(t, pool, 2*time.Hour)
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "select 1 from tasker.tasks for update"); err != nil {
			return err
		}
		rows, err := executor.New(pool).DetectAndTransitionStaleTasks(t.Context(), sqlfn.DetectAndTransitionStaleTasksParams{DryRun: &dry})
		require.NoError(t, err)
		require.Empty(t, rows)
		return nil
	}))
}
