package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestTaskCancel_OfManyShowsThenDoesIt(t *testing.T) {
	t.Parallel()
	pool, tasks := newManyBlocked(t, 3)
	out := must(t, pool, "task", "cancel", "-n", "shop", "--dry-run")
	require.Regexp(t, `(?s)^TASK .*`+short(tasks[0])+`  shop/order@1\.0\.0  blocked_by_failures  3m   matched\n.*`+short(tasks[2])+`.*\n3 matched\n$`, out)
	require.Equal(t, out, must(t, pool, "task", "cancel", "-n", "shop", "--dry-run"), "the dry run changes nothing")
	require.Contains(t, must(t, pool, "task", "cancel", "-n", "shop", "--since", "2m30s", "--dry-run"), "\n2 matched\n")
	require.Equal(t, "none matched\n", must(t, pool, "task", "cancel", "--state", "pending", "--dry-run"))

	r := tasker(t, pool, "task", "cancel")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "tasker task cancel lacks TASK, or a filter")
	r = tasker(t, pool, "task", "cancel", "aabbccdd", "--selection", "x")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--selection goes without TASK")
	r = tasker(t, pool, "task", "cancel", "-n", "shop", "--yes")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "--reason is missing")
	r = taskerWith(t, pgtest.URL(pool), "no\n", "task", "cancel", "-n", "shop", "--reason", "sold out")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.err, "3 tasks are cancelled for good. Type the database's name")

	var report bulkReport[gen.TaskCancellation]
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "cancel", "-n", "shop", "--limit", "2", "--yes", "--reason", "sold out", "--json")), &report))
	require.Equal(t, map[string]int{"cancelled": 2}, report.Counts)
	require.Equal(t, tasks[0], report.Changes[0].TaskUUID.String())

	set := answer(t, pool, `select s.selection_uuid::text from tasker.create_selection('tasks', '{"namespace": "shop"}') as s`)
	require.Contains(t, must(t, pool, "task", "cancel", "--selection", set, "--yes", "-r", "sold out"), "\n1 cancelled\n")
	require.Equal(t, "none matched\n", must(t, pool, "task", "cancel", "-n", "shop", "--dry-run"))
}

func TestStepRetry_OfManyShowsThenDoesIt(t *testing.T) {
	t.Parallel()
	pool, tasks := newManyBlocked(t, 3)
	out := must(t, pool, "step", "retry", "--error", "STOCK", "--dry-run")
	require.Regexp(t, `(?s)^TASK .*`+short(tasks[0])+`  shop/order@1\.0\.0  reserve  error  .* matched  no stock\n.*`+short(tasks[2])+`.*\n3 matched\n$`, out)
	require.Equal(t, "none matched\n", must(t, pool, "step", "retry", "-n", "shop", "--state", "waiting_for_retry", "--dry-run"))
	require.Equal(t, "none matched\n", must(t, pool, "step", "retry", "--step", "charge", "--dry-run"))

	for _, c := range []struct {
		args  []string
		error string
	}{
		{[]string{}, "tasker step retry lacks STEP, TASK or a filter"},
		{[]string{"--state", "error"}, "tasker step retry lacks STEP, TASK or a filter"},
		{[]string{"aabbccdd", "--step", "x"}, "--step goes without STEP or TASK"},
		{[]string{"--all"}, "--all goes with TASK"},
		{[]string{"-n", "shop", "--yes"}, "--reason is missing"},
	} {
		r := tasker(t, pool, append([]string{"step", "retry"}, c.args...)...)
		require.Equal(t, exitUsage, r.code, c.args)
		require.Contains(t, r.err, c.error)
	}

	var report bulkReport[gen.StepRetry]
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "step", "retry", "--step", "reserve", "--limit", "2", "--yes", "--reason", "restocked", "--json")), &report))
	require.Equal(t, map[string]int{"retried": 2}, report.Counts)
	require.Equal(t, tasks[0], report.Changes[0].TaskUUID.String())
	require.Contains(t, must(t, pool, "step", "retry", "--template", "order", "--yes", "-r", "restocked"), "\n1 retried\n")
	require.Equal(t, "there are no such tasks\n", tasker(t, pool, "task", "list", "-s", "blocked_by_failures").err)
}
