package executor_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestOperate_EraseTakesTheDataAndLeavesAProof(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx := t.Context()
	e, db := executor.New(pool), executor.NewClient(pool)
	_, err := e.RegisterTaskTemplate(ctx, json.RawMessage(`{"namespace": "shop", "name": "order", "steps": [{"name": "charge"}]}`))
	require.NoError(t, err)
	var tasks []uuid.UUID
	for n := range 3 {
		made, err := e.CreateTask(ctx, executor.TaskRequest{
			Namespace: "shop", Name: "order", Context: fmt.Appendf(nil, `{"n": %d}`, n), TaskOptions: executor.TaskOptions{Tags: []string{"customer:42"}},
		})
		require.NoError(t, err)
		tasks = append(tasks, made.TaskUUID)
	}
	by := executor.By{Reason: "asked for", Actor: "ann"}

	_, err = db.Operate().Erase(ctx, tasks[0], false, by)
	require.ErrorIs(t, err, executor.ErrConflict, "an open task is refused")
	for _, task := range tasks[:2] {
		_, err = db.Operate().Cancel(ctx, task, executor.By{})
		require.NoError(t, err)
	}
	rows, err := db.Operate().Erase(ctx, tasks[0], true, by)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, "erased", rows[0].Outcome)

	outcomes := map[string]int{}
	for row, err := range db.Operate().EraseMany(ctx, executor.EraseFilter{Tags: []string{"customer:42"}}, by) {
		require.NoError(t, err)
		outcomes[row.Outcome]++
	}
	require.Equal(t, map[string]int{"erased": 1, "open": 1}, outcomes, "an erased task has no tags any longer")

	var erased []uuid.UUID
	for row, err := range db.Operate().Erasures(ctx, "shop") {
		require.NoError(t, err)
		require.Equal(t, []string{"ann", "asked for"}, []string{row.ErasedBy, row.Reason})
		erased = append(erased, row.TaskUUID)
	}
	require.ElementsMatch(t, tasks[:2], erased)
	task, err := e.GetTask(ctx, tasks[0])
	require.NoError(t, err)
	require.NotNil(t, task.ErasedAt)
	require.JSONEq(t, `{"erased": true}`, string(task.Context))
}
