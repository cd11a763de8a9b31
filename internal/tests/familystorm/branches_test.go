package familystorm

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// branches are templates of failure branches, races, bounded waits for a worker, maps of tasks, and tasks that events start and cancel.
var branches = []string{
	`{"namespace": "storm", "name": "guarded", "identity_strategy": "always_unique", "steps": [
	  {"name": "a", "retry": {"max_attempts": 1}}, {"name": "b", "dependencies": ["a"], "retry": {"max_attempts": 20, "base_seconds": 0.05}},
	  {"name": "alert", "dependencies": [{"step": "a", "on": "failed"}], "retry": {"max_attempts": 20, "base_seconds": 0.05}},
	  {"name": "clean", "join": "settled", "dependencies": [{"step": "b", "on": "ended"}], "retry": {"max_attempts": 20, "base_seconds": 0.05}}]}`,
	`{"namespace": "storm", "name": "late", "identity_strategy": "always_unique", "steps": [
	  {"name": "a", "start_within": 0.05, "retry": {"max_attempts": 20, "base_seconds": 0.05}},
	  {"name": "alert", "dependencies": [{"step": "a", "on": "failed"}], "retry": {"max_attempts": 20, "base_seconds": 0.05}}]}`,
	`{"namespace": "storm", "name": "contest", "identity_strategy": "always_unique", "steps": [
	  {"name": "a", "retry": {"max_attempts": 20, "base_seconds": 0.05}}, {"name": "b", "retry": {"max_attempts": 20, "base_seconds": 0.05}},
	  {"name": "go", "join": "first", "dependencies": ["a", "b"], "retry": {"max_attempts": 20, "base_seconds": 0.05}}]}`,
	`{"namespace": "storm", "name": "parcel", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
	  {"name": "pack", "retry": {"max_attempts": 1}}]}`,
	`{"namespace": "storm", "name": "each", "identity_strategy": "always_unique", "steps": [
	  {"name": "parcels", "for_each": "$.list", "task": {"name": "parcel"}, "max_parallel": 2, "allow_failures": 5},
	  {"name": "end", "dependencies": ["parcels"], "retry": {"max_attempts": 20, "base_seconds": 0.05}}]}`,
	`{"namespace": "storm", "name": "shipment", "identity_strategy": "caller_provided",
	  "start_on": {"event": "paid", "identity": "$.order"}, "cancel_on": {"event": "withdrawn"}, "steps": [
	  {"name": "pack", "retry": {"max_attempts": 20, "base_seconds": 0.05}}]}`,
}

// laws are queries for tasks that break a law. In a correct database they return no row.
var laws = map[string]string{
	"no task is blocked": "select t.task_uuid from tasker.tasks as t where t.state = 'blocked_by_failures'",
	"a failure branch runs once after a failure, and never without one": `
		select t.task_uuid from tasker.tasks as t
		  join tasker.workflow_steps as s on s.task_uuid = t.task_uuid and s.name = 'alert'
		 where (s.state = 'complete') <> exists (
		         select from tasker.workflow_step_transition_log as l where l.task_uuid = t.task_uuid and l.step_no = 1 and l.event = 'Tolerate')
		    or (select count(*) from tasker.workflow_step_transition_log as l
		         where l.task_uuid = t.task_uuid and l.step_no = s.step_no and l.event = 'Complete') > 1`,
	"a step that waits for an end runs": `
		select s.task_uuid from tasker.workflow_steps as s where s.name = 'clean' and s.state <> 'complete'`,
	"a race has a winner, goes on once, and leaves no branch open": `
		select g.task_uuid from tasker.workflow_steps as g
		 where g.name = 'go'
		   and (g.state <> 'complete'
		     or (select count(*) from tasker.workflow_step_transition_log as l
		          where l.task_uuid = g.task_uuid and l.step_no = g.step_no and l.event = 'Complete') <> 1
		     or not exists (select from tasker.workflow_steps as s where s.task_uuid = g.task_uuid and s.name in ('a', 'b') and s.state = 'complete')
		     or exists (select from tasker.workflow_steps as s
		                 where s.task_uuid = g.task_uuid and s.name in ('a', 'b') and s.state not in ('complete', 'cancelled')))`,
	"each row of an event has one task": `
		select o.number from orders as o
		 where (select count(*) from tasker.tasks as t where t.context ->> 'order' = o.number) <> 1`,
	"no task is without its row": `
		select t.task_uuid from tasker.tasks as t
		 where t.context ? 'order' and not exists (select from orders as o where o.number = t.context ->> 'order')`,
	"each element has one task, and its result has its place": `
		select m.task_uuid from tasker.workflow_steps as m
		 where m.name = 'parcels'
		   and (m.state <> 'complete' or jsonb_array_length(tasker.get_task_result(m.task_uuid, '{parcels}') #> '{results,parcels}') <> 5
		     or (select count(*) from tasker.workflow_steps as i where i.task_uuid = m.task_uuid and i.map_no = m.step_no) <> 5
		     or exists (select from tasker.workflow_steps as i
		                 join tasker.tasks as c on c.task_uuid = i.child_task_uuid
		                where i.task_uuid = m.task_uuid and i.map_no = m.step_no and (i.state = 'complete') <> (c.state = 'complete')))`,
}

// TestStorm_BranchesRunOnceAndNothingIsLeftOpen has workers run tasks of these templates while sessions are terminated and the server
// crashes. PGTASKER_STORM_BRANCHES makes it longer.
func TestStorm_BranchesRunOnceAndNothingIsLeftOpen(t *testing.T) {
	tasks, crashes := pgtest.Number("PGTASKER_STORM_BRANCHES", 4), pgtest.Number("PGTASKER_STORM_CRASHES", 1)
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(12))
	s := &storm{pool: pool}
	_, err := pool.Exec(t.Context(), "create table orders (number text primary key)")
	require.NoError(t, err)
	for _, template := range branches {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 40*time.Minute)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	killing, calm := context.WithCancel(ctx)
	defer calm()
	var workers, killers sync.WaitGroup
	for range 4 {
		workers.Go(func() { s.work(working) })
	}
	killers.Go(func() { s.terminate(killing) })
	for i := range tasks {
		if crashes > 0 && i > 0 && i%max(tasks/(crashes+1), 1) == 0 {
			require.NoError(t, server.Crash(ctx))
		}
		for _, name := range []string{"guarded", "late", "contest", "each"} {
			s.insist(ctx, func() error {
				_, err := direct.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "storm", Name: name, Context: json.RawMessage(`{"list": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 4}, {"n": 5}]}`)})
				return err
			})
		}
		order := fmt.Sprintf("A-%d", i)
		// The row and its event are one transaction. An answer that was lost does not say whether they are there.
		s.insist(ctx, func() error {
			_, err := pool.Exec(ctx, `
				with placed as (insert into orders (number) values ($1) on conflict do nothing returning number)
				select tasker.emit_event('storm', 'paid', null, jsonb_build_object('order', p.number)) from placed as p`, order)
			return err
		})
		if i%3 == 0 {
			s.insist(ctx, func() error {
				_, err := pool.Exec(ctx, "select tasker.emit_event('storm', 'withdrawn', $1)", order)
				return err
			})
		}
	}
	calm()
	killers.Wait()
	pool.Reset() // it may hold sessions that the storm ended
	require.Eventually(t, func() bool {
		var open int
		err := pool.QueryRow(ctx, `select (select count(*) from tasker.tasks where not complete and state <> 'blocked_by_failures')
			+ (select count(*) from tasker.timers where kind <> 'deliver_event')`).Scan(&open)
		return err == nil && open == 0
	}, 10*time.Minute, 50*time.Millisecond, "every task ends, and every note is fired")
	done()
	workers.Wait()

	for law, sql := range laws {
		var broken int
		require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from ("+sql+") as b").Scan(&broken))
		require.Zero(t, broken, law)
	}
	var failed, late, cancelled int
	require.NoError(t, pool.QueryRow(t.Context(), `
		select count(*) filter (where s.last_error = 'no'), count(*) filter (where s.last_error like 'no worker%'), (select count(*) from tasker.tasks where state = 'cancelled')
		  from tasker.workflow_steps as s where s.name = 'a' and s.state = 'cancelled'`).Scan(&failed, &late, &cancelled))
	t.Logf("%d steps failed, %d were late, %d tasks were cancelled by events, %d deadlocks", failed, late, cancelled, s.deadlocks.Load())
	require.Zero(t, s.deadlocks.Load())
	require.Positive(t, replaytest.Recorded(t, pool))
	problems, err := direct.New(pool).CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// insist repeats a call until the database answers it.
func (s *storm) insist(ctx context.Context, call func() error) {
	for ctx.Err() == nil {
		err := call()
		if err == nil {
			return
		}
		s.note(err)
		time.Sleep(20 * time.Millisecond)
	}
}
