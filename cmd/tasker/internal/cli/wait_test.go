package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/orchestrator"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// watched is a writer that closes seen when its text contains want.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
	want string
	seen chan struct{}
}

func watch(want string) *watched { return &watched{want: want, seen: make(chan struct{})} }

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := strings.Contains(w.text.String(), w.want)
	n, err := w.text.Write(p)
	if !before && strings.Contains(w.text.String(), w.want) {
		close(w.seen)
	}
	return n, err
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func TestTaskWait_ShowsEveryChangeUntilTheEnd(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order")
	out := watch("steps_in_process, 0 of 4 steps settled, 1 active\n")
	code := make(chan int, 1)
	go func() {
		code <- Main(t.Context(), Process{
			Args: []string{"task", "wait", task}, In: strings.NewReader(""), Out: out, Err: &bytes.Buffer{},
			Getenv: func(name string) string { return map[string]string{"DATABASE_URL": pgtest.URL(pool)}[name] },
		})
	}()
	<-out.seen
	for range 3 { // reserve; charge and pack; ship
		work(t, pool, "")
	}
	require.Equal(t, exitDone, <-code)
	require.Regexp(t, `complete, 4 of 4 steps settled\n$`, out.String())
}

func TestTaskWait_TellsTheEndByItsExitCode(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	r := tasker(t, pool, "task", "wait", task)
	require.Equal(t, exitNo, r.code)
	require.Empty(t, r.err)
	require.Regexp(t, `blocked_by_failures, 0 of 4 steps settled, 1 failed\n$`, r.out)

	r = tasker(t, pool, "task", "wait", task, "--patient", "--timeout", "10ms")
	require.Equal(t, exitTimeout, r.code, r.err)
	require.Contains(t, r.err, "tasker: task "+task+" has not ended within 10ms\n  hint: ")

	must(t, pool, "task", "resolve", task)
	require.Equal(t, exitDone, tasker(t, pool, "task", "wait", task).code)
	var shown executor.TaskDetail
	require.NoError(t, json.Unmarshal([]byte(must(t, pool, "task", "wait", task, "--json")), &shown))
	require.EqualValues(t, "resolved_manually", shown.State)
}

func TestTaskWait_WaitsForAnOperatorIfItIsPatient(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"listening": nil, "only looking": {"--no-listen"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, task := newBlocked(t)
			out := watch("resolved_manually")
			code := make(chan int, 1)
			go func() {
				code <- Main(t.Context(), Process{
					Args: append([]string{"task", "wait", task, "--patient", "--json"}, args...), In: strings.NewReader(""), Out: out, Err: &bytes.Buffer{},
					Getenv: func(name string) string { return map[string]string{"DATABASE_URL": pgtest.URL(pool)}[name] },
				})
			}()
			must(t, pool, "task", "resolve", task)
			require.Equal(t, exitDone, <-code)
			require.True(t, json.Valid([]byte(out.String())))
		})
	}
}

func TestTaskWait_DrawsOverItselfOnATerminal(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order")
	var out bytes.Buffer
	a := newApp(Process{Out: &out, Err: &out, Getenv: func(name string) string {
		return map[string]string{"DATABASE_URL": pgtest.URL(pool), "TZ": "UTC"}[name]
	}})
	t.Cleanup(a.close)
	a.out.Terminal, a.out.Cursor = true, true
	show := a.newProgress()
	e := executor.New(pool)
	for range 2 {
		task, _, _, err := a.loadTask(t.Context(), id)
		require.NoError(t, err)
		require.NoError(t, show(t.Context(), e, task.Task))
		work(t, pool, "")
	}
	require.Equal(t, strings.TrimPrefix(`
     STEP     STATE     TRIES
◎    reserve  enqueued
├─╮
○ │  charge   pending          0 of 1 parents settled
│ ○  pack     pending          0 of 1 parents settled
├─╯
○    ship     pending          0 of 2 parents settled
steps_in_process, 0 of 4 steps settled, 1 active
`, "\n")+"\x1b[8A\x1b[J"+strings.TrimPrefix(`
     STEP     STATE     TRIES
●    reserve  complete  1/5    0s ago
├─╮
◎ │  charge   enqueued
│ ◎  pack     enqueued
├─╯
○    ship     pending          0 of 2 parents settled
steps_in_process, 1 of 4 steps settled, 2 active
`, "\n"), out.String())
}

// orchestrating runs the loop until a text is logged, and returns its output and its log.
func orchestrating(t *testing.T, address, until string, args ...string) (out, logs string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var printed bytes.Buffer
	logged := watch(until)
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, Process{
			Args: append([]string{"orchestrate"}, args...), In: strings.NewReader(""), Out: &printed, Err: logged,
			Getenv: func(name string) string { return map[string]string{"DATABASE_URL": address}[name] },
		})
	}()
	<-logged.seen
	cancel()
	require.Equal(t, exitDone, <-code, logged.String())
	return printed.String(), logged.String()
}

func TestOrchestrate_LogsAndCountsWhatItFindsAndStopsGracefully(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must(t, pool, "apply", file(t, "order.yaml", order))
	createTask(t, pool, "shop/order", "--deferred")

	out, logs := orchestrating(t, pgtest.URL(pool), "msg=orchestrated source=start tasks_advanced=1", "--poll", "0")
	require.Contains(t, logs, "msg=stopped")
	require.Regexp(t, `^FOUND BY  LOOKS  REQUESTS  TIMERS  TASKS  LOST STEPS  RESULTS\nstart +\d+ +0 +0 +1 +0 +0\n`, out)
	require.Regexp(t, `fallback +0 +0 +0 +0 +0 +0\n$`, out)

	out, logs = orchestrating(t, pgtest.URL(pool), `"msg":"orchestrating"`, "--poll", "1h", "--no-listen", "--json")
	var counts orchestrator.Counts
	require.NoError(t, json.Unmarshal([]byte(out), &counts))
	require.Positive(t, counts[orchestrator.Start].Looks)
	for line := range strings.Lines(logs) {
		require.True(t, json.Valid([]byte(line)), line)
	}
}

func TestOrchestrateOnce_DoesTheWorkThatIsDue(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	task := createTask(t, pool, "shop/order", "--deferred")
	require.Contains(t, must(t, pool, "task", "show", task), "state      pending\n")
	out := must(t, pool, "orchestrate", "--once")
	require.Contains(t, out, "tasks advanced      1\n")
	var processor string
	require.NoError(t, pool.QueryRow(t.Context(), "select distinct l.processor_uuid::text from tasker.task_transition_log as l where l.processor_uuid is not null").Scan(&processor))
	require.Contains(t, out, "processor           "+processor+"\n")
	require.Contains(t, must(t, pool, "task", "show", task), "state      steps_in_process\n")
	require.Equal(t, exitUsage, tasker(t, pool, "orchestrate", "--limit", "0").code)
}
