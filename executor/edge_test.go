package executor_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func edge(from, to uuid.UUID) sqlfn.AddStepEdgeParams {
	return sqlfn.AddStepEdgeParams{FromStepUUID: from, ToStepUUID: to}
}

func TestAddStepEdge_OfTwoEdgesThatWouldMakeACycleOneIsRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	left, right := step(t, pool, task, "left"), step(t, pool, task, "right")

	// One session adds the edge left -> right and does not commit. Another session wants to add right -> left.
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	added, err := executor.New(tx).AddStepEdge(t.Context(), edge(left, right))
	require.NoError(t, err)
	require.True(t, added)

	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	refused := make(chan error)
	go func() {
		_, err := executor.New(conn).AddStepEdge(t.Context(), edge(right, left))
		refused <- err
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(t.Context()))

	require.ErrorIs(t, <-refused, executor.ErrConflict)
	levels, err := executor.New(pool).CalculateDependencyLevels(t.Context(), task)
	require.NoError(t, err, "the graph has no cycle")
	require.Len(t, levels, 4)
	requireSound(t, pool, task)
}
