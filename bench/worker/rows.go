package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// alone writes the rows of tasks without an engine (package floor).
type alone struct {
	recorder *pgxpool.Conn
	*floor.Recorder
	pool  *pgxpool.Pool
	conns []*pgxpool.Conn
	rows  []*floor.Floor // a floor for each connection
}

// openAlone prepares two connections that write the rows, since this machine has two cores.
func openAlone(ctx context.Context, server *lab.Server) (a *alone, err error) {
	const sessions = 2
	a = &alone{}
	defer func() {
		if err != nil {
			a.close()
		}
	}()
	recorded, err := server.New(ctx)
	if err != nil {
		return nil, err
	}
	if a.pool, err = server.New(ctx); err != nil {
		return nil, err
	}
	for _, pool := range []*pgxpool.Pool{recorded, a.pool} {
		for _, template := range floor.Templates {
			if _, err := pool.Exec(ctx, "select from tasker.register_task_template($1::jsonb)", template); err != nil {
				return nil, err
			}
		}
	}
	if a.Recorder, err = floor.NewRecorder(ctx, recorded); err != nil {
		return nil, err
	}
	if a.recorder, err = recorded.Acquire(ctx); err != nil {
		return nil, err
	}
	for range sessions {
		conn, err := a.pool.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		a.conns = append(a.conns, conn)
		rows, err := floor.New(ctx, conn.Conn(), floor.Kind{})
		if err != nil {
			return nil, err
		}
		a.rows = append(a.rows, rows)
	}
	return a, nil
}

func (a *alone) close() {
	if a.recorder != nil {
		a.recorder.Release()
	}
	for _, conn := range a.conns {
		conn.Release()
	}
}

// record returns the writes of the exchanges that drain n tasks.
func (a *alone) record(ctx context.Context, template string, n, batch int) ([]floor.Call, error) {
	tasks, err := floor.EngineCreate(ctx, a.recorder, template, n)
	if err != nil {
		return nil, err
	}
	return a.Drain(ctx, a.recorder.Conn(), tasks, batch)
}

// drained writes the rows of n drained tasks over all connections, and repeats this `times` times. It returns the tasks per
// second, and the server's processor time per task in µs.
func (a *alone) drained(ctx context.Context, template string, n, batch, times int) (rate, used float64, err error) {
	calls, err := a.record(ctx, template, n, batch)
	if err != nil {
		return 0, 0, err
	}
	var took, cpu time.Duration
	for turn := range times + 2 {
		tasks := make([][]uuid.UUID, len(a.rows))
		var before, after time.Duration
		for i, conn := range a.conns {
			if tasks[i], err = floor.EngineCreate(ctx, conn, template, n); err != nil {
				return 0, 0, err
			}
			spent, err := lab.BackendCPU(ctx, conn)
			if err != nil {
				return 0, 0, err
			}
			before += spent
		}
		began := time.Now()
		group, gctx := errgroup.WithContext(ctx)
		for i, rows := range a.rows {
			group.Go(func() error { return rows.Replay(gctx, template, tasks[i], calls) })
		}
		if err := group.Wait(); err != nil {
			return 0, 0, err
		}
		elapsed := time.Since(began)
		for _, conn := range a.conns {
			spent, err := lab.BackendCPU(ctx, conn)
			if err != nil {
				return 0, 0, err
			}
			after += spent
		}
		if turn >= 2 { // the first calls plan
			took, cpu = took+elapsed, cpu+after-before
		}
	}
	all := float64(n * times * len(a.rows))
	return all / took.Seconds(), float64(cpu.Microseconds()) / all, nil
}

// latencies returns the times in which a task is created and the rows of its exchanges of one step are written, each call in a
// transaction of its own. These are the times of rows and commits, without a worker that must be notified. If here is set, the
// first step is claimed when the task is created.
func (a *alone) latencies(ctx context.Context, template string, n int, here bool) (times []time.Duration, err error) {
	calls, err := a.record(ctx, template, 1, 1)
	if err != nil {
		return nil, err
	}
	if here {
		calls = calls[1:] // without the first claim
	}
	calls = calls[:len(calls)-1] // without the exchange that finds nothing
	for range n + 5 {
		began := time.Now()
		var task uuid.UUID
		if here {
			task, err = a.rows[0].Start(ctx, template, uuid.New(), 1)
			task[15] = 0
		} else {
			task, err = a.rows[0].Create(ctx, template)
		}
		if err != nil {
			return nil, err
		}
		if err := a.rows[0].Replay(ctx, template, []uuid.UUID{task}, calls); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	return times[5:], nil
}

func (a *alone) describe(rate, used float64) string {
	return fmt.Sprintf("%.0f a second over %d connections, %.0f µs", rate, len(a.rows), used)
}
