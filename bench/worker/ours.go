package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

// workerConns is the number of connections in our pool and in River's pool.
const workerConns = 12

// ours is this project's worker, with its number of concurrent handlers in drains. If here is set, the worker itself
// starts the tasks whose latency is measured (worker.Start).
type ours struct {
	*bed
	called      string
	concurrency int
	here        bool
}

func (o *ours) name() string { return o.called }

func (o *ours) prepare(ctx context.Context) error {
	for _, steps := range []string{
		`"name": "job", "steps": [{"name": "noop"}]`,
		`"name": "diamond", "steps": [
		  {"name": "top", "handler": "noop"},
		  {"name": "a", "handler": "noop", "dependencies": ["top"]}, {"name": "b", "handler": "noop", "dependencies": ["top"]},
		  {"name": "c", "handler": "noop", "dependencies": ["top"]}, {"name": "d", "handler": "noop", "dependencies": ["top"]},
		  {"name": "e", "handler": "noop", "dependencies": ["top"]},
		  {"name": "bottom", "handler": "noop", "dependencies": ["a", "b", "c", "d", "e"]}]`,
		`"name": "chain", "steps": [
		  {"name": "s1", "handler": "noop"}, {"name": "s2", "handler": "noop", "dependencies": ["s1"]},
		  {"name": "s3", "handler": "noop", "dependencies": ["s2"]}, {"name": "s4", "handler": "noop", "dependencies": ["s3"]},
		  {"name": "s5", "handler": "noop", "dependencies": ["s4"]}]`,
	} {
		template := json.RawMessage(`{"namespace": "bench", "identity_strategy": "always_unique", ` + steps + `}`)
		if _, err := executor.New(o.admin).RegisterTaskTemplate(ctx, template); err != nil {
			return err
		}
	}
	return nil
}

type out struct {
	OK bool `json:"ok"`
}

// with calls work with a worker that does not run yet. begun and done are called by each handler.
func (o *ours) with(ctx context.Context, config worker.Config, begun, done func(), work func(w *worker.Worker) error) error {
	pool, err := o.pool(ctx, workerConns)
	if err != nil {
		return err
	}
	defer pool.Close()
	config.Logger, config.Exchanges = quiet, *exchanges
	w, err := worker.New(pool, config)
	if err != nil {
		return err
	}
	worker.Handle(w, "noop", func(context.Context, *worker.Job[struct{}]) (out, error) {
		begun()
		defer done()
		return out{OK: true}, nil
	})
	return work(w)
}

// during runs a worker while it calls `work`.
func during(ctx context.Context, w *worker.Worker, work func() error) error {
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(running) }()
	err := work()
	stop()
	if ran := <-ended; err == nil {
		err = ran
	}
	return err
}

func nobody() {}

func (o *ours) drainJobs(ctx context.Context, n int) (cost, error) { return o.drain(ctx, "job", n, n) }

func (o *ours) drainDiamonds(ctx context.Context, n int) (cost, error) {
	return o.drain(ctx, "diamond", n, 7*n)
}

// drain creates tasks and measures how long a worker takes to do all of their steps.
func (o *ours) drain(ctx context.Context, task string, n, steps int) (measured cost, err error) {
	if o.here { // the tasks of a drain already exist
		return cost{}, nil
	}
	if err := o.create(ctx, task, n); err != nil {
		return cost{}, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var done atomic.Int64
	finished := func() {
		if done.Add(1) == int64(steps) {
			stop()
		}
	}
	err = o.with(ctx, worker.Config{Concurrency: o.concurrency}, nobody, finished, func(w *worker.Worker) (err error) {
		measured, err = o.measure(context.WithoutCancel(ctx), n, func() (time.Duration, error) {
			start := time.Now()
			err := w.Run(ctx) // until the last result is recorded
			return time.Since(start), err
		})
		if err == nil && w.Stats().Completed != int64(steps) {
			err = fmt.Errorf("%d of %d steps completed", w.Stats().Completed, steps)
		}
		return err
	})
	return measured, err
}

func (o *ours) create(ctx context.Context, task string, n int) error {
	const batch = 1000
	for ; n > 0; n -= batch {
		contexts := make([]json.RawMessage, min(n, batch))
		for i := range contexts {
			contexts[i] = json.RawMessage(`{"order": 4711}`)
		}
		_, err := executor.New(o.admin).CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: task, Contexts: contexts})
		if err != nil {
			return err
		}
	}
	_, err := o.admin.Exec(ctx, "vacuum analyze")
	return err
}

// latencies listens to the events of tasks. A task is done when the database notifies a client on a connection of its
// own, which needs no statement. Tasks().Wait would add a statement that reads the task.
func (o *ours) latencies(ctx context.Context, steps, n int) (measured delays, err error) {
	conn, err := pgx.ConnectConfig(ctx, o.admin.Config().ConnConfig)
	if err != nil {
		return measured, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "listen tasker_task_events"); err != nil {
		return measured, err
	}
	// Without this call the database would not announce the ends of tasks, since no client is marked as sleeping yet.
	sleeper, long := uuid.New(), int32(300)
	if _, err := executor.New(conn).MarkSleeping(ctx, sleeper, []string{"tasker_task_events"}, long); err != nil {
		return measured, err
	}
	defer func() { _, _ = executor.New(o.admin).MarkAwake(ctx, sleeper, []string{"tasker_task_events"}) }()
	var begun, worked atomic.Int64 // the beginning of the first handler and the end of the last
	began := func() { begun.CompareAndSwap(0, time.Now().UnixNano()) }
	ended := func() { worked.Store(time.Now().UnixNano()) }
	name := map[int]string{1: "job", 5: "chain"}[steps]
	measured.parts = map[string][]time.Duration{}
	err = o.with(ctx, worker.Config{}, began, ended, func(w *worker.Worker) error {
		return during(ctx, w, func() error {
			return o.eachAlone(n, &measured, func() error {
				begun.Store(0)
				start := time.Now()
				create := executor.New(o.admin).CreateTask
				if o.here {
					create = w.Start
				}
				task, err := create(ctx, executor.TaskRequest{Namespace: "bench", Name: name})
				if err != nil {
					return err
				}
				created := time.Since(start)
				if err := awaitEnd(ctx, conn, task.TaskUUID); err != nil {
					return err
				}
				for part, d := range map[string]time.Duration{
					"created": created, "begun": time.Unix(0, begun.Load()).Sub(start), "worked": time.Unix(0, worked.Load()).Sub(start),
				} {
					measured.parts[part] = append(measured.parts[part], d)
				}
				return nil
			})
		})
	})
	return measured, err
}

// awaitEnd returns when the database announces that a task is complete.
func awaitEnd(ctx context.Context, conn *pgx.Conn, task uuid.UUID) error {
	for {
		event, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		var change struct {
			Task uuid.UUID `json:"task_uuid"`
			To   string    `json:"to_state"`
		}
		if err := json.Unmarshal([]byte(event.Payload), &change); err != nil {
			return err
		}
		if change.Task == task && change.To == "complete" {
			return nil
		}
	}
}

func (o *ours) idle(ctx context.Context, watch func() error) error {
	return o.with(ctx, worker.Config{}, nobody, nobody, func(w *worker.Worker) error { return during(ctx, w, watch) })
}
