// Command serve measures the ten operations of the REST server that programs use most, in a database with 1,000,000 finished
// tasks. It prints the requests per second of 8 clients, the time of a single request, and the time of its SQL call.
//
//	make bench-serve
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
)

// login is the role that the server logs in as.
const login = "bench_serve"

func main() {
	calls := flag.Int("calls", 200, "how often each operation is called by one client, and by each of the others")
	finished := flag.Int("finished", 1_000_000, "how many tasks have ended")
	clients := flag.Int("clients", 8, "how many clients there are at the same time")
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		open, err := fill(ctx, pool, *finished, 2**calls*(*clients+3))
		if err != nil {
			return err
		}
		s, stop, err := start(ctx, pool, *clients)
		if err != nil {
			return err
		}
		defer stop()
		rows := [][]string{{"operation", "SQL p50", "SQL p95", "REST p50", "REST p95", "cost p50", "REST / SQL", fmt.Sprintf("requests/s, %d clients", *clients)}}
		for _, o := range operations(executor.New(pool), open) {
			row, err := s.measure(ctx, o, *calls, *clients)
			if err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			rows = append(rows, row)
		}
		lab.Table(rows)
		return nil
	})
}

// settle has maintenance count ended tasks, as it does once a minute. Maintenance must run twice, since its first run only
// marks how far to count.
const settle = "select tasker.refresh_analytics()"

// fill makes ended tasks, with their logs, and returns the requested number of open tasks.
func fill(ctx context.Context, pool *pgxpool.Pool, finished, open int) (tasks []uuid.UUID, err error) {
	e := executor.New(pool)
	template := `{"namespace": "bench", "name": "order", "identity_strategy": "always_unique",
		"steps": [{"name": "top"}, {"name": "left", "dependencies": ["top"]}, {"name": "right", "dependencies": ["top"]}, {"name": "bottom", "dependencies": ["left", "right"]}]}`
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(template)); err != nil {
		return nil, err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	began := time.Now()
	const chunk = 100_000
	for done := 0; done < finished; done += chunk {
		// Insert by set and without triggers, since only the requests are measured.
		_, err := conn.Exec(ctx, fmt.Sprintf(`
			set session_replication_role = replica;
			create temporary table made on commit drop as
			select encode(overlay(overlay(uuid_send(gen_random_uuid())
			         placing int8send(((extract(epoch from a.at) * 1000)::bigint << 16) | x'7000'::bigint) from 1 for 8)
			         placing '\x0000' from 15 for 2), 'hex')::uuid as task_uuid, a.at, k.named_task_uuid, s.named_step_uuid
			  from (select now() - interval '24 hours' * random() as at from generate_series(1, %d)) as a
			 cross join tasker.named_tasks as k
			  join tasker.named_tasks_named_steps as s on s.named_task_uuid = k.named_task_uuid and s.step_no = 1
			 order by a.at;
			insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, transition_count, requested_at, updated_at, started_at, completed_at, correlation_id)
			select task_uuid, named_task_uuid, 'complete', true, 1, 2, at, at, at, at, task_uuid from made;
			insert into tasker.workflow_steps (workflow_step_uuid, task_uuid, step_no, named_step_uuid, name, state, transition_count, attempts, processed_at)
			select tasker.step_uuid(task_uuid, 1), task_uuid, 1, named_step_uuid, 'top', 'complete', 2, 1, at from made;
			insert into tasker.task_log (task_uuid, sort_key, path, created_at)
			select task_uuid, 2, 19, at -- Start, NoStepsFound
			  from made;
			set session_replication_role = origin`, min(chunk, finished-done)))
		if err != nil {
			return nil, err
		}
	}
	for range open/1000 + 1 {
		created, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "order", Contexts: slices.Repeat([]json.RawMessage{json.RawMessage("{}")}, 1000)})
		if err != nil {
			return nil, err
		}
		for _, c := range created {
			tasks = append(tasks, c.TaskUUID)
		}
	}
	fmt.Printf("%d finished tasks and %d open ones made in %s\n", finished, len(tasks), time.Since(began).Round(time.Second))
	for _, sql := range []string{"vacuum (analyze)", "select tasker.rebuild_analytics()", settle, settle, "checkpoint"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// server is the REST server that the clients call.
type server struct {
	url, token string
	client     *http.Client
}

func start(ctx context.Context, pool *pgxpool.Pool, clients int) (s *server, stop func(), err error) {
	_, err = pool.Exec(ctx, "drop role if exists "+login+"; create role "+login+" login noinherit; grant tasker_server, tasker_operator to "+login)
	if err != nil {
		return nil, nil, err
	}
	config := pool.Config().Copy()
	config.ConnConfig.User, config.MaxConns = login, int32(clients)
	web, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	handler, err := serve.New(ctx, web, serve.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, err
	}
	token, hash := bearer.New()
	_, err = executor.New(pool).CreateToken(ctx, sqlfn.CreateTokenParams{Name: "bench", TokenHash: hash, RoleName: "tasker_operator", Namespaces: []string{"bench"}})
	if err != nil {
		return nil, nil, err
	}
	listening := httptest.NewServer(handler)
	client := listening.Client()
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = clients
	return &server{listening.URL, token, client}, func() {
		listening.Close()
		web.Close()
		_, _ = pool.Exec(context.WithoutCancel(ctx), "drop role "+login)
	}, nil
}

// operation is a request, and the SQL call that does the same.
type operation struct {
	name string
	// request returns the method, the path and the body of the n-th request.
	request func(n int) (method, path, body string)
	call    func(ctx context.Context, n int) error
}

func operations(e *executor.SqlFunctionExecutor, open []uuid.UUID) []operation {
	var next atomic.Int64
	unused := func() uuid.UUID { return open[next.Add(1)] } // For calls that change a task.
	some := func(n int) string { return open[n%1000].String() }
	get := func(path string) func(n int) (string, string, string) {
		return func(n int) (string, string, string) {
			return http.MethodGet, strings.ReplaceAll(path, "{task}", some(n)), ""
		}
	}
	namespace, inProcess, limit := "bench", "steps_in_process", int32(50)
	return []operation{
		{
			"create a task",
			func(int) (string, string, string) {
				return http.MethodPost, "/v1/tasks", `{"namespace": "bench", "name": "order", "context": {"order": 4711}}`
			},
			func(ctx context.Context, _ int) error {
				_, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: "bench", Name: "order", Context: json.RawMessage(`{"order": 4711}`)})
				return err
			},
		},
		{"get a task", get("/v1/tasks/{task}"), func(ctx context.Context, n int) error { _, err := e.GetTask(ctx, open[n%1000]); return err }},
		{"wait, 0 seconds", get("/v1/tasks/{task}/wait?timeout_seconds=0"), func(ctx context.Context, n int) error { _, err := e.GetTask(ctx, open[n%1000]); return err }},
		{
			"list 50 tasks", get("/v1/tasks?namespace=bench&state=steps_in_process&limit=50"),
			func(ctx context.Context, _ int) error {
				_, err := e.ListTasks(ctx, sqlfn.ListTasksParams{Namespace: namespace, State: inProcess, Limit: limit})
				return err
			},
		},
		{"list a task's steps", get("/v1/tasks/{task}/workflow_steps"), func(ctx context.Context, n int) error { _, err := e.ListSteps(ctx, open[n%1000]); return err }},
		{"a task's history", get("/v1/tasks/{task}/history"), func(ctx context.Context, n int) error {
			_, err := e.GetTaskHistory(ctx, open[n%1000], 1000)
			return err
		}},
		{
			"a step's audit",
			func(n int) (string, string, string) {
				return http.MethodGet, "/v1/tasks/" + some(n) + "/workflow_steps/" + some(n)[:32] + "0001/audit", ""
			},
			func(ctx context.Context, n int) error {
				_, err := e.GetStepAuditHistory(ctx, uuid.MustParse(some(n)[:32]+"0001"))
				return err
			},
		},
		{"a task's progress", get("/v1/tasks/{task}/progress"), func(ctx context.Context, n int) error {
			_, err := e.GetTaskExecutionContext(ctx, open[n%1000])
			return err
		}},
		{
			"complete a step",
			func(int) (string, string, string) {
				id := unused().String()
				return http.MethodPost, "/v1/tasks/" + id + "/workflow_steps/" + id[:32] + "0001/complete", `{"results": {"ok": true}}`
			},
			func(ctx context.Context, _ int) error {
				_, err := e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{StepUUID: uuid.MustParse(unused().String()[:32] + "0001"), Results: json.RawMessage(`{"ok": true}`)})
				return err
			},
		},
		{
			"cancel a task",
			func(int) (string, string, string) {
				return http.MethodPost, "/v1/tasks/" + unused().String() + "/cancel", ""
			},
			func(ctx context.Context, _ int) error { _, err := e.CancelTask(ctx, unused(), "", ""); return err },
		},
	}
}

func (s *server) send(ctx context.Context, o operation, n int) error {
	method, path, body := o.request(n)
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d: %s", response.StatusCode, text)
	}
	return err
}

// measure lets one client call SQL and REST in turns. Then many clients call REST at the same time.
func (s *server) measure(ctx context.Context, o operation, calls, clients int) ([]string, error) {
	var sql, rest []time.Duration
	for n := range calls + calls/10 {
		began := time.Now()
		if err := o.call(ctx, n); err != nil {
			return nil, err
		}
		between := time.Now()
		if err := s.send(ctx, o, n); err != nil {
			return nil, err
		}
		if n >= calls/10 { // The first calls plan and connect.
			sql, rest = append(sql, between.Sub(began)), append(rest, time.Since(between))
		}
	}
	var group sync.WaitGroup
	failed := make(chan error, clients)
	began := time.Now()
	for client := range clients {
		group.Go(func() {
			for n := range calls {
				if err := s.send(ctx, o, client*calls+n); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	select {
	case err := <-failed:
		return nil, err
	default:
	}
	slices.SortFunc(sql, cmp.Compare)
	slices.SortFunc(rest, cmp.Compare)
	at := func(sorted []time.Duration, share int) time.Duration {
		return sorted[len(sorted)*share/100].Round(10 * time.Microsecond)
	}
	return []string{
		o.name, at(sql, 50).String(), at(sql, 95).String(), at(rest, 50).String(), at(rest, 95).String(),
		(at(rest, 50) - at(sql, 50)).String(), fmt.Sprintf("%.1f", float64(at(rest, 50))/float64(at(sql, 50))), fmt.Sprintf("%.0f", float64(clients*calls)/took.Seconds()),
	}, nil
}
