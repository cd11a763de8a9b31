package main

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
)

// load is work whose cost is measured. work returns the number of units (steps, tasks) that it did. cpu and wal are the goals,
// as ratios to the commit. rows does the same work without an engine.
type load struct {
	name   string
	before func(ctx context.Context, a *arm) error
	work   func(ctx context.Context, a *arm) (int, error)
	cpu    string
	wal    string
	rows   rows
}

var loads = []load{
	{"exchange of 1, diamond, a step", creates("diamond", 12), drains(1), "0.40", "", drained{"diamond", 12, 1}},
	{"exchange of 10, diamond, a step", creates("diamond", 40), drains(10), "0.62", "", drained{"diamond", 40, 10}},
	{"exchange of 100, diamond, a step", creates("diamond", 100), drains(100), "0.75", "", drained{"diamond", 100, 100}},
	{"exchange of 1, chain, a step", creates("chain", 15), drains(1), "", "", drained{"chain", 15, 1}},
	{"exchange of 1, single-step task", creates("single", 60), drains(1), "0.33", "", drained{"single", 60, 1}},
	{"exchange of 100, single-step task", creates("single", 500), drains(100), "", "", drained{"single", 500, 100}},
	{"create_task, diamond", drainAll, createsSingly("diamond", 40), "0.50", "", created{"diamond", 40, 1}},
	{"create_task, single-step task", drainAll, createsSingly("single", 60), "0.50", "", created{"single", 60, 1}},
	{"create_tasks of 100, diamond", drainAll, createsMany("diamond", 100), "0.70", "", created{"diamond", 100, 100}},
	{"create_tasks of 100, single-step task", drainAll, createsMany("single", 100), "0.70", "", created{"single", 100, 100}},
	{"start here, against create and claim, single-step task", finishHeld, starts("single", 40), "0.30", "", started{"single", 40}},
	{"start here, against create and claim, diamond", finishHeld, starts("diamond", 40), "0.30", "", started{"diamond", 40}},
	{"created and drained at 1, diamond, a step", finishHeld, lives("diamond", 12, 1), "", "0.80", lived{"diamond", 12, 1}},
	{"created and drained at 100, diamond, a step", finishHeld, lives("diamond", 100, 100), "", "0.80", lived{"diamond", 100, 100}},
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

// held is a step that a start handed out and that has no result yet.
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

// starts creates n tasks and claims the first step of each task. Today's tree needs one call for each task, the commit two
// calls.
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

// finishHeld records the results of the steps that starts handed out, and drains the steps that follow.
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

// drainAll empties the queue on another connection, so that created tasks do not pile up.
func drainAll(ctx context.Context, a *arm) error {
	conn, err := a.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	_, err = drain(ctx, &arm{name: a.name, pool: a.pool, conn: conn}, 100)
	return err
}

// drain exchanges results for steps until no step is left, and returns the number of steps.
func drain(ctx context.Context, a *arm, batch int) (done int, err error) {
	return floor.Drain(ctx, a.conn.Conn(), batch, a.called)
}
