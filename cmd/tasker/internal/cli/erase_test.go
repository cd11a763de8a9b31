package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
)

func TestTaskErase_OfOneAndOfMany(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	var tasks []string
	for _, order := range []string{`{"n": 1}`, `{"n": 2}`, `{"n": 3}`} {
		tasks = append(tasks, createTask(t, pool, "shop/order", "-c", order, "--tag", "customer:42"))
	}
	must(t, pool, "task", "cancel", tasks[0])
	must(t, pool, "task", "cancel", tasks[1])

	r := tasker(t, pool, "task", "erase", tasks[0], "--yes")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--reason is missing")
	r = tasker(t, pool, "task", "erase", tasks[2], "--reason", "asked for", "--yes")
	require.NotZero(t, r.code)
	require.Contains(t, r.err, "has not ended")
	r = tasker(t, pool, "task", "erase", "--yes", "--reason", "asked for")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "lacks TASK, or a filter")

	require.Contains(t, must(t, pool, "task", "erase", "--tag", "customer:42", "--dry-run"), "\n2 matched, 1 open\n")
	require.Contains(t, must(t, pool, "task", "erase", tasks[0], "--reason", "asked for", "--actor", "ann", "--yes"), "\n1 erased\n")
	require.Contains(t, must(t, pool, "task", "erase", "--tag", "customer:42", "--reason", "asked for", "--yes"), "\n1 erased, 1 open\n")

	var rows []gen.ErasureDetail
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "erasures", tasks[0], "--json")), &rows))
	require.Len(t, rows, 1)
	require.Equal(t, []string{"ann", "asked for"}, []string{rows[0].ErasedBy, rows[0].Reason})
	require.Contains(t, must(t, pool, "task", "show", tasks[0], "--json"), `"erased": true`)
}
