// Command page measures the operators' page in a database with many tasks, while many browsers show the page and tasks change.
// It prints the server's time for each screen, and the server's memory. It fails if no browser has requested a screen, or if a
// screen did not load.
//
//	make bench-page                     1,000,000 tasks, a task of 10,000 steps, 200 pages, 5 changes a second, a minute
//	go run -C bench ./page -short       the same with a tenth of the tasks and pages, for ten seconds
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
)

func main() {
	tasks := flag.Int("tasks", 1_000_000, "how many tasks there are")
	steps := flag.Int("steps", 10_000, "how many steps the large task has")
	pages := flag.Int("pages", 200, "how many pages are open")
	changes := flag.Int("changes", 5, "how many tasks change a second")
	long := flag.Duration("for", time.Minute, "how long it is measured")
	short := flag.Bool("short", false, "a tenth of the tasks and pages, for ten seconds")
	flag.Parse()
	if *short {
		*tasks, *pages, *long = *tasks/10, *pages/10, 10*time.Second
	}
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		large, few, err := fill(ctx, pool, *tasks, *steps)
		if err != nil {
			return err
		}
		return measure(ctx, pool, large, few, *pages, *changes, *long)
	})
}

// settle has maintenance count ended tasks, as it does once a minute. Maintenance must run twice, since its first run only
// marks how far to count.
const settle = "select tasker.refresh_analytics()"

// fill makes finished tasks, a task with many steps, and tasks that can change.
func fill(ctx context.Context, pool *pgxpool.Pool, tasks, steps int) (large uuid.UUID, few []uuid.UUID, err error) {
	e := executor.New(pool)
	const diamond = `{"namespace": "bench", "name": "order", "identity_strategy": "always_unique",
		"steps": [{"name": "top"}, {"name": "left", "dependencies": ["top"]}, {"name": "right", "dependencies": ["top"]}, {"name": "bottom", "dependencies": ["left", "right"]}]}`
	var wide strings.Builder
	wide.WriteString(`{"namespace": "bench", "name": "wide", "identity_strategy": "always_unique", "steps": [{"name": "begin"}`)
	for i := range steps - 1 {
		fmt.Fprintf(&wide, `, {"name": "s%d", "handler": "s", "dependencies": ["begin"]}`, i)
	}
	wide.WriteString(`]}`)
	for _, template := range []string{diamond, wide.String()} {
		if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(template)); err != nil {
			return large, nil, err
		}
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return large, nil, err
	}
	defer conn.Release()
	began := time.Now()
	const chunk = 100_000
	for done := 0; done < tasks; done += chunk {
		// Insert by set and without triggers, since only the reads of the page are measured.
		if _, err := conn.Exec(ctx, fmt.Sprintf(finished, min(chunk, tasks-done))); err != nil {
			return large, nil, err
		}
	}
	made, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "bench", Name: "wide"})
	if err != nil {
		return large, nil, err
	}
	created, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "order", Contexts: slices.Repeat([]json.RawMessage{json.RawMessage("{}")}, 500)})
	if err != nil {
		return large, nil, err
	}
	for _, c := range created {
		few = append(few, c.TaskUUID)
	}
	for _, sql := range []string{"vacuum (analyze)", "select tasker.rebuild_analytics()", settle, settle, "checkpoint"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return large, nil, err
		}
	}
	fmt.Printf("%d tasks and one of %d steps made in %s\n", tasks, steps, time.Since(began).Round(time.Second))
	return made.TaskUUID, few, nil
}

// finished makes this number of ended tasks, with their logs.
const finished = `
	set session_replication_role = replica;
	create temporary table made on commit drop as
	select encode(overlay(overlay(uuid_send(gen_random_uuid())
	         placing int8send(((extract(epoch from a.at) * 1000)::bigint << 16) | x'7000'::bigint) from 1 for 8)
	         placing '\x0000' from 15 for 2), 'hex')::uuid as task_uuid, a.at, a.n, a.n %% 200 = 7 as failed, k.named_task_uuid, s.named_step_uuid
	  from (select n, now() - interval '24 hours' * random() as at from generate_series(1, %d) as n) as a
	 cross join tasker.named_tasks as k
	  join tasker.named_tasks_named_steps as s on s.named_task_uuid = k.named_task_uuid and s.step_no = 1
	 where k.name = 'order'
	 order by a.at;
	insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, failed_steps, transition_count, requested_at, updated_at, started_at, completed_at, correlation_id, tags)
	select task_uuid, named_task_uuid, case when failed then 'error' else 'complete' end::tasker.task_state, true, 1, failed::integer, 2, at, at, at, at, task_uuid,
	       case when n %% 10 = 0 then array['web', 'customer-' || n] else '{}' end
	  from made;
	insert into tasker.workflow_steps (workflow_step_uuid, task_uuid, step_no, named_step_uuid, name, state, transition_count, attempts, processed_at)
	select tasker.step_uuid(task_uuid, 1), task_uuid, 1, named_step_uuid, 'top', case when failed then 'error' else 'complete' end::tasker.step_state, 2, 1, case when not failed then at end from made;
	insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
	select task_uuid, 1, 1, case when failed then 1001 else 5 end, at -- EnqueueForOrchestration
	  from made;
	insert into tasker.task_log (task_uuid, sort_key, path, created_at)
	select task_uuid, step, case when step = 1 then 1 when failed then 1002 else 3 end, at -- Start, GiveUp, NoStepsFound
	  from made cross join generate_series(1, 2) as g (step);
	set session_replication_role = origin`

// watch is a screen that the browsers read.
type watch struct{ name, path string }

// times are the server's times of each screen.
type times struct {
	mutex sync.Mutex
	of    map[string][]time.Duration
	bad   map[string]int
}

func (t *times) note(name string, took time.Duration, status int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.of[name] = append(t.of[name], took)
	if status != http.StatusOK {
		t.bad[name]++
	}
}

func (t *times) forget() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	clear(t.of)
	clear(t.bad)
}

// measure opens the pages, changes tasks, and prints the costs.
func measure(ctx context.Context, pool *pgxpool.Pool, large uuid.UUID, few []uuid.UUID, pages, changes int, long time.Duration) error {
	const login = "bench_page"
	if _, err := pool.Exec(ctx, "drop role if exists "+login+"; create role "+login+" login noinherit; grant tasker_server, tasker_operator to "+login); err != nil {
		return err
	}
	config := pool.Config().Copy()
	config.ConnConfig.User, config.MaxConns = login, 16
	served, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer served.Close()
	handler, err := serve.New(ctx, served, serve.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	token, hash := bearer.New()
	if _, err := executor.New(pool).CreateToken(ctx, sqlfn.CreateTokenParams{Name: "bench", TokenHash: hash, RoleName: "tasker_operator", Namespaces: []string{"*"}}); err != nil {
		return err
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer handler.Close()

	screens := []watch{
		{"overview", "/ui"},
		{"overview, 24 hours", "/ui?since=24h"},
		{"tasks", "/ui/tasks"},
		{"tasks, complete", "/ui/tasks?state=complete"},
		{"tasks, failed", "/ui/tasks?state=error"},
		{"tasks, cancelled (none)", "/ui/tasks?state=cancelled"},
		{"tasks, with a tag", "/ui/tasks?tag=web"},
		{"tasks of a template", "/ui/tasks?namespace=bench&name=order"},
		{"large task", "/ui/tasks/" + large.String()},
		{"large task, timeline", "/ui/tasks/" + large.String() + "?show=timeline"},
		{"large task, story", "/ui/tasks/" + large.String() + "?show=story"},
		{"large task, audit", "/ui/tasks/" + large.String() + "?show=audit"},
		{"large task, data", "/ui/tasks/" + large.String() + "?show=data"},
		{"step of the large task", "/ui/tasks/" + large.String() + "/steps/9999"},
		{"inbox", "/ui/waits"},
		{"schedules", "/ui/schedules"},
		{"dead letters", "/ui/dead-letters"},
		{"workers", "/ui/workers"},
		{"queues", "/ui/queues"},
		{"limits", "/ui/limits"},
		{"templates", "/ui/templates"},
		{"template", "/ui/templates/bench/order/0.1.0"},
		{"partitions", "/ui/partitions"},
		{"settings", "/ui/settings"},
		{"health", "/ui/health"},
		{"search, a tag of no task", "/ui/search?q=nothing"},
		{"search, a tag of many", "/ui/search?q=tag:web"},
	}
	named := slices.Clone(screens)
	pages = max(pages, len(screens)+1)
	few = few[:min(len(few), pages)]
	for i := range few {
		screens = append(screens, watch{"task", "/ui/tasks/" + few[i].String()})
	}
	measured := &times{of: map[string][]time.Duration{}, bad: map[string]int{}}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4 * pages}}
	defer client.CloseIdleConnections()
	browsing, stop := context.WithCancel(ctx)
	defer stop()
	var open, first sync.WaitGroup
	first.Add(pages)
	for i := range pages {
		open.Go(func() { browse(browsing, client, server.URL, token, screens[i%len(screens)], measured, first.Done) })
	}
	// The measurement begins when every page is open, since by then the connections have their plans.
	first.Wait()
	measured.forget()
	before := memory()
	cpuBefore, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return err
	}
	load := loadAverage()
	running, over := context.WithTimeout(ctx, long)
	defer over()
	if err := change(running, pool, few, changes); err != nil {
		return err
	}
	used, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return err
	}
	used = used.Sub(cpuBefore)
	after := memory()
	stop()
	open.Wait()
	var wrong []string
	rows := [][]string{{"screen", "readings", "p50", "p95", "max", "not 200"}}
	for _, w := range append(named, watch{name: "task"}) {
		name, all := w.name, measured.of[w.name]
		if len(all) == 0 || measured.bad[name] > 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d readings, of which %d failed", name, len(all), measured.bad[name]))
			if len(all) == 0 {
				continue
			}
		}
		slices.Sort(all)
		at := func(part float64) string {
			return all[int(part*float64(len(all)-1))].Round(100 * time.Microsecond).String()
		}
		rows = append(rows, []string{name, fmt.Sprint(len(all)), at(0.5), at(0.95), at(1), fmt.Sprint(measured.bad[name])})
	}
	lab.Table(rows)
	readings := 0
	for _, all := range measured.of {
		readings += len(all)
	}
	fmt.Printf("processor time in %s: PostgreSQL %s, server and browsers %s, of %d processors; %d readings; load average %s before, %s after\n",
		long, used.Server.Round(time.Millisecond), used.Client.Round(time.Millisecond), runtime.NumCPU(), readings, load, loadAverage())
	fmt.Printf("%d pages, %d changes a second for %s; heap %d MiB with all pages open, %d MiB at the end\n", pages, changes, long, before>>20, after>>20)
	if err := costs(ctx, pool, client, server.URL, token, append(named, watch{"task", "/ui/tasks/" + few[0].String()})); err != nil {
		return err
	}
	if wrong != nil {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

// costs prints the processor time of reading each screen once, one screen after the other. Other work on the machine
// makes the readings slower but costs no more processor time.
func costs(ctx context.Context, pool *pgxpool.Pool, client *http.Client, base, token string, screens []watch) error {
	const times = 20
	rows := [][]string{{"screen", "PostgreSQL", "server", "bytes"}}
	for _, w := range screens {
		before, err := lab.ReadCPU(ctx, pool)
		if err != nil {
			return err
		}
		size := 0
		for n := range times {
			// Use another address each time, so that the server keeps nothing from the preceding reading.
			joint := "?"
			if strings.Contains(w.path, "?") {
				joint = "&"
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprint(base, w.path, joint, "n=", n), nil)
			if err != nil {
				return err
			}
			r.AddCookie(&http.Cookie{Name: "pgtasker_session", Value: url.QueryEscape(token)})
			response, err := client.Do(r)
			if err != nil {
				return err
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err != nil {
				return err
			}
			size = len(body)
		}
		after, err := lab.ReadCPU(ctx, pool)
		if err != nil {
			return err
		}
		used := after.Sub(before)
		rows = append(rows, []string{w.name, (used.Server / times).Round(100 * time.Microsecond).String(), (used.Client / times).Round(100 * time.Microsecond).String(), fmt.Sprint(size)})
	}
	fmt.Printf("\nprocessor time of one reading, mean of %d:\n", times)
	lab.Table(rows)
	return nil
}

// again is the pause before a browser reads a screen that shows no task again.
const again = 5 * time.Second

// browse reads a screen, and reads it again at each hint, as the page's script does.
func browse(ctx context.Context, client *http.Client, base, token string, w watch, measured *times, opened func()) {
	request := func(accept string) *http.Request {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, base+w.path, nil)
		r.Header.Set("Accept", accept)
		r.AddCookie(&http.Cookie{Name: "pgtasker_session", Value: url.QueryEscape(token)})
		return r
	}
	read := func() (still bool) {
		began := time.Now()
		response, err := client.Do(request("text/html"))
		if err != nil || ctx.Err() != nil {
			return true // It is over.
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		measured.note(w.name, time.Since(began), response.StatusCode)
		return bytes.Contains(body, []byte(`<body data-mark="">`))
	}
	still := read()
	opened()
	// A person reloads a screen from time to time. Data that does not change by itself is read only then.
	var looking sync.WaitGroup
	defer looking.Wait()
	looking.Go(func() {
		for w.name != "task" && ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(again):
				read()
			}
		}
	})
	if still {
		return
	}
	response, err := client.Do(request("text/event-stream"))
	if err != nil {
		return
	}
	defer func() { _ = response.Body.Close() }()
	lines, first := bufio.NewScanner(response.Body), true
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") {
			if !first {
				read()
			}
			first = false
		}
	}
}

// change creates tasks and completes steps, a fixed number per second, until the measurement is over.
func change(ctx context.Context, pool *pgxpool.Pool, few []uuid.UUID, changes int) error {
	e := executor.New(pool)
	ticker := time.NewTicker(time.Second / time.Duration(changes))
	defer ticker.Stop()
	reason := "bench"
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		step := few[n%len(few)]
		step[15] = byte(1 + n/len(few)%4)
		_, err := e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{StepUUID: step, Results: json.RawMessage(`{"n": 1}`), Reason: reason})
		if err != nil && !errors.Is(err, executor.ErrConflict) && ctx.Err() == nil {
			return err
		}
	}
}

// loadAverage returns the machine's load average over the last minute, if the machine reports it.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}

func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
