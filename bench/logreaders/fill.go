package main

import (
	"context"
	_ "embed"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// notes selects the tasks and times with which the readers are called.
//
//go:embed notes.sql
var notes string

// worker records each result.
var worker = uuid.MustParse("00000000-0000-4000-8000-00000000000a")

const diamond = `{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique", "steps": [
  {"name": "top"}, {"name": "left", "dependencies": ["top"]}, {"name": "right", "dependencies": ["top"]},
  {"name": "bottom", "dependencies": ["left", "right"]}]}`

// fill creates the tasks. Of each hundred tasks, one fails and one is cancelled.
func fill(ctx context.Context, conn *pgx.Conn) error {
	for _, sql := range []string{"set synchronous_commit = off", "select from tasker.register_task_template('" + diamond + "'::jsonb)"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	const portion = 500
	for made := 0; made < *tasks; made += portion {
		if _, err := conn.Exec(ctx, `
			select from tasker.create_tasks('bench', 'diamond', array(
			  select jsonb_build_object('no', n) from generate_series($1::integer + 1, least($1 + $2::integer, $3::integer)) as n))`,
			made, portion, *tasks); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, `
			select tasker.cancel_task(t.task_uuid, 'bench', 'no longer wanted') from tasker.tasks as t
			 where not t.complete order by t.task_uuid limit $1`, portion/100); err != nil {
			return err
		}
		if err := drain(ctx, conn); err != nil {
			return err
		}
	}
	for _, sql := range []string{notes, "vacuum analyze"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// drain claims steps and records results, a hundred in a call, until no step is left.
func drain(ctx context.Context, conn *pgx.Conn) error {
	var steps []uuid.UUID
	var claims []int32
	var failures []string
	var permanent []bool
	for {
		n := len(steps)
		rows, err := conn.Query(ctx, `
			select e.step_uuid, e.claim_no, e.answer is null, (e.context ->> 'no')::integer, e.handler
			  from tasker.exchange_steps($1, $2::uuid[], $3::integer[], array_fill('{"ok": true}'::jsonb, array[$4::integer]),
			    array_replace($5::text[], '', null), $6::boolean[], array_fill(0, array[$4]), array_fill(7::bigint, array[$4]), '{bench}',
			    100, null, null, $7) as e`, worker, steps, claims, n, failures, permanent, uuid.New())
		if err != nil {
			return err
		}
		var step uuid.UUID
		var claim int32
		var claimed bool
		var no *int
		var handler *string
		steps, claims, failures, permanent = nil, nil, nil, nil
		if _, err := pgx.ForEachRow(rows, []any{&step, &claim, &claimed, &no, &handler}, func() error {
			if !claimed {
				return nil
			}
			failure := ""
			if *handler == "bottom" && *no%100 == 50 {
				failure = "broken"
			}
			steps, claims = append(steps, step), append(claims, claim)
			failures, permanent = append(failures, failure), append(permanent, failure != "")
			return nil
		}); err != nil {
			return err
		}
		if n == 0 && len(steps) == 0 {
			return nil
		}
	}
}
