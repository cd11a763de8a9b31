package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

// The array of a map is far larger than the memory that a worker may use. Its child reads it in pages, in order. With
// PGTASKER_SOAK the array has 100 MB.
func TestMap_OfManyMegabytesIsReadInPagesWithLittleMemory(t *testing.T) {
	t.Parallel()
	size := 8
	if os.Getenv("PGTASKER_SOAK") != "" {
		size = 100
	}
	const megabyte = 1_000_000 // result_bytes is 1,048,576
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "large", "steps": [
		{"name": "each", "for_each": "$.lines"}, {"name": "join", "dependencies": ["each"]}]}`))
	require.NoError(t, err)
	lines, err := json.Marshal(map[string]any{"lines": make([]int, size)})
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "large", Context: lines})
	require.NoError(t, err)
	// Write the results into the table directly: this test is about reading them.
	_, err = pool.Exec(t.Context(), `select tasker.fire_due_timers()`)
	require.NoError(t, err)
	for range size {
		_, err = pool.Exec(t.Context(), `
			with c as materialized (select c.* from tasker.claim_steps('{shop}', $1, 1, 3600, '{each}') as c)
			select tasker.complete_steps(array[c.step_uuid], array[c.claim_no],
				array[jsonb_build_object('index', c.inputs -> 'index', 'text', repeat(c.inputs ->> 'index', $2 / length(c.inputs ->> 'index')))]) from c`,
			uuid.New(), megabyte)
		require.NoError(t, err)
	}

	var before, most uint64
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "join", func(ctx context.Context, job *worker.Job[any]) (int, error) {
		before = heap()
		read, bytes := 0, 0
		for after := int32(0); ; {
			page, err := e.GetParentResults(ctx, job.StepUUID, after, 5)
			if err != nil {
				return 0, err
			}
			most = max(most, heap())
			for _, row := range page {
				var part struct {
					Index int
					Text  string
				}
				if err := json.Unmarshal(row.Results, &part); err != nil || part.Index != read || *row.Map != "each" {
					return 0, worker.Permanent(fmt.Errorf("element %d stands in the place of %d: %w", part.Index, read, err))
				}
				after, read, bytes = row.StepNo, read+1, bytes+len(part.Text)
			}
			if len(page) < 5 {
				return bytes, nil
			}
		}
	})
	report := workertest.Run(t, pool, w, task.TaskUUID)
	require.Greater(t, workertest.Result[int](t, report, "join"), (size-1)*megabyte)
	require.Less(t, most-min(before, most), uint64(64<<20), "bytes")
	t.Logf("%d MB, read with %d KiB of memory", size, (most-min(before, most))>>10)
}
