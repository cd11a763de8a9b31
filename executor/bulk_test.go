package executor_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// blockTasks creates tasks whose only step has failed.
func blockTasks(t *testing.T, pool *pgxpool.Pool, n int) []uuid.UUID {
	t.Helper()
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "charge"}]}`))
	require.NoError(t, err)
	var tasks []uuid.UUID
	for range n {
		task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order"})
		require.NoError(t, err)
		tasks = append(tasks, task.TaskUUID)
	}
	claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: n})
	require.NoError(t, err)
	var failures []direct.StepResult
	for _, step := range claimed {
		failures = append(failures, direct.StepResult{
			StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo}, Error: "the bank is closed", Permanent: true,
		})
	}
	_, err = e.FailSteps(t.Context(), failures)
	require.NoError(t, err)
	return tasks
}

func TestResetTasks_WaitsForNoTaskThatAnotherTransactionHolds(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	tasks := blockTasks(t, pool, 3)
	holder, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(t.Context()) }()
	exec(t, holder, "select from tasker.tasks where task_uuid = $1 for no key update", tasks[1])

	e := direct.New(pool)
	outcomes := func() map[uuid.UUID]string {
		t.Helper()
		rows, err := e.ResetTasks(t.Context(), sqlfn.ResetTasksParams{Reason: "the bank is open", State: "blocked_by_failures", Limit: 10})
		require.NoError(t, err)
		found := map[uuid.UUID]string{}
		for _, row := range rows {
			found[row.TaskUUID] = row.Outcome
		}
		return found
	}
	require.Equal(t, map[uuid.UUID]string{tasks[0]: "reset", tasks[1]: "locked", tasks[2]: "reset"}, outcomes())
	require.NoError(t, holder.Rollback(t.Context()))
	require.Equal(t, map[uuid.UUID]string{tasks[1]: "reset"}, outcomes())
	require.Empty(t, outcomes())
	for _, task := range tasks {
		requireSound(t, pool, task)
	}
}

func TestRequeueDLQEntries_WaitsForNoTaskThatAnotherTransactionHolds(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	tasks := blockTasks(t, pool, 2)
	e := direct.New(pool)
	entries := map[uuid.UUID]uuid.UUID{}
	for _, task := range tasks {
		entry, err := e.CreateDLQEntry(t.Context(), sqlfn.CreateDLQEntryParams{TaskUUID: task})
		require.NoError(t, err)
		entries[entry] = task
	}
	holder, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(t.Context()) }()
	exec(t, holder, "select from tasker.tasks where task_uuid = $1 for no key update", tasks[0])

	outcomes := func() map[uuid.UUID]string {
		t.Helper()
		rows, err := e.RequeueDLQEntries(t.Context(), sqlfn.RequeueDLQEntriesParams{Notes: "the bank is open", Limit: 10})
		require.NoError(t, err)
		found := map[uuid.UUID]string{}
		for _, row := range rows {
			require.Equal(t, entries[row.DLQEntryUUID], row.TaskUUID)
			found[row.TaskUUID] = row.Outcome
		}
		return found
	}
	require.Equal(t, map[uuid.UUID]string{tasks[0]: "locked", tasks[1]: "requeued"}, outcomes())
	require.NoError(t, holder.Rollback(t.Context()))
	require.Equal(t, map[uuid.UUID]string{tasks[0]: "requeued"}, outcomes())
	for _, task := range tasks {
		requireSound(t, pool, task)
	}
}
