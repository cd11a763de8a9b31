package cli

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

const (
	ordersYAML   = "../../../../examples/orders/fulfilment/order.yaml"
	handlersYAML = "../../../../examples/handlers/handlers.yaml"
)

func TestWorkerDemo_DoesTheExamplesUntilItIsIdle(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", ordersYAML, handlersYAML)
	paid := createTask(t, pool, "shop/order", "-c", `{"number": 7, "customer": "Ada", "cents": 1299}`)
	unpaid := createTask(t, pool, "shop/order", "-c", `{"number": 8, "customer": "Bob"}`)
	mixed := createTask(t, pool, "demo/handlers")

	r := tasker(t, pool, "worker", "demo", "--until-idle", "--pace", "0")
	require.Equal(t, exitDone, r.code, r.err)
	require.Contains(t, r.err, "nothing to pay for order 8", "standard error names the step that failed for good")
	for _, line := range []string{
		"shop/order  " + paid + "  reserve 1/3  success  {\"shelf\":\"shelf 7\"}",
		"shop/order  " + paid + "  charge 1/5  failure  the bank does not answer",
		"shop/order  " + unpaid + "  charge 2/5  permanent  nothing to pay for order 8",
		"demo/handlers  " + mixed + "  nap 1/3  success  {\"slept_seconds\":1}",
		"demo/handlers  " + mixed + "  stumble 2/3  failure  over my own feet",
		"demo/handlers  " + mixed + "  stumble 3/3  success  {\"attempts\":3}",
	} {
		require.Regexp(t, `(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S+  `+regexp.QuoteMeta(line), r.out)
	}
	// 4 steps and 1 failure; 2 steps and 2 failures; 4 steps and 2 failures.
	require.True(t, strings.HasSuffix(r.out, "\n15 attempts: 10 completed, 5 failed, 0 handed back, 0 cancelled or lost\n"), r.out)

	for task, want := range map[string]state.TaskState{
		paid: state.TaskComplete, unpaid: state.TaskBlockedByFailures, mixed: state.TaskComplete,
	} {
		var shown struct {
			Task executor.TaskDetail `json:"task"`
		}
		require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "show", task, "--json")), &shown))
		require.Equal(t, want, shown.Task.State)
	}
}

func TestWorkerDemo_LeavesTheStepsOfOthersAloneAndIsIdleThen(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", ordersYAML, file(t, "other.yaml", "{namespace: other, name: job, steps: [{name: work}]}"))
	createTask(t, pool, "other/job")
	createTask(t, pool, "shop/order", "-c", `{"cents": 1}`)
	var did workerReport
	r := tasker(t, pool, "worker", "demo", "--until-idle", "--pace", "0", "-n", "other", "--no-listen", "--json")
	require.Equal(t, exitDone, r.code, r.err)
	require.NoError(t, json.Unmarshal([]byte(r.out), &did))
	require.Equal(t, workerReport{}, did)
	// The command may report on standard error that no worker has a handler for the steps.
	r = tasker(t, pool, "worker", "demo", "--until-idle", "--pace", "0", "-n", "other", "-n", "shop", "--json")
	require.Equal(t, exitDone, r.code, r.err)
	require.NoError(t, json.Unmarshal([]byte(r.out), &did))
	require.Equal(t, workerReport{Claimed: 5, Completed: 4, Failed: 1}, did)
}

func TestWorkerDemo_WorksUntilItIsInterrupted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", handlersYAML)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan result, 1)
	go func() {
		env := map[string]string{"DATABASE_URL": pgtest.URL(pool), "TZ": "UTC"}
		ended <- run(ctx, env, "", "worker", "demo", "--pace", "1ms")
	}()
	for range 2 {
		must(t, pool, "task", "wait", createTask(t, pool, "demo/handlers"), "--timeout", "30s")
	}
	interrupt()
	select {
	case r := <-ended:
		require.Equal(t, exitDone, r.code, r.err)
		require.Empty(t, r.err)
		require.Contains(t, r.out, "12 attempts: 8 completed, 4 failed")
	case <-time.After(30 * time.Second):
		require.FailNow(t, "the command does not end")
	}
}

func TestWorkerDemo_SaysWhatItCannotDo(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	r := tasker(t, pool, "worker", "demo", "-n", "nowhere")
	require.Equal(t, result{exitNotFound, "", `tasker: namespace "nowhere" does not exist
  hint: tasker namespace list shows them; tasker apply registers a template's namespace.
`}, r)
	r = tasker(t, pool, "worker", "demo")
	require.Equal(t, result{exitNotFound, "", `tasker: there is no namespace yet, so nothing to work on
  hint: tasker apply registers a template and its namespace, such as examples/handlers/handlers.yaml.
`}, r)
	r = tasker(t, pool, "worker", "demo", "--concurrency", "0")
	require.Equal(t, result{exitUsage, "", "tasker: --concurrency is at least 1\n"}, r)
	r = tasker(t, pgtest.NewEmpty(t), "worker", "demo")
	require.Equal(t, exitUnreachable, r.code)
	require.Contains(t, r.err, "the database is not migrated")
}
