package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTaskList_FiltersByAJSONPathOfTheContext(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	dear := answer(t, pool, `select c.task_uuid::text from tasker.create_task('shop', 'order', '{"order": 1, "total": 120}') as c`)
	cheap := answer(t, pool, `select c.task_uuid::text from tasker.create_task('shop', 'order', '{"order": 2, "total": 80}') as c`)

	found := must(t, pool, "task", "list", "--where", "$.total > 100", "--json")
	require.Contains(t, found, dear)
	require.NotContains(t, found, cheap)
	refused := tasker(t, pool, "task", "list", "--where", "$.a[$.n] == 1")
	require.Contains(t, refused.err, "is not a jsonpath that a list can use")
	require.NotZero(t, refused.code)
}
