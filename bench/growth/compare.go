package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// compare measures the same calls on each subject and prints a table of medians.
func compare(ctx context.Context, subjects []subject, turns int, duration time.Duration) error {
	rows := [][]string{{
		"median, in brackets CPU", "partitions read by task, step", "state of a task", "readiness of a task", "claim of 10",
		"create 100 diamonds", "first call of a session",
	}}
	for _, s := range subjects {
		row, err := s.calls(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		rows = append(rows, row)
	}
	lab.Table(rows)
	if duration == 0 {
		return nil
	}

	// The subjects take turns, so that other work on the machine slows all subjects equally.
	rates, cpus := make([][]float64, len(subjects)), make([][]float64, len(subjects))
	for range turns {
		for i, s := range subjects {
			rate, cpu, err := s.drain(ctx, duration)
			if err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
			rates[i] = append(rates[i], rate)
			cpus[i] = append(cpus[i], cpu)
		}
	}
	rows = [][]string{{"", "steps per second, each turn", "median", "CPU µs per step, each turn", "median", "throughput by CPU, of the first"}}
	for i, s := range subjects {
		rows = append(rows, []string{
			s.String(), fmt.Sprintf("%.0f", rates[i]), fmt.Sprintf("%.0f", middle(rates[i])),
			fmt.Sprintf("%.0f", cpus[i]), fmt.Sprintf("%.0f", middle(cpus[i])),
			fmt.Sprintf("%.0f %%", 100*middle(cpus[0])/middle(cpus[i])),
		})
	}
	lab.Table(rows)
	return nil
}

func middle(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[len(sorted)/2]
}

// calls returns a row of the table. It uses one connection and cached data, and takes medians.
func (s subject) calls(ctx context.Context) ([]string, error) {
	first, err := s.firstCall(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	e := direct.New(conn)

	var tasks []uuid.UUID
	err = conn.QueryRow(ctx, `
		select array_agg(t.task_uuid)
		  from (select t.task_uuid from tasker.tasks as t tablesample system (1) where t.complete limit 300) as t`).Scan(&tasks)
	if err != nil {
		return nil, err
	}
	partitions, err := s.partitionsRead(ctx, tasks[0])
	if err != nil {
		return nil, err
	}
	state, err := timed(conn.Conn(), len(tasks), func(i int) error {
		_, err := e.GetCurrentTaskState(ctx, tasks[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	readiness, err := timed(conn.Conn(), len(tasks), func(i int) error {
		_, err := e.GetStepReadinessStatus(ctx, tasks[i], nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	create, err := timed(conn.Conn(), 20, func(int) error {
		_, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "diamond", Contexts: contexts(100)})
		return err
	})
	if err != nil {
		return nil, err
	}
	claim, err := timed(conn.Conn(), 100, func(int) error {
		claimed, err := e.ClaimSteps(ctx, direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10})
		if err == nil && len(claimed) != 10 {
			err = fmt.Errorf("claimed %d", len(claimed))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	// Leave no work over for the next measurement.
	_, err = conn.Exec(ctx, `select tasker.cancel_task(t.task_uuid, 'bench') from tasker.tasks as t where not t.complete`)
	return []string{
		s.String(), partitions, state, readiness, claim, create, first.String(),
	}, err
}

// timed returns the median time of a call and the median CPU time of the server in it.
func timed(conn *pgx.Conn, n int, call func(i int) error) (string, error) {
	times := make([]time.Duration, 0, n)
	cpus := make([]time.Duration, 0, n)
	for i := range n {
		cpu, start := cpuTime(conn), time.Now()
		if err := call(i); err != nil {
			return "", err
		}
		times = append(times, time.Since(start))
		cpus = append(cpus, cpuTime(conn)-cpu)
	}
	return fmt.Sprintf("%s (%s)", lab.Median(times).Round(time.Microsecond), lab.Median(cpus).Round(time.Microsecond)), nil
}

// cpuTime returns the CPU time of a session's server process. Other processes do not change this figure. It is 0 if Linux does
// not count the time, or if the server is on another machine.
func cpuTime(conn *pgx.Conn) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", conn.PgConn().PID()))
	if err != nil {
		return 0
	}
	var ns int64
	if _, err := fmt.Sscan(string(text), &ns); err != nil {
		return 0
	}
	return time.Duration(ns)
}

// firstCall returns the time of the first claim of a new session. This claim plans statements and reads the catalogue.
func (s subject) firstCall(ctx context.Context) (time.Duration, error) {
	times := make([]time.Duration, 0, 5)
	for range cap(times) {
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			return 0, err
		}
		start := time.Now()
		_, err = direct.New(conn).ExchangeSteps(ctx, direct.Exchange{
			ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 10},
		})
		times = append(times, time.Since(start))
		err = errors.Join(err, conn.Conn().Close(ctx))
		conn.Release()
		if err != nil {
			return 0, err
		}
	}
	return lab.Median(times).Round(10 * time.Microsecond), nil
}

// partitionsRead counts the partitions that the plans of a lookup by task and by step touch when they run.
func (s subject) partitionsRead(ctx context.Context, task uuid.UUID) (string, error) {
	const count = `
		select (select count(*) from tasker_test.plan_nodes(format(
		          'select * from tasker.tasks as t where t.task_uuid = %L', $1::uuid)) as n where n ->> 'Relation Name' is not null),
		       (select count(*) from tasker_test.plan_nodes(format(
		          'select * from tasker.workflow_steps as s where s.task_uuid = tasker.task_uuid_of(%1$L) and s.step_no = tasker.step_no_of(%1$L)',
		          tasker.step_uuid($1::uuid, 3))) as n where n ->> 'Relation Name' is not null)`
	var byTask, byStep int
	err := s.pool.QueryRow(ctx, count, task).Scan(&byTask, &byStep)
	return fmt.Sprintf("%d, %d", byTask, byStep), err
}

func contexts(n int) []json.RawMessage {
	return slices.Repeat([]json.RawMessage{json.RawMessage(`{"order": 4711}`)}, n)
}

// drain creates diamonds on two connections, and exchanges a hundred steps in each call until all steps are done. It returns
// the steps per second, and the server's CPU time per step in microseconds.
func (s subject) drain(ctx context.Context, duration time.Duration) (rate, cpu float64, err error) {
	const connections = 2
	done := make([]int, connections)
	spent := make([]time.Duration, connections)
	start := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for c := range connections {
		group.Go(func() (err error) {
			done[c], spent[c], err = s.work(ctx, start.Add(duration))
			return err
		})
	}
	err = group.Wait()
	steps := float64(done[0] + done[1])
	return steps / time.Since(start).Seconds(), float64((spent[0] + spent[1]).Microseconds()) / steps, err
}

func (s subject) work(ctx context.Context, until time.Time) (done int, cpu time.Duration, err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Release()
	e := direct.New(conn)
	before := cpuTime(conn.Conn())
	worker := uuid.New()
	var results []direct.StepResult
	for idle := 0; idle < 3; idle++ {
		if time.Now().Before(until) && len(results) < 100 {
			if _, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "bench", Name: "diamond", Contexts: contexts(14)}); err != nil {
				return done, 0, err
			}
			idle = -1
		}
		reply, err := e.ExchangeSteps(ctx, direct.Exchange{
			Results: results, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Limit: 100},
		})
		if err != nil {
			return done, 0, err
		}
		done += len(reply.Answers)
		results = results[:0]
		for _, step := range reply.Claimed {
			results = append(results, direct.StepResult{
				StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
				Results:   json.RawMessage(`{"ok": true}`),
			})
		}
		if len(results) > 0 {
			idle = -1
		}
	}
	return done, cpuTime(conn.Conn()) - before, nil
}
