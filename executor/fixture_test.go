package executor_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// startTask creates a diamond with its root enqueued and returns the UUIDs of the task and the root.
func startTask(t *testing.T, pool *pgxpool.Pool) (task, top uuid.UUID) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), "select tasker_test.start_task()").Scan(&task))
	return task, step(t, pool, task, "top")
}

// step returns the UUID of a task's step by its name.
func step(t *testing.T, pool *pgxpool.Pool, task uuid.UUID, name string) (id uuid.UUID) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), "select tasker_test.step($1, $2)", task, name).Scan(&id))
	return id
}

// requireSound fails the test if a task breaks one of the engine's invariants.
func requireSound(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) {
	t.Helper()
	rows, err := pool.Query(context.WithoutCancel(t.Context()), "select tasker_test.violations($1)", task)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var violation string
		require.NoError(t, rows.Scan(&violation))
		t.Errorf("task %s: %s", task, violation)
	}
	require.NoError(t, rows.Err())
}
