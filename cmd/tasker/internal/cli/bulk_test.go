package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// newManyBlocked returns a database with n tasks whose first step has failed for good.
func newManyBlocked(t *testing.T, n int) (*pgxpool.Pool, []string) {
	t.Helper()
	pool := newShop(t)
	var tasks []string
	for i := range n {
		tasks = append(tasks, createTask(t, pool, "shop/order", "-c", fmt.Sprintf(`{"n": %d}`, i)))
		execute(t, pool, "select tasker_test.pass('1 min')")
		work(t, pool, "no stock")
	}
	return pool, tasks
}

func TestTaskReset_OfManyShowsThenDoesIt(t *testing.T) {
	t.Parallel()
	pool, tasks := newManyBlocked(t, 3)
	out := must(t, pool, "task", "reset", "-n", "shop", "--dry-run")
	require.Regexp(t, `(?s)^TASK .*`+short(tasks[0])+`  shop/order@1\.0\.0  blocked_by_failures  1       3m   matched\n.*`+short(tasks[2])+`.*\n3 matched\n$`, out)
	require.Equal(t, out, must(t, pool, "task", "reset", "-n", "shop", "--dry-run"), "the dry run changes nothing")
	require.Contains(t, must(t, pool, "task", "reset", "-n", "shop", "--since", "2m30s", "--dry-run"), "\n2 matched\n")
	require.Contains(t, must(t, pool, "task", "reset", "-n", "shop", "--limit", "1", "--dry-run"), "\n1 matched\n")
	require.Equal(t, "none matched\n", must(t, pool, "task", "reset", "--state", "error", "--dry-run"))

	r := tasker(t, pool, "task", "reset", "-n", "shop", "--yes")
	require.Equal(t, exitUsage, r.code)
	require.Equal(t, "tasker: --reason is missing\n  hint: Say why, for the logs; --dry-run needs no reason.\n", r.err)
	r = taskerWith(t, pgtest.URL(pool), "no\n", "task", "reset", "-n", "shop", "--reason", "restocked")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.err, "3 tasks are reset. Type the database's name")
	require.Contains(t, r.err, "nothing was done")

	var report bulkReport[gen.TaskReset]
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "reset", "-n", "shop", "--limit", "2", "--yes", "--reason", "restocked", "--json")), &report))
	require.Equal(t, map[string]int{"reset": 2}, report.Counts)
	require.Equal(t, tasks[0], report.Changes[0].TaskUUID.String())
	require.Equal(t, tasks[1], report.Changes[1].TaskUUID.String())
	require.Contains(t, must(t, pool, "task", "reset", "-n", "shop", "--yes", "-r", "restocked"), "\n1 reset\n")
	require.Equal(t, "there are no such tasks\n", tasker(t, pool, "task", "list", "-s", "blocked_by_failures").err)
}

func TestTaskReset_OfManyGoesOnBatchByBatch(t *testing.T) {
	t.Parallel()
	calls := []string{}
	rows, err := batches(7, 3, func(size int32, last *int) ([]int, error) {
		from := 0
		if last != nil {
			from = *last
		}
		calls = append(calls, fmt.Sprintf("%d after %d", size, from))
		var batch []int
		for n := from + 1; n <= from+int(size); n++ {
			batch = append(batch, n)
		}
		return batch, nil
	})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7}, rows)
	require.Equal(t, []string{"3 after 0", "3 after 3", "1 after 6"}, calls)
}

func TestTaskReset_WantsATaskOrAFilter(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	r := tasker(t, pool, "task", "reset")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "tasker task reset lacks TASK, or a filter")
	r = tasker(t, pool, "task", "reset", "aabbccdd", "--state", "error")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--state goes without TASK")
	r = tasker(t, pool, "dlq", "requeue")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "tasker dlq requeue lacks ENTRY, or a filter")
	r = tasker(t, pool, "dlq", "requeue", "aabbccdd", "--all")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--all goes without ENTRY")
	r = tasker(t, pool, "task", "reset", "--state", "complete", "--dry-run")
	require.Equal(t, exitInvalid, r.code)
}

func TestDLQRequeue_OfManyShowsThenDoesIt(t *testing.T) {
	t.Parallel()
	pool, tasks := newManyBlocked(t, 2)
	for _, task := range tasks {
		openDLQEntry(t, pool, task)
	}
	require.Contains(t, must(t, pool, "dlq", "requeue", "--for", "manual_dlq", "--dry-run"), "\n2 matched\n")
	require.Equal(t, "none matched\n", must(t, pool, "dlq", "requeue", "--for", "worker_unavailable", "--dry-run"))
	r := tasker(t, pool, "dlq", "requeue", "--all", "--yes")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--notes is missing")
	out := must(t, pool, "dlq", "requeue", "--all", "--yes", "--notes", "restocked")
	require.True(t, strings.HasSuffix(out, "\n2 requeued\n"), out)
	require.Equal(t, "there are no such investigations\n", tasker(t, pool, "dlq", "list").err)
}
