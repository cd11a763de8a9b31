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

// load is work whose cost is measured; it returns how many units (steps, tasks) it did. cpu and wal are what
// is aimed at, as ratios.
type load struct {
	name   string
	before func(ctx context.Context, a *arm) error
	work   func(ctx context.Context, a *arm) (int, error)
	cpu    string
	wal    string
}

var loads = []load{
	{"exchange of 1, diamond, a step", creates("diamond", 12), drains(1), "0.40", ""},
	{"exchange of 10, diamond, a step", creates("diamond", 40), drains(10), "0.62", ""},
	{"exchange of 100, diamond, a step", creates("diamond", 100), drains(100), "0.75", ""},
	{"exchange of 1, chain, a step", creates("chain", 15), drains(1), "", ""},
	{"exchange of 1, single-step task", creates("single", 60), drains(1), "0.33", ""},
	{"exchange of 100, single-step task", creates("single", 500), drains(100), "", ""},
	{"create_task, diamond", drainAll, createsSingly("diamond", 40), "0.50", ""},
	{"create_task, single-step task", drainAll, createsSingly("single", 60), "0.50", ""},
	{"create_tasks of 100, diamond", drainAll, createsMany("diamond", 100), "0.70", ""},
	{"create_tasks of 100, single-step task", drainAll, createsMany("single", 100), "0.70", ""},
	{"start here, against create and claim, single-step task", finishHeld, starts("single", 40), "0.30", ""},
	{"start here, against create and claim, diamond", finishHeld, starts("diamond", 40), "0.30", ""},
	{"created and drained at 1, diamond, a step", nil, lives("diamond", 12, 1), "", "0.80"},
	{"created and drained at 100, diamond, a step", nil, lives("diamond", 100, 100), "", "0.80"},
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

// held is a step that a start handed out and whose result is still owed.
type held struct {
	step  uuid.UUID
	claim int32
}

const (
	startTask = `
		select s.step_uuid, s.claim_no from tasker.start_task('bench', $1, $2, '{"order": 4711}', p_limit => 1) as s`
	claimOne = `select e.step_uuid, e.claim_no
	  from tasker.exchange_steps($1, p_namespaces => '{bench}', p_limit => 1, p_request_uuid => $2) as e`
)

// starts creates n tasks and claims the first step of each: in one call today, in two at the commit.
func starts(template string, n int) func(context.Context, *arm) (int, error) {
	return func(ctx context.Context, a *arm) (int, error) {
		worker := uuid.New()
		for range n {
			var h held
			var err error
			if a.today {
				err = a.conn.QueryRow(ctx, startTask, template, worker).Scan(&h.step, &h.claim)
			} else if _, err = a.conn.Exec(ctx, createTask, template); err == nil {
				err = a.conn.QueryRow(ctx, claimOne, worker, uuid.New()).Scan(&h.step, &h.claim)
			}
			if err != nil {
				return 0, err
			}
			a.held = append(a.held, h)
		}
		return n, nil
	}
}

// finishHeld records the results of the steps that starts handed out, and drains what follows.
func finishHeld(ctx context.Context, a *arm) error {
	var steps []uuid.UUID
	var claims []int32
	var results []json.RawMessage
	for _, h := range a.held {
		steps, claims, results = append(steps, h.step), append(claims, h.claim), append(results, json.RawMessage(`{"ok": true}`))
	}
	a.held = nil
	if _, err := a.pool.Exec(ctx, "select from tasker.complete_steps($1, $2, $3)", steps, claims, results); err != nil {
		return err
	}
	return drainAll(ctx, a)
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
