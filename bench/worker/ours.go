package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

type ours struct{ pool *pgxpool.Pool }

func (o *ours) name() string { return "ours" }

func (o *ours) drainJobs(ctx context.Context, n int) (time.Duration, error) {
	return o.drain(ctx, "job", n, n)
}

func (o *ours) drainDiamonds(ctx context.Context, n int) (time.Duration, error) {
	return o.drain(ctx, "diamond", n, 7*n)
}

type out struct {
	OK bool `json:"ok"`
}

func (o *ours) worker(config worker.Config, done func()) (*worker.Worker, error) {
	config.Logger = quiet
	w, err := worker.New(o.pool, config)
	if err != nil {
		return nil, err
	}
	worker.Handle(w, "noop", func(context.Context, *worker.Job[struct{}]) (out, error) {
		done()
		return out{OK: true}, nil
	})
	return w, nil
}

// drain creates tasks and measures how long a worker takes to do all of their steps.
func (o *ours) drain(ctx context.Context, task string, n, steps int) (time.Duration, error) {
	if err := o.create(ctx, task, n); err != nil {
		return 0, err
	}
	config := worker.Config{Concurrency: 2000}
	if e := os.Getenv("EXCHANGES"); e != "" {
		_, _ = fmt.Sscan(e, &config.Exchanges)
	}
	if c := os.Getenv("CONCURRENCY"); c != "" {
		_, _ = fmt.Sscan(c, &config.Concurrency)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var done atomic.Int64
	w, err := o.worker(config, func() {
		if done.Add(1) == int64(steps) {
			stop()
		}
	})
	if err != nil {
		return 0, err
	}
	start := time.Now()
	err = w.Run(ctx) // until the last result is recorded
	took := time.Since(start)
	fmt.Fprintf(os.Stderr, "%s: %+v in %s\n", task, w.Stats(), took)
	if err == nil && w.Stats().Completed != int64(steps) {
		err = fmt.Errorf("%d of %d steps completed", w.Stats().Completed, steps)
	}
	return took, err
}

func (o *ours) create(ctx context.Context, task string, n int) error {
	const batch = 1000
	for ; n > 0; n -= batch {
		contexts := make([]json.RawMessage, min(n, batch))
		for i := range contexts {
			contexts[i] = json.RawMessage(`{"order": 4711}`)
		}
		_, err := executor.New(o.pool).CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: task, Contexts: contexts})
		if err != nil {
			return err
		}
	}
	_, err := o.pool.Exec(ctx, "vacuum analyze")
	return err
}

// latencies listens to the events of tasks: done is when the database says so to a client.
func (o *ours) latencies(ctx context.Context, steps, n int) ([]time.Duration, error) {
	conn, err := pgx.ConnectConfig(ctx, o.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "listen tasker_task_events"); err != nil {
		return nil, err
	}
	w, err := o.worker(worker.Config{}, func() {})
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(running) }()
	defer func() { stop(); <-ended }()
	name := map[int]string{1: "job", 5: "chain"}[steps]
	var times []time.Duration
	for i := range n + 20 {
		time.Sleep(40 * time.Millisecond) // the worker is idle again
		start := time.Now()
		task, err := executor.New(o.pool).CreateTask(ctx, executor.TaskRequest{Namespace: "bench", Name: name})
		if err != nil {
			return nil, err
		}
		for done := false; !done; {
			event, err := conn.WaitForNotification(ctx)
			if err != nil {
				return nil, err
			}
			var change struct {
				Task uuid.UUID `json:"task_uuid"`
				To   string    `json:"to_state"`
			}
			if err := json.Unmarshal([]byte(event.Payload), &change); err != nil {
				return nil, err
			}
			done = change.Task == task.TaskUUID && change.To == "complete"
		}
		if i >= 20 { // connections and plans are warm
			times = append(times, time.Since(start))
		}
	}
	return times, nil
}

// watchIdle runs a worker that has nothing to do and prints what it costs.
func watchIdle(ctx context.Context, pool, wide *pgxpool.Pool) error {
	o := &ours{pool: wide}
	w, err := o.worker(worker.Config{}, func() {})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(running) }()
	time.Sleep(2 * time.Second)

	cpu, calls := cpuTime(), transactions(ctx, pool)
	time.Sleep(*idle)
	cpu, calls = cpuTime()-cpu, transactions(ctx, pool)-calls
	fmt.Printf("\nidle worker: %.2f %% of a core in its process, %.2f transactions a second (its own and one of this program)\n",
		100*cpu.Seconds()/idle.Seconds(), float64(calls)/idle.Seconds())
	stop()
	return <-ended
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func transactions(ctx context.Context, pool *pgxpool.Pool) (n int64) {
	const query = `select xact_commit + xact_rollback from pg_stat_database where datname = current_database()`
	if err := pool.QueryRow(ctx, query).Scan(&n); err != nil {
		panic(err)
	}
	return n
}
