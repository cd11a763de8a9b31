package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// The templates: seven steps, one, a chain of five.
var templates = []string{
	`{"namespace": "bench", "name": "diamond", "identity_strategy": "always_unique", "steps": [
	  {"name": "top"},
	  {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]}, {"name": "c", "dependencies": ["top"]},
	  {"name": "d", "dependencies": ["top"]}, {"name": "e", "dependencies": ["top"]},
	  {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}]}`,
	`{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`,
	`{"namespace": "bench", "name": "chain", "identity_strategy": "always_unique", "steps": [
	  {"name": "one"}, {"name": "two", "dependencies": ["one"]}, {"name": "three", "dependencies": ["two"]},
	  {"name": "four", "dependencies": ["three"]}, {"name": "five", "dependencies": ["four"]}]}`,
}

// load is work whose cost is measured; it returns how many units (steps, tasks) it did.
type load struct {
	name   string
	before func(ctx context.Context, a *arm) error
	work   func(ctx context.Context, a *arm) (int, error)
}

var loads = []load{
	{"exchange of 1, diamond, a step", creates("diamond", 12), drains(1)},
	{"exchange of 10, diamond, a step", creates("diamond", 40), drains(10)},
	{"exchange of 100, diamond, a step", creates("diamond", 100), drains(100)},
	{"exchange of 1, chain, a step", creates("chain", 15), drains(1)},
	{"exchange of 1, single step", creates("single", 60), drains(1)},
	{"exchange of 100, single step", creates("single", 500), drains(100)},
	{"create_task, diamond", drainAll, createsSingly("diamond", 40)},
	{"create_task, single step", drainAll, createsSingly("single", 60)},
	{"create_tasks, 100 diamonds, a task", drainAll, createsMany("diamond", 100)},
	{"create_tasks, 100 single steps, a task", drainAll, createsMany("single", 100)},
	{"created and drained at 100, diamond, a step", nil, lives("diamond", 100, 100)},
}

const createTask = `select * from tasker.create_task('bench', $1, '{"order": 4711}')`

const createTasks = `select * from tasker.create_tasks('bench', $1, array_fill('{"order": 4711}'::jsonb, array[$2::integer]))`

func creates(template string, n int) func(context.Context, *arm) error {
	return func(ctx context.Context, a *arm) error {
		_, err := a.conn.Exec(ctx, createTasks, template, n)
		return err
	}
}

func createsSingly(template string, n int) func(context.Context, *arm) (int, error) {
	return func(ctx context.Context, a *arm) (int, error) {
		for range n {
			if _, err := a.conn.Exec(ctx, createTask, template); err != nil {
				return 0, err
			}
		}
		return n, nil
	}
}

func createsMany(template string, n int) func(context.Context, *arm) (int, error) {
	return func(ctx context.Context, a *arm) (int, error) {
		return n, creates(template, n)(ctx, a)
	}
}

func drains(batch int) func(context.Context, *arm) (int, error) {
	return func(ctx context.Context, a *arm) (int, error) { return drain(ctx, a, batch) }
}

func lives(template string, n, batch int) func(context.Context, *arm) (int, error) {
	return func(ctx context.Context, a *arm) (int, error) {
		if err := creates(template, n)(ctx, a); err != nil {
			return 0, err
		}
		return drain(ctx, a, batch)
	}
}

// drainAll empties the queue on another connection, so that what is made does not pile up.
func drainAll(ctx context.Context, a *arm) error {
	conn, err := a.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = drain(ctx, &arm{name: a.name, pool: a.pool, conn: conn}, 100)
	return err
}

// exchange is the call as the worker makes it, with the UUID of a request.
const exchange = `
	select e.step_uuid, e.claim_no, e.answer, e.handler, e.context, e.parent_results
	  from tasker.exchange_steps(
	    $1, $2::uuid[], $3::integer[], $4::jsonb[], array_replace($5::text[], '', null), $6::boolean[],
	    array_replace($7::integer[], -1, null), $8::bigint[], '{bench}', $9, null, null, $10) as e`

// drain exchanges results for steps until nothing is left, and returns how many steps it did.
func drain(ctx context.Context, a *arm, batch int) (done int, err error) {
	worker := uuid.New()
	var steps []uuid.UUID
	var claims []int32
	for {
		n := len(steps)
		results, failures := make([]json.RawMessage, n), make([]string, n)
		permanent, backoffs, times := make([]bool, n), make([]int32, n), make([]int64, n)
		for i := range n {
			results[i], backoffs[i], times[i] = json.RawMessage(`{"ok": true}`), -1, 7
		}
		rows, err := a.conn.Query(ctx, exchange, worker, steps, claims, results, failures, permanent, backoffs, times, batch, uuid.New())
		if err != nil {
			return done, err
		}
		var step uuid.UUID
		var claim int32
		var answer, handler *string
		var payload, parents json.RawMessage
		steps, claims = nil, nil
		if _, err := pgx.ForEachRow(rows, []any{&step, &claim, &answer, &handler, &payload, &parents}, func() error {
			switch {
			case answer == nil:
				steps, claims = append(steps, step), append(claims, claim)
			case *answer != "completed":
				return fmt.Errorf("step %s: %s", step, *answer)
			default:
				done++
			}
			return nil
		}); err != nil {
			return done, err
		}
		if n == 0 && len(steps) == 0 {
			return done, nil
		}
	}
}
