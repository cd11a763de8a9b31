// Package enginetest has the parts that the tests of the whole engine share: a clock that tests move, namespaces of every
// kind, and the checks in SQL.
package enginetest

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// Namespaces has one namespace for each transport that needs no broker.
var Namespaces = []Namespace{
	{"plain", "table"},
	{"plain_pgmq", "pgmq"},
}

// Namespace has the name and the transport of a namespace.
type Namespace struct{ Name, Transport string }

// Prepare replaces the clock by a clock that all sessions share and only tests move, and creates a namespace of each kind. It
// makes the engine believe that the server has been up for a long time.
func Prepare(ctx context.Context, pool *pgxpool.Pool) (time.Time, error) {
	e := executor.New(pool)
	for _, n := range Namespaces {
		if _, err := e.RegisterNamespace(ctx, sqlfn.RegisterNamespaceParams{
			Name: n.Name, Transport: n.Transport,
		}); err != nil {
			return time.Time{}, err
		}
	}
	var now time.Time
	if err := pool.QueryRow(ctx, `select now()`).Scan(&now); err != nil {
		return time.Time{}, err
	}
	_, err := pool.Exec(ctx, `
		select tasker_test.freeze(now());
		create or replace function tasker.leases_heard_since() returns timestamptz language sql stable
		begin atomic
		  select '2000-01-01'::timestamptz;
		end;
		select from tasker.note_objects()`)
	if err != nil {
		return time.Time{}, err
	}
	err = pool.QueryRow(ctx, `update tasker_test.frozen_clock set at = $1 returning at`, now).Scan(&now)
	return now, err
}

// Pass moves the clock forward.
func Pass(ctx context.Context, pool *pgxpool.Pool, d time.Duration) (now time.Time, err error) {
	err = pool.QueryRow(ctx, `update tasker_test.frozen_clock set at = at + $1 returning at`, d).Scan(&now)
	return now, err
}

// Accelerate makes the clock run factor times as fast as the real one, for tests with many sessions. Every call still has one
// instant. It would not if another session moved the clock during the call.
func Accelerate(ctx context.Context, pool *pgxpool.Pool, factor int) error {
	_, err := pool.Exec(ctx, fmt.Sprintf(`
		create or replace function tasker.clock() returns timestamptz language sql stable
		begin atomic
		  select '%[1]s'::timestamptz + (statement_timestamp() - '%[1]s'::timestamptz) * %[2]d;
		end;
		create or replace function tasker.write_clock() returns timestamptz language sql volatile
		begin atomic
		  select '%[1]s'::timestamptz + (clock_timestamp() - '%[1]s'::timestamptz) * %[2]d;
		end;
		select from tasker.note_objects()`, time.Now().Format(time.RFC3339Nano), factor))
	return err
}

// Violations describes every invariant that one of these tasks breaks. It checks the invariants of the fixture, and the
// invariants that need several tasks or the tables of the state machine.
func Violations(ctx context.Context, pool *pgxpool.Pool, tasks []uuid.UUID) ([]string, error) {
	rows, err := pool.Query(ctx, `
		select u.task || ': ' || v.violation
		  from unnest($1::uuid[]) as u (task)
		 cross join lateral tasker_test.violations(u.task) as v (violation)
		 union all
		-- Every transition is one of the machine's.
		select format('%s: step %s went from %s to %s by %s', l.task_uuid, l.step_no, l.from_state, l.to_state, l.event)
		  from tasker.workflow_step_transition_log as l
		 where l.task_uuid = any ($1)
		   and not exists (
		     select from tasker.step_state_machine as m
		      where m.from_state = l.from_state and m.event = l.event and m.to_state = l.to_state
		   )
		 union all
		select format('%s went from %s to %s by %s', l.task_uuid, l.from_state, l.to_state, l.event)
		  from tasker.task_transition_log as l
		 where l.task_uuid = any ($1)
		   and not exists (
		     select from tasker.task_state_machine as m
		      where m.from_state = l.from_state and m.event = l.event and m.to_state = l.to_state
		   )
		 union all
		-- An effect is recorded once: a step that was done is done again only if a person let it run again.
		select format('%s: step %s succeeded %s times', a.task_uuid, a.step_no, count(*))
		  from tasker.workflow_step_result_audit as a
		 where a.task_uuid = any ($1)
		   and a.success
		 group by a.task_uuid, a.step_no
		having count(*) > 1 + (
		         select count(*)
		           from tasker.workflow_step_transition_log as l
		          where l.task_uuid = a.task_uuid
		            and l.step_no = a.step_no
		            and l.event = 'Rerun'
		       )
		 union all
		-- Each attempt that began has an end, at most one, and its number is no other's.
		select format('%s: step %s began claim %s %s times', l.task_uuid, l.step_no, l.claim_no, count(*))
		  from tasker.workflow_step_transition_log as l
		 where l.task_uuid = any ($1)
		   and l.event = 'Start'
		 group by l.task_uuid, l.step_no, l.claim_no
		having count(*) > 1
		 union all
		-- No queue row without a step.
		select format('%s: queue row of step %s, which does not exist', q.task_uuid, q.step_no)
		  from tasker.step_queue as q
		 where not exists (
		   select from tasker.workflow_steps as s where s.task_uuid = q.task_uuid and s.step_no = q.step_no
		 )
		 union all
		-- Nothing open without something due, unless an operator must decide.
		select format('%s is %s and nothing is due for it', t.task_uuid, t.state)
		  from tasker.tasks as t
		 where t.task_uuid = any ($1)
		   and not t.complete
		   and t.state <> 'blocked_by_failures'
		   and not exists (select from tasker.step_queue as q where q.task_uuid = t.task_uuid)
		   and not exists (select from tasker.timers as m where m.task_uuid = t.task_uuid)
		   and not exists (select from tasker.waiting_tasks as w where w.task_uuid = t.task_uuid)
		   and not exists (select from tasker.waits as w where w.task_uuid = t.task_uuid)
		   and not exists (
		     select
		       from tasker.workflow_steps as s
		       join tasker.tasks as c on c.task_uuid = s.child_task_uuid
		      where s.task_uuid = t.task_uuid
		        and s.state = 'suspended'
		        and (not c.complete or exists (select from tasker.timers as m where m.task_uuid = c.task_uuid))
		   )`, tasks)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var violation string
		if err := rows.Scan(&violation); err != nil {
			return nil, err
		}
		found = append(found, violation)
	}
	return found, rows.Err()
}

// Remains returns the number of rows of the queue, the timers and the orchestrators' list, at a time when no row should be
// left.
func Remains(ctx context.Context, pool *pgxpool.Pool) (rows int, err error) {
	err = pool.QueryRow(ctx, `
		select (select count(*) from tasker.step_queue) + (select count(*) from tasker.timers)
		     + (select count(*) from tasker.waiting_tasks) + (select count(*) from tasker.waits)`).Scan(&rows)
	return rows, err
}
