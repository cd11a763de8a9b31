// Command transition measures the cost of one transition. It also shows that reading the current state of a task
// costs the same for any length of history:
//
//	make bench
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
)

func main() {
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		if err := transitions(ctx, pool); err != nil {
			return err
		}
		return lookups(ctx, pool)
	})
}

// transitions moves a task round a ring of states, and a step between enqueued and in_progress.
func transitions(ctx context.Context, pool *pgxpool.Pool) error {
	const calls = 3000
	e := direct.New(pool)
	var task, step uuid.UUID
	if err := pool.QueryRow(ctx, "select tasker_test.start_task()").Scan(&task); err != nil {
		return err
	}
	if err := pool.QueryRow(ctx, "select tasker_test.step($1, 'top')", task).Scan(&step); err != nil {
		return err
	}

	tasks := []state.TaskState{state.TaskStepsInProcess, state.TaskEvaluatingResults, state.TaskEnqueuingSteps}
	steps := []state.StepState{state.StepEnqueued, state.StepInProgress}
	rows := [][]string{{"one call, one connection", "median", "WAL bytes", "HOT updates"}}
	for _, kind := range []struct {
		name, table string
		move        func(i int) (bool, error)
	}{
		{"transition_task_state_atomic", "tasks", func(i int) (bool, error) {
			return e.TransitionTaskStateAtomic(ctx, direct.TaskMove{
				TaskUUID: task, From: tasks[i%3], To: tasks[(i+1)%3],
			})
		}},
		{"transition_step_state_atomic", "workflow_steps", func(i int) (bool, error) {
			return e.TransitionStepStateAtomic(ctx, direct.StepMove{
				StepUUID: step, From: steps[i%2], To: steps[(i+1)%2],
			})
		}},
	} {
		times := make([]time.Duration, 0, calls)
		wal, err := lab.WAL(ctx, pool, func() error {
			for i := range calls {
				start := time.Now()
				moved, err := kind.move(i)
				if err != nil || !moved {
					return fmt.Errorf("%s: call %d: moved %t: %w", kind.name, i, moved, err)
				}
				times = append(times, time.Since(start))
			}
			return nil
		})
		if err != nil {
			return err
		}
		var hot float64
		err = pool.QueryRow(ctx, `
			select 100.0 * sum(n_tup_hot_upd) / sum(n_tup_upd)
			  from (select pg_stat_force_next_flush()) as f
			 cross join pg_stat_user_tables where relname like $1 || '\_p%'`, kind.table).Scan(&hot)
		if err != nil {
			return err
		}
		rows = append(rows, []string{
			kind.name, lab.Median(times).Round(time.Microsecond).String(), fmt.Sprint(wal / calls), fmt.Sprintf("%.0f %%", hot),
		})
	}
	lab.Table(rows)
	fmt.Println()
	return nil
}

// lookups reads the state of tasks with histories of 1, 1,000 and 1,000,000 rows.
func lookups(ctx context.Context, pool *pgxpool.Pool) error {
	rows := [][]string{{"current state of a task", "rows in its log", "buffers", "median"}}
	for _, length := range []int{1, 1000, 1_000_000} {
		task, err := taskWithHistory(ctx, pool, length)
		if err != nil {
			return err
		}
		for _, question := range []struct{ name, sql string }{
			{"get_current_task_state", "select tasker.get_current_task_state('%s')"},
			{"task_transitions … and most_recent", "select to_state from tasker.task_transitions where task_uuid = '%s' and most_recent"},
		} {
			sql := fmt.Sprintf(question.sql, task)
			buffers, err := buffersOf(ctx, pool, sql)
			if err != nil {
				return err
			}
			times := make([]time.Duration, 0, 500)
			for range cap(times) {
				start := time.Now()
				var current string
				if err := pool.QueryRow(ctx, sql).Scan(&current); err != nil {
					return err
				}
				times = append(times, time.Since(start))
			}
			rows = append(rows, []string{
				question.name, fmt.Sprint(length), fmt.Sprint(buffers), lab.Median(times).Round(time.Microsecond).String(),
			})
		}
	}
	lab.Table(rows)
	return nil
}

// taskWithHistory makes a task whose log has this many rows: a ring of allowed transitions.
func taskWithHistory(ctx context.Context, pool *pgxpool.Pool, length int) (task uuid.UUID, err error) {
	err = pool.QueryRow(ctx, "select tasker_test.make_task()").Scan(&task)
	if err != nil {
		return task, err
	}
	_, err = pool.Exec(ctx, `
		insert into tasker.task_log (task_uuid, sort_key, path)
		select $1, n, case n % 4 when 1 then 1 when 2 then 2 when 3 then 1001 else 18 end -- Start, ReadyStepsFound, EnqueueFailed, Reset
		  from generate_series(1, $2::integer) as n`, task, length)
	if err != nil {
		return task, err
	}
	_, err = pool.Exec(ctx, "update tasker.tasks set transition_count = $2 where task_uuid = $1", task, length)
	if err != nil {
		return task, err
	}
	_, err = pool.Exec(ctx, "vacuum analyze tasker.task_log, tasker.tasks")
	return task, err
}

// buffersOf returns how many buffers a statement touches when everything is cached.
func buffersOf(ctx context.Context, pool *pgxpool.Pool, sql string) (buffers int, err error) {
	var plan []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	for range 2 {
		var text []byte
		err := pool.QueryRow(ctx, "explain (analyze, buffers, format json) "+sql).Scan(&text)
		if err != nil {
			return 0, err
		}
		if err := json.Unmarshal(text, &plan); err != nil {
			return 0, err
		}
	}
	if len(plan) != 1 {
		fmt.Fprintln(os.Stderr, "no plan for", sql)
	}
	return plan[0].Plan.Hit + plan[0].Plan.Read, nil
}
