// Command operate measures the functions that find work and the functions that report the state of the system, in databases
// with 0, 100,000 and 1,000,000 tasks that ended within the last 24 hours:
//
//	make bench-operate
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const (
	templates = 20
	waiting   = 5_000 // Tasks that wait for an orchestrator.
	running   = 1_000 // Tasks with steps in the queue.
	batch     = 50
)

func main() {
	calls := flag.Int("calls", 40, "how often each function is called")
	most := flag.Int("finished", 1_000_000, "the most tasks that have ended")
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		if err := open(ctx, pool); err != nil {
			return err
		}
		rows := [][]string{{"finished tasks", "function", "p50", "p95", "rows"}}
		finished := 0
		for _, tasks := range []int{0, 100_000, 1_000_000} {
			if tasks > *most {
				break
			}
			if err := finish(ctx, pool, tasks-finished); err != nil {
				return err
			}
			finished = tasks
			measured, err := measure(ctx, pool, finished, *calls)
			if err != nil {
				return err
			}
			rows = append(rows, measured...)
		}
		lab.Table(rows)
		return nil
	})
}

// open creates the open tasks. They are the same for every number of ended tasks.
func open(ctx context.Context, pool *pgxpool.Pool) error {
	e := direct.New(pool)
	for i := range templates {
		template := fmt.Sprintf(`{"namespace": "bench", "name": "template_%d", "steps": [
			{"name": "top", "handler": "top_%[1]d"},
			{"name": "left", "dependencies": ["top"], "handler": "left_%[1]d"},
			{"name": "right", "dependencies": ["top"], "handler": "right_%[1]d"},
			{"name": "bottom", "dependencies": ["left", "right"], "handler": "bottom_%[1]d"}]}`, i)
		if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(template)); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		tasks    int
		deferred bool
	}{{waiting, true}, {running, false}} {
		contexts := make([]json.RawMessage, part.tasks)
		for i := range contexts {
			contexts[i] = fmt.Appendf(nil, `{"deferred": %t, "n": %d}`, part.deferred, i)
		}
		_, err := e.CreateTasks(ctx, executor.TasksRequest{
			Namespace: "bench", Name: "template_0", Contexts: contexts,
			TaskOptions: executor.TaskOptions{Deferred: part.deferred},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// finish inserts tasks of one step that ended within the last 24 hours, with their logs. It inserts by set and without
// triggers, since only reads of these rows are measured.
func finish(ctx context.Context, pool *pgxpool.Pool, tasks int) error {
	start := time.Now()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	const chunk = 100_000
	for done := 0; done < tasks; done += chunk {
		_, err := conn.Exec(ctx, `
			set session_replication_role = replica;
			create temporary table made on commit drop as
			select encode(overlay(overlay(uuid_send(gen_random_uuid())
			         placing int8send(((extract(epoch from a.at) * 1000)::bigint << 16) | x'7000'::bigint) from 1 for 8)
			         placing '\x0000' from 15 for 2), 'hex')::uuid as task_uuid,
			       a.at, a.at + a.ms * interval '1 millisecond' as ended_at, a.ms, k.named_task_uuid, s.named_step_uuid,
			       random() < 0.05 as failed
			  from (select now() - interval '24 hours' * random() as at, floor(exp(random() * 10))::bigint as ms,
			               floor(random() * 20)::int as template
			          from generate_series(1, 100000)) as a
			  join tasker.named_tasks as k on k.name = 'template_' || a.template
			  join tasker.named_tasks_named_steps as s on s.named_task_uuid = k.named_task_uuid and s.step_no = 1
			 order by a.at;
			insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, failed_steps, transition_count,
			                          requested_at, updated_at, started_at, completed_at, correlation_id)
			select task_uuid, named_task_uuid, case when failed then 'error' else 'complete' end::tasker.task_state, true, 1, failed::int, 2,
			       at, ended_at, at, ended_at, task_uuid
			  from made;
			insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, transition_count, attempts, processed_at)
			select task_uuid, 1, tasker.step_uuid(task_uuid, 1), named_step_uuid, 'top', case when failed then 'error' else 'complete' end::tasker.step_state, 2, 1,
			       case when not failed then ended_at end
			  from made;
			insert into tasker.task_log (task_uuid, sort_key, path, created_at)
			select task_uuid, n, case when n = 1 then 1 when failed then 1004 else 3 end, -- Start, Timeout, NoStepsFound
			       case n when 1 then at else ended_at end
			  from made cross join generate_series(1, 2) as n order by made.at, n;
			insert into tasker.step_log (task_uuid, step_no, sort_key, path, execution_time_ms, created_at)
			select task_uuid, 1, 2, case when failed then 1004 else 47 end, ms, ended_at -- recorded, then Fail or Complete
			  from made order by made.at;
			set session_replication_role = origin`)
		if err != nil {
			return err
		}
	}
	if tasks > 0 {
		fmt.Printf("%d finished tasks inserted in %s\n", tasks, time.Since(start).Round(time.Millisecond))
	}
	for _, sql := range []string{"vacuum (analyze) tasker.tasks", "vacuum (analyze)", "checkpoint"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	// The totals count these tasks as new, whenever they ended.
	start = time.Now()
	if _, err := direct.New(conn).RebuildAnalytics(ctx); err != nil {
		return err
	}
	fmt.Printf("all totals and rollups built anew in %s\n", time.Since(start).Round(time.Millisecond))
	// As after an hour of quiet, the totals are settled, and the next run finds only the last minute.
	if _, err := conn.Exec(ctx, "update tasker.rollup_state set mark_at = clock_timestamp(), mark_xid = '1'"); err != nil {
		return err
	}
	if _, err := direct.New(conn).RefreshAnalytics(ctx); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "vacuum (analyze) tasker.step_rollups, tasker.task_rollups, tasker.work_rollups, tasker.step_hours, tasker.task_hours, tasker.work_hours")
	return err
}

// measure calls each function some times and returns rows of the table.
func measure(ctx context.Context, pool *pgxpool.Pool, finished, calls int) ([][]string, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	e := direct.New(conn)
	if _, err := conn.Exec(ctx, "update tasker.waiting_tasks set discovered_until = null"); err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "update tasker.tasks set discovered_until = null where not complete and discovered_until is not null"); err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "vacuum (analyze) tasker.waiting_tasks, tasker.tasks"); err != nil {
		return nil, err
	}
	var some []uuid.UUID
	tasks, err := conn.Query(ctx, "select task_uuid from tasker.tasks where not complete order by task_uuid desc limit 100")
	if err != nil {
		return nil, err
	}
	for tasks.Next() {
		var id uuid.UUID
		if err := tasks.Scan(&id); err != nil {
			return nil, err
		}
		some = append(some, id)
	}
	if err := tasks.Err(); err != nil {
		return nil, err
	}

	day := time.Now().Add(-24 * time.Hour)
	tenMinutes := 10 * time.Minute
	var table [][]string
	for _, f := range []struct {
		name string
		call func() (int, error)
	}{
		{"get_next_ready_tasks(50)", func() (int, error) { rows, err := e.GetNextReadyTasks(ctx, batch); return len(rows), err }},
		{"get_task_execution_context", func() (int, error) { _, err := e.GetTaskExecutionContext(ctx, some[0]); return 1, err }},
		{"get_task_execution_contexts of 100", func() (int, error) { rows, err := e.GetTaskExecutionContexts(ctx, some); return len(rows), err }},
		{"get_system_health_counts", func() (int, error) { _, err := e.GetSystemHealthCounts(ctx); return 1, err }},
		{"get_queue_health", func() (int, error) { rows, err := e.GetQueueHealth(ctx); return len(rows), err }},
		{"get_analytics_metrics, 24 hours", func() (int, error) { _, err := e.GetAnalyticsMetrics(ctx, day); return 1, err }},
		{"get_slowest_steps, 24 hours", func() (int, error) {
			rows, err := e.GetSlowestSteps(ctx, sqlfn.GetSlowestStepsParams{})
			return len(rows), err
		}},
		{"get_slowest_tasks, 24 hours", func() (int, error) {
			rows, err := e.GetSlowestTasks(ctx, sqlfn.GetSlowestTasksParams{})
			return len(rows), err
		}},
		{"get_throughput, 24 hours by 10 minutes", func() (int, error) { rows, err := e.GetThroughput(ctx, day, tenMinutes, ""); return len(rows), err }},
		{"run_maintenance('rollups')", func() (int, error) { _, _, err := e.RunMaintenance(ctx, "rollups"); return 1, err }},
	} {
		times := make([]time.Duration, calls)
		rows := 0
		for i := range times {
			start := time.Now()
			n, err := f.call()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			times[i] = time.Since(start)
			rows = n
		}
		p50 := lab.Median(times)
		table = append(table, []string{
			fmt.Sprint(finished), f.name,
			p50.Round(10 * time.Microsecond).String(), times[len(times)*95/100].Round(10 * time.Microsecond).String(), fmt.Sprint(rows),
		})
	}
	return table, nil
}
