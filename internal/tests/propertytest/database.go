package propertytest

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/state"
)

// database has the four templates that the tasks belong to. Steps are written to the tables without them.
type database struct {
	pool      *pgxpool.Pool
	templates map[[2]bool]uuid.UUID // by paused and halt
	handler   uuid.UUID
}

func prepare(ctx context.Context, pool *pgxpool.Pool) (*database, error) {
	d := &database{pool: pool, templates: map[[2]bool]uuid.UUID{}}
	for _, paused := range []bool{false, true} {
		for _, halt := range []bool{false, true} {
			var id uuid.UUID
			err := pool.QueryRow(ctx, `
				select r.named_task_uuid from tasker.register_task_template(jsonb_build_object(
				  'namespace', case when $1::bool then 'still' else 'busy' end, 'name', 't' || $2::bool, 'steps', '[{"name": "h"}]'::jsonb,
				  'on_failure', case when $2 then 'halt' else 'continue' end)) as r`, paused, halt).Scan(&id)
			if err != nil {
				return nil, err
			}
			d.templates[[2]bool{paused, halt}] = id
		}
	}
	if err := pool.QueryRow(ctx, "select named_step_uuid from tasker.named_steps").Scan(&d.handler); err != nil {
		return nil, err
	}
	_, err := pool.Exec(ctx, `
		update tasker.task_namespaces set paused_at = now(), paused_by = 'test' where name = 'still'`)
	return d, err
}

// insert writes tasks and returns their UUIDs. The counters come from the model, which checks the model as well as the
// functions of the engine that rely on them.
func (d *database) insert(ctx context.Context, tasks []*task) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, len(tasks))
	var taskRows, stepRows, edgeRows, timerRows rows
	for i, t := range tasks {
		if err := d.pool.QueryRow(ctx, "select tasker.mint_task_uuid()").Scan(&ids[i]); err != nil {
			return nil, err
		}
		count := func(is func(state.StepState) bool) int { return t.count(func(s step) bool { return is(s.state) }) }
		taskRows.add(ids[i], d.templates[[2]bool{t.paused, t.halt}], string(t.state), len(t.steps),
			count(func(s state.StepState) bool { return !s.IsTerminal() }),
			count(state.StepState.IsInProcessingPipeline),
			count(func(s state.StepState) bool { return s == state.StepWaitingForRetry }),
			count(state.StepState.IsError), t.state.IsTerminal())
		for n, s := range t.steps {
			o := t.outcome(n)
			stepRows.add(ids[i], n+1, fmt.Sprintf("s%d", n), string(s.state), s.join, o.total, o.total-o.settled, o.satisfied,
				s.attempts, s.maxAttempts, s.retryable, s.request, s.base, s.multiplier, s.maxBackoff, s.results,
				s.state == state.StepInProgress, s.state == state.StepWaitingForRetry, s.due, s.state.SatisfiesDependencies(), d.handler)
		}
		for e, edge := range t.edges {
			edgeRows.add(ids[i], edge[0]+1, edge[1]+1, t.conditions[e].text)
		}
		if t.state == state.TaskPending {
			timerRows.add(ids[i], t.startAhead)
		}
	}
	for _, table := range []struct {
		statement string
		rows      rows
	}{
		{`insert into tasker.tasks (task_uuid, named_task_uuid, state, total_steps, open_steps, active_steps, retrying_steps,
		         failed_steps, complete, completed_at, correlation_id)
		  select a::uuid, b::uuid, c::tasker.task_state, d::int, e::int, f::int, g::int, h::int,
		         i::bool, case when i::bool then now() end, a::uuid from input`, taskRows},
		{`insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents,
		         pending_parents, satisfied_parents, attempts, max_attempts, retryable, backoff_request_seconds,
		         backoff_base_seconds, backoff_multiplier, max_backoff_seconds, results, lease_until, next_retry_at, processed_at)
		  select a::uuid, b::int, tasker.step_uuid(a::uuid, b::int), u::uuid, c, d::tasker.step_state, e, f::int, g::int, h::int, i::int, j::int, k::bool, l::int,
		         m::numeric, n::numeric, o::int, p::jsonb, case when q::bool then now() end,
		         case when r::bool then now() + case when s::bool then '-1 hour' else '1 hour' end::interval end,
		         case when t::bool then now() end from input`, stepRows},
		{`insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
		  select a::uuid, b::int, c::int, d::jsonpath from input`, edgeRows},
		{`insert into tasker.timers (task_uuid, kind, due_at)
		  select a::uuid, 'start_task', now() + case when b::bool then '1 hour' else '-1 hour' end::interval from input`, timerRows},
	} {
		if err := table.rows.insert(ctx, d.pool, table.statement); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// rows are sent as one array of text for each column. The statement sees the columns as a, b, c …
type rows [][]*string

func (r *rows) add(values ...any) {
	if *r == nil {
		*r = make(rows, len(values))
	}
	for i, value := range values {
		(*r)[i] = append((*r)[i], text(value))
	}
}

func text(value any) *string {
	switch v := value.(type) {
	case *string:
		return v
	case *int32:
		if v == nil {
			return nil
		}
		return new(fmt.Sprint(*v))
	case *float64:
		if v == nil {
			return nil
		}
		return new(fmt.Sprint(*v))
	}
	return new(fmt.Sprint(value))
}

func (r rows) insert(ctx context.Context, pool *pgxpool.Pool, statement string) error {
	if len(r) == 0 {
		return nil
	}
	var arrays, names []string
	var arguments []any
	for i, column := range r {
		arrays = append(arrays, fmt.Sprintf("$%d::text[]", i+1))
		names = append(names, string(rune('a'+i)))
		arguments = append(arguments, column)
	}
	_, err := pool.Exec(ctx, fmt.Sprintf("with input as (select * from unnest(%s) as x (%s)) %s",
		strings.Join(arrays, ", "), strings.Join(names, ", "), statement), arguments...)
	return err
}
