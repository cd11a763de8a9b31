package cli

import (
	"encoding/json"
	"testing"

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
