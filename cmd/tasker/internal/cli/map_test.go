package cli

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestTaskShow_FoldsMaps(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "basket", "steps": [
		{"name": "price", "for_each": "$.lines", "max_parallel": 3}, {"name": "total", "dependencies": ["price"]}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "basket", Context: json.RawMessage(`{"lines": [1, 2, 3, 4, 5]}`),
	})
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select from tasker.claim_steps('{shop}', gen_random_uuid(), 1)")
	require.NoError(t, err)

	out := tasker(t, pool, "task", "show", task.TaskUUID.String()).out
	require.Contains(t, out, "for each of 3: 2 enqueued, 1 in_progress")
	require.NotContains(t, out, "price[0]")
	require.Contains(t, out, "2 pending", "the map and the step after it are pending")

	out = tasker(t, pool, "task", "show", "--all", task.TaskUUID.String()).out
	require.Contains(t, out, "price[0]")
	require.NotContains(t, out, "for each of")
}

func TestTaskShow_AMapOfTasksNamesTheTasksOfItsElements(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	for _, template := range []string{
		`{"namespace": "shop", "name": "parcel", "identity_strategy": "always_unique", "steps": [{"name": "pack"}]}`,
		`{"namespace": "shop", "name": "order", "steps": [{"name": "ship", "for_each": "$.parcels", "task": {"name": "parcel"}}]}`,
	} {
		_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order", Context: json.RawMessage(`{"parcels": [{"n": 1}, {"n": 2}]}`)})
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select from tasker.fire_due_timers()`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `
		select a.answer from (select s.step_uuid, s.claim_no from tasker.claim_steps('{shop}', gen_random_uuid(), 1) as s where s.name = 'pack') as s
		 cross join lateral tasker.complete_steps(array[s.step_uuid], array[s.claim_no]) as a`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select from tasker.fire_due_timers()`)
	require.NoError(t, err)
	rows, err := pool.Query(t.Context(), "select s.child_task_uuid from tasker.workflow_steps as s where s.task_uuid = $1 and s.map_no is not null order by s.step_no", task.TaskUUID)
	require.NoError(t, err)
	children, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	require.Len(t, children, 2)

	require.Contains(t, tasker(t, pool, "task", "show", task.TaskUUID.String()).out, "a task for each of 2: 1 suspended, 1 complete")
	all := tasker(t, pool, "task", "show", "--all", task.TaskUUID.String()).out
	require.Contains(t, all, "complete")
	for _, child := range children {
		require.Contains(t, all, "task "+shortID(child), "the element that has ended names its task, too")
	}
}
