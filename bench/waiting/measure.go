package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

// plainExchange claims a plain step, and hands in the result of the preceding step, which $2 and $3 identify.
const plainExchange = `select step_uuid, claim_no from tasker.exchange_steps($1::uuid, $2::uuid[], $3::integer[], p_namespaces => '{plain}', p_limit => 1) where answer is null`

// exchange measures exchanges of one plain step on one connection, in the namespace of the waiting steps.
func (b *bench) exchange(ctx context.Context) ([]string, error) {
	if err := b.createTasks(ctx, "plain", "job", 4*(*exchanges)+10); err != nil {
		return nil, err
	}
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	worker := uuid.New()
	var steps []uuid.UUID
	var claims []int32
	once := func() error {
		var step uuid.UUID
		var claim int32
		if err := conn.QueryRow(ctx, plainExchange, worker, steps, claims).Scan(&step, &claim); err != nil {
			return err
		}
		steps, claims = []uuid.UUID{step}, []int32{claim}
		return nil
	}
	var times []time.Duration
	for range *exchanges {
		began := time.Now()
		if err := once(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	statements, err := countStatements(ctx, conn, func() error {
		for range *exchanges {
			if err := once(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var buffers []int
	for range min(*exchanges, 100) {
		// EXPLAIN does not return the claimed step, so hand in the preceding result again, and leave the claimed step
		// unfinished.
		n, err := buffersOf(ctx, conn, fmt.Sprintf(
			"select * from tasker.exchange_steps('%s'::uuid, array['%s']::uuid[], array[%d], p_namespaces => '{plain}', p_limit => 1)", worker, steps[0], claims[0]))
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, n)
		if err := once(); err != nil {
			return nil, err
		}
	}
	if _, err := conn.Exec(ctx, "select tasker.cancel_task(t.task_uuid) from tasker.list_tasks('plain', p_name => 'job', p_state => 'steps_in_process', p_limit => 10000) as t"); err != nil {
		return nil, err
	}
	return []string{statements, fmt.Sprint(middle(buffers)), lab.Median(times).Round(time.Microsecond).String(), p95(times)}, nil
}

// send measures a signal, without a worker.
func (b *bench) send(ctx context.Context) ([]string, error) {
	tasks, err := b.waiting(ctx, "plain", *exchanges+50)
	if err != nil {
		return nil, err
	}
	conn, err := b.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	var buffers []int
	for _, task := range tasks[:50] {
		n, err := buffersOf(ctx, conn, fmt.Sprintf(`select * from tasker.send_signal('%s', 'approved', '{"ok": true}')`, task))
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, n)
	}
	var times []time.Duration
	for _, task := range tasks[50:] {
		began := time.Now()
		if _, err := conn.Exec(ctx, `select answer from tasker.send_signal($1, 'approved', '{"ok": true}')`, task); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	for _, task := range tasks {
		if _, err := b.e.CancelTask(ctx, task, "", ""); err != nil {
			return nil, err
		}
	}
	return []string{fmt.Sprint(middle(buffers)), lab.Median(times).Round(time.Microsecond).String(), p95(times)}, nil
}

// react measures the time from a signal to the next handler, in a worker that has nothing else to do.
func (b *bench) react(ctx context.Context) ([]string, error) {
	tasks, err := b.waiting(ctx, "live", *signals)
	if err != nil {
		return nil, err
	}
	w, err := worker.New(b.pool, worker.Config{Namespaces: []string{"live"}, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		return nil, err
	}
	running := make(chan time.Time, 1)
	worker.Handle(w, "ship", func(context.Context, *worker.Job[struct{}]) (string, error) {
		running <- time.Now()
		return "shipped", nil
	})
	working, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(working) }()
	var times []time.Duration
	for i, task := range tasks {
		began := time.Now()
		if _, err := b.e.SendSignal(ctx, task, executor.Signal{Name: "approved", Payload: json.RawMessage(`{"ok": true}`)}); err != nil {
			stop()
			return nil, err
		}
		if delay := (<-running).Sub(began); i >= min(10, len(tasks)/10) { // The first signals wait for the worker to start.
			times = append(times, delay)
		}
		if _, err := executor.NewClient(b.pool).Tasks().Wait(ctx, task, executor.WaitOptions{PollInterval: 10 * time.Millisecond}); err != nil {
			stop()
			return nil, err
		}
	}
	stop()
	if err := <-ended; err != nil {
		return nil, err
	}
	return []string{lab.Median(times).Round(10 * time.Microsecond).String(), p95(times)}, nil
}

// inbox measures a page of waiting steps.
func (b *bench) inbox(ctx context.Context) ([]string, error) {
	var times []time.Duration
	for range 30 {
		began := time.Now()
		if _, err := b.e.ListWaits(ctx, executor.WaitFilter{Namespace: "plain", Signal: "approved"}); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	return []string{lab.Median(times).Round(10 * time.Microsecond).String()}, nil
}

// wake makes all sleepers due at once. First one session wakes sleepers, then four sessions do.
func (b *bench) wake(ctx context.Context, count int) error {
	rows := [][]string{{"sleepers woken", "1 session", "4 sessions"}, {fmt.Sprint(count)}}
	for _, sessions := range []int{1, 4} {
		if err := b.createTasks(ctx, "sleep", "nap", count); err != nil {
			return err
		}
		if _, err := b.pool.Exec(ctx, `
			update tasker.timers as t set due_at = now()
			  from tasker.workflow_steps as s
			 where t.kind = 'end_wait' and s.task_uuid = t.task_uuid and s.step_no = t.step_no and s.name = 'nap'`); err != nil {
			return err
		}
		if _, err := b.pool.Exec(ctx, "vacuum (analyze) tasker.timers"); err != nil {
			return err
		}
		began := time.Now()
		ended := make(chan error, sessions)
		for range sessions {
			go func() {
				for {
					fired, err := b.e.FireDueTimers(ctx, 100)
					if err != nil || fired == 0 {
						ended <- err
						return
					}
				}
			}()
		}
		for range sessions {
			if err := <-ended; err != nil {
				return err
			}
		}
		took := time.Since(began)
		var woken int
		if err := b.pool.QueryRow(ctx, "select count(*) from tasker.step_queue as q where q.namespace = 'sleep'").Scan(&woken); err != nil {
			return err
		}
		if want := count * (len(rows[1])); woken != want {
			return fmt.Errorf("%d sleepers are awake, not %d", woken, want)
		}
		rows[1] = append(rows[1], fmt.Sprintf("%.0f/s", float64(count)/took.Seconds()))
	}
	lab.Table(rows)
	return nil
}

func (b *bench) createTasks(ctx context.Context, namespace, name string, count int) error {
	for count > 0 {
		made := min(count, 1000)
		if _, err := b.e.CreateTasks(ctx, executor.TasksRequest{Namespace: namespace, Name: name, Contexts: make([]json.RawMessage, made)}); err != nil {
			return err
		}
		count -= made
	}
	return nil
}

// waiting makes tasks of template order whose first step waits.
func (b *bench) waiting(ctx context.Context, namespace string, count int) (tasks []uuid.UUID, err error) {
	made, err := b.e.CreateTasks(ctx, executor.TasksRequest{Namespace: namespace, Name: "order", Contexts: make([]json.RawMessage, count)})
	for _, m := range made {
		tasks = append(tasks, m.TaskUUID)
	}
	return tasks, err
}

// countStatements returns how many statements ran inside each call, by pg_stat_statements, if the server has it.
func countStatements(ctx context.Context, conn *pgxpool.Conn, work func() error) (string, error) {
	var available bool
	err := conn.QueryRow(ctx, "select current_setting('shared_preload_libraries') like '%pg_stat_statements%'").Scan(&available)
	if err != nil || !available {
		return "not counted", err
	}
	for _, sql := range []string{
		"create extension if not exists pg_stat_statements schema public", "set pg_stat_statements.track = 'all'", "select public.pg_stat_statements_reset()",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	if err := work(); err != nil {
		return "", err
	}
	var mean float64
	err = conn.QueryRow(ctx, `
		select (sum(s.calls) filter (where not s.toplevel))::float / sum(s.calls) filter (where s.toplevel)
		  from public.pg_stat_statements as s
		  join pg_database as d on d.oid = s.dbid
		 where d.datname = current_database() and s.query not like '%pg_stat_statements%'`).Scan(&mean)
	return fmt.Sprintf("%.1f", mean), err
}

// buffersOf returns the number of pages that a statement, with the statements inside it, read or found in memory.
func buffersOf(ctx context.Context, conn *pgxpool.Conn, sql string) (int, error) {
	var raw []byte
	if err := conn.QueryRow(ctx, "explain (analyze, buffers, timing off, format json) "+sql).Scan(&raw); err != nil {
		return 0, err
	}
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	if err := json.Unmarshal(raw, &plans); err != nil {
		return 0, err
	}
	return plans[0].Plan.Hit + plans[0].Plan.Read, nil
}

func middle(numbers []int) int {
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

func p95(times []time.Duration) string {
	slices.Sort(times)
	return times[len(times)*95/100].Round(10 * time.Microsecond).String()
}
