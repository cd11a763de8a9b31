package executor_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

func TestGetStepDependencyResultsMap_HasResultsByName(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	task, top := startTask(t, pool)
	_, err := pool.Exec(t.Context(), `select tasker_test.complete_step($1, '{"n": 7}')`, top)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker_test.complete_step($1, '"left"')`, step(t, pool, task, "left"))
	require.NoError(t, err)

	results, err := e.GetStepDependencyResultsMap(t.Context(), step(t, pool, task, "bottom"))
	require.NoError(t, err)
	require.Len(t, results, 2, "the step \"right\" has no result")
	require.Equal(t, executor.StepExecutionResult{
		StepUUID: top, StepName: "top", State: state.StepComplete, Distance: 2, Result: []byte(`{"n": 7}`),
	}, results["top"])
}

func TestGetStepDependencyResultsMap_OfAnUnknownStep(t *testing.T) {
	t.Parallel()
	_, err := executor.New(pgtest.New(t)).GetStepDependencyResultsMap(t.Context(), uuid.New())
	require.ErrorIs(t, err, executor.ErrNotFound)
}

func TestGetStepDAGRelationships_HasTheNeighboursOfEachStep(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, top := startTask(t, pool)

	nodes, err := executor.New(pool).GetStepDAGRelationships(t.Context(), task)
	require.NoError(t, err)
	require.Len(t, nodes, 4)
	require.Empty(t, nodes[0].ParentStepUUIDs)
	require.Equal(t, []uuid.UUID{step(t, pool, task, "left"), step(t, pool, task, "right")}, nodes[0].ChildStepUUIDs)
	require.Equal(t, []uuid.UUID{top}, nodes[1].ParentStepUUIDs)
	require.EqualValues(t, 2, nodes[3].DependencyLevel)
}
