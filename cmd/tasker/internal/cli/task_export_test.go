package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/replay"
)

func TestTaskExport_PrintsADocument(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order", "-c", `{"email": "ada@example.org", "order": 7}`)
	var document replay.Export
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "export", id)), &document))
	require.Equal(t, id, document.Task.TaskUUID.String())
	require.Len(t, document.Steps, 4)
	require.Contains(t, must(t, pool, "task", "export", short(id)), "ada@example.org")
	require.NotContains(t, must(t, pool, "task", "export", id, "--without-payloads"), "ada@example.org")
	require.Contains(t, must(t, pool, "task", "export", id, "--blank", "$.email"), `"email": null`)
	r := tasker(t, pool, "task", "export", id, "--blank", "email")
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, `"email" is not a path that can be blanked`)
	require.Equal(t, exitUsage, tasker(t, pool, "task", "export").code)
	require.Equal(t, exitUsage, tasker(t, pool, "task", "export", id, "--state", "pending").code)
}

func TestTaskExport_WritesThoseThatMatch(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	for i := range 3 {
		createTask(t, pool, "shop/order", "-c", fmt.Sprintf(`{"order": %d}`, i), "--tag", fmt.Sprint("t", i))
	}
	folder := filepath.Join(t.TempDir(), "out")
	r := tasker(t, pool, "task", "export", "--out", folder, "-n", "shop", "--tag", "t1", "--children")
	require.Equal(t, exitDone, r.code, r.err)
	require.Equal(t, "exported 1 task in "+folder+"\n", r.out)
	require.Equal(t, "1 task with 4 steps, 1 open\n", must(t, pool, "task", "replay", folder))
	r = tasker(t, pool, "task", "export", "--out", folder)
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, "has an export with other filters")
	require.Equal(t, "exported 1 task in "+folder+"\n", must(t, pool, "task", "export", "--out", folder, "-n", "shop", "--tag", "t1", "--children"),
		"an export that is done stays as it is")
}

// TestTaskExport_GoesOnWhereItWasInterrupted exports many tasks: 1,500 of them, or with PGTASKER_EXPORT_TASKS=100000 (make test-export)
// a hundred thousand.
func TestTaskExport_GoesOnWhereItWasInterrupted(t *testing.T) {
	// It runs alone, because it measures the memory of the process.
	tasks := pgtest.Number("PGTASKER_EXPORT_TASKS", 1500)
	pool := newShop(t)
	createMany(t, pool, tasks)
	folder := t.TempDir()
	peak := heapPeak(t)
	began := time.Now()

	for interrupted := 1; interrupted <= 3; interrupted++ {
		ctx, interrupt := context.WithCancel(t.Context())
		var watching sync.WaitGroup
		watching.Go(func() { interruptAt(ctx, interrupt, folder, tasks*interrupted/5) })
		r := run(ctx, map[string]string{"DATABASE_URL": pgtest.URL(pool), "TZ": "UTC"}, "", "task", "export", "--out", folder)
		interrupt()
		watching.Wait()
		require.Equal(t, exitInterrupted, r.code, r.err)
		require.Contains(t, r.err, ", back to ")
		require.Contains(t, r.err, "the same command goes on")
		require.Less(t, exportedTasks(folder), tasks)
	}
	r := tasker(t, pool, "task", "export", "--out", folder)
	require.Equal(t, exitDone, r.code, r.err)
	require.Equal(t, fmt.Sprintf("exported %d tasks in %s\n", tasks, folder), r.out)
	most := peak()
	t.Logf("%d tasks in %s, at most %d MiB of heap", tasks, time.Since(began).Round(time.Millisecond), most>>20)
	// PGTASKER_EXPORT_TASKS=100000 would need 1.6 GB if the export held all tasks.
	require.Less(t, most, uint64(256<<20), "the memory does not grow with the tasks")

	seen := map[uuid.UUID]bool{}
	require.NoError(t, replay.Read(folder, func(e *replay.Export) error {
		require.False(t, seen[e.Task.TaskUUID], "no task is exported twice")
		seen[e.Task.TaskUUID] = true
		require.Len(t, e.Steps, 4)
		return nil
	}))
	require.Len(t, seen, tasks)
}

// createMany creates tasks with a context of 4 kB each.
func createMany(t *testing.T, pool *pgxpool.Pool, tasks int) {
	t.Helper()
	for from := 0; from < tasks; from += 1000 {
		_, err := pool.Exec(t.Context(), `
			select from tasker.create_tasks('shop', 'order', array(
			  select jsonb_build_object('order', n.no, 'text', (select string_agg(md5(n.no::text || m.no), '') from generate_series(1, 128) as m (no)))
			    from generate_series($1::integer, $2::integer) as n (no)
			))`, from, min(from+1000, tasks)-1)
		require.NoError(t, err)
	}
}

// exportedTasks is how many tasks the file export.json counts.
func exportedTasks(folder string) int {
	var state exportState
	raw, err := os.ReadFile(filepath.Join(folder, exportStateFile))
	if err != nil || json.Unmarshal(raw, &state) != nil {
		return 0
	}
	return state.Tasks
}

// heapPeak samples the heap until the returned function is called, which returns the most that was seen.
func heapPeak(t *testing.T) func() uint64 {
	t.Helper()
	var most uint64
	stop := make(chan struct{})
	var sampling sync.WaitGroup
	sampling.Go(func() {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	})
	return func() uint64 {
		close(stop)
		sampling.Wait()
		return most
	}
}

// interruptAt interrupts an export once it has written so many tasks.
func interruptAt(ctx context.Context, interrupt func(), folder string, tasks int) {
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for ctx.Err() == nil && exportedTasks(folder) < tasks {
		<-ticker.C
	}
	interrupt()
}

func TestTaskExplain_ShowsWhereTheTimeWent(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order", "--start-at", "2h")
	require.Equal(t, "", tasker(t, pool, "task", "explain", id).out)
	var story explainedTask
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "explain", id, "--json")), &story))
	require.Empty(t, story.Parts)
}

func TestTemplateCheck_SaysWhatADeploymentMeets(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	createTask(t, pool, "shop/order")
	next := strings.Replace(order, "version: 1.0.0", "version: 1.1.0", 1)
	out := must(t, pool, "template", "check", file(t, "next.yaml", next))
	require.Contains(t, out, "shop/order@1.1.0\n")
	require.Contains(t, out, `1 open tasks of version "1.0.0" meet the new handlers`)
	require.Contains(t, out, `no running worker has the handler`)
	changed := strings.Replace(order, "name: ship", "name: send", 1)
	r := tasker(t, pool, "template", "check", file(t, "changed.yaml", changed))
	require.Equal(t, exitNo, r.code, r.out+r.err)
	require.Contains(t, r.out, `version "1.0.0" is registered with other content`)
}
