package executor_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMany_RetryAndCancelWaitForNoTaskThatAnotherTransactionHolds(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	tasks := blockTasks(t, pool, 3)
	holder, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = holder.Rollback(t.Context()) }()
	exec(t, holder, "select from tasker.tasks where task_uuid = $1 for no key update", tasks[1])

	operate := executor.NewClient(pool).Operate()
	by := executor.By{Reason: "the bank is open"}
	found := map[uuid.UUID]string{}
	for r, err := range operate.RetryMany(t.Context(), executor.RetryFilter{Namespace: "shop", Error: "closed"}, by) {
		require.NoError(t, err)
		found[r.TaskUUID] = r.Outcome
	}
	require.Equal(t, map[uuid.UUID]string{tasks[0]: "retried", tasks[1]: "locked", tasks[2]: "retried"}, found)
	for r, err := range operate.CancelMany(t.Context(), executor.CancelFilter{Namespace: "shop"}, by) {
		require.NoError(t, err)
		found[r.TaskUUID] = r.Outcome
	}
	require.Equal(t, map[uuid.UUID]string{tasks[0]: "cancelled", tasks[1]: "locked", tasks[2]: "cancelled"}, found)
	for _, err := range operate.CancelMany(t.Context(), executor.CancelFilter{}, by) {
		require.ErrorIs(t, err, executor.ErrInvalid)
	}
}
