package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

// The results of a map are larger than a claim may send. The worker reads them in pages and joins them.
func TestResult_ReadsAMapInPages(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), "select tasker.set_setting('claim_bytes', '65536')")
	require.NoError(t, err)
	e := executor.New(pool)
	_, err = e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "wide", "steps": [
		{"name": "list"}, {"name": "rate"},
		{"name": "each", "dependencies": ["list", "rate"], "for_each": {"step": "list"}, "allow_failures": 1},
		{"name": "join", "dependencies": ["each", "rate"]}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "wide"})
	require.NoError(t, err)

	const size = 300
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "list", func(context.Context, *worker.Job[any]) ([]int, error) {
		list := make([]int, size)
		for i := range list {
			list[i] = i
		}
		return list, nil
	})
	worker.Handle(w, "rate", func(context.Context, *worker.Job[any]) (int, error) { return 2, nil })
	worker.Handle(w, "each", func(_ context.Context, job *worker.Job[any]) (string, error) {
		var in struct{ Element, Index int }
		if err := job.Inputs(&in); err != nil {
			return "", err
		}
		rates, err := worker.Results[int](job)
		if err != nil || len(rates) != 1 {
			return "", fmt.Errorf("%d results: %w", len(rates), err)
		}
		if in.Index == 7 {
			return "", worker.Permanent(fmt.Errorf("seven"))
		}
		return strings.Repeat("x", 500) + fmt.Sprint(in.Element*rates["rate"]), nil
	})
	worker.Handle(w, "join", func(_ context.Context, job *worker.Job[any]) (int, error) {
		parts, err := worker.Result[[]*string](job, "each")
		if err != nil {
			return 0, err
		}
		for i, part := range parts {
			if i == 7 && part == nil {
				continue
			}
			if want := strings.Repeat("x", 500) + fmt.Sprint(2*i); part == nil || *part != want {
				return 0, worker.Permanent(fmt.Errorf("element %d is %v", i, part))
			}
		}
		return len(parts), nil
	})
	report := workertest.Run(t, pool, w, task.TaskUUID)
	require.Equal(t, size, workertest.Result[int](t, report, "join"))
}
