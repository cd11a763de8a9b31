package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// sqlStepLoads is the value of -only that runs only compareSQLSteps.
const sqlStepLoads = "SQL step"

// sqlBatch is the number of steps that a call runs, the same as in the driver.
const sqlBatch = 25

// prepareSQLSteps registers a diamond whose steps are SQL, in addition to the diamond that workers run.
const prepareSQLSteps = `
	create function public.bench_ok(p_input jsonb) returns jsonb language sql immutable as $$ select '{"ok": true}'::jsonb $$;
	do $$ begin create role bench_steps; exception when duplicate_object then null; end $$;
	grant bench_steps to tasker_owner;
	select tasker.register_namespace('benchsql');
	select tasker.bind_sql_role('benchsql', 'bench_steps');
	select tasker.register_task_template('{"namespace": "benchsql", "name": "diamond", "identity_strategy": "always_unique", "steps": [
	  {"name": "top", "sql": "public.bench_ok"},
	  {"name": "a", "sql": "public.bench_ok", "dependencies": ["top"]}, {"name": "b", "sql": "public.bench_ok", "dependencies": ["top"]},
	  {"name": "c", "sql": "public.bench_ok", "dependencies": ["top"]}, {"name": "d", "sql": "public.bench_ok", "dependencies": ["top"]},
	  {"name": "e", "sql": "public.bench_ok", "dependencies": ["top"]},
	  {"name": "bottom", "sql": "public.bench_ok", "dependencies": ["a", "b", "c", "d", "e"]}]}')`

// compareSQLSteps compares a drained SQL step with the claim and the result of a worker's step: singly, by set and by
// exchanges. Each way has a session of its own on one database, and the sessions alternate. The peers that stepPeers finds have
// databases of their own.
func compareSQLSteps(ctx context.Context, server *lab.Server) error {
	pool, err := server.New(ctx)
	if err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, prepareSQLSteps); err != nil {
		return err
	}
	loads := []load{
		{name: fmt.Sprintf("SQL step, %d a call", sqlBatch), before: createsIn("benchsql", 30), work: drainSQL},
		{name: "claim_steps and complete_steps of 1", before: creates("diamond", 12), work: drainByTwo(1)},
		{name: fmt.Sprintf("claim_steps and complete_steps of %d", sqlBatch), before: creates("diamond", 30), work: drainByTwo(sqlBatch)},
		{name: "exchange of 1", before: creates("diamond", 12), work: drains(1)},
		{name: fmt.Sprintf("exchange of %d", sqlBatch), before: creates("diamond", 30), work: drains(sqlBatch)},
	}
	arms := make([]*arm, len(loads))
	for i, l := range loads {
		arms[i] = &arm{name: l.name, today: true, pool: pool}
		if err := arms[i].prepare(ctx); err != nil {
			return err
		}
		defer arms[i].conn.Release()
	}
	peers, peerArms, err := stepPeers(ctx, server)
	if err != nil {
		return err
	}
	for _, a := range peerArms {
		defer a.conn.Release()
	}
	loads, arms = append(loads, peers...), append(arms, peerArms...)
	samples := make([][]sample, len(loads))
	for round := range *rounds + 1 {
		for turn := range loads {
			i := (turn + round) % len(loads)
			s, err := loads[i].turn(ctx, arms[i])
			if err != nil {
				return fmt.Errorf("%s: %w", loads[i].name, err)
			}
			if round > 0 { // the first turn warms the session
				samples[i] = append(samples[i], s)
			}
		}
	}
	rows := [][]string{{"PostgreSQL, a step of a diamond", "CPU µs", "of it, a SQL step", "instructions", "of it, a SQL step", "WAL", "statements inside a call"}}
	for i, l := range loads {
		inside, err := statementsOf(ctx, arms[i], l)
		if err != nil {
			return fmt.Errorf("%s, statements: %w", l.name, err)
		}
		rows = append(rows, []string{
			l.name, fmt.Sprintf("%.0f", median(each(samples[i], cpu))), fmt.Sprintf("%.2f", median(ratios(samples[0], samples[i], cpu))),
			fmt.Sprintf("%.0fk", median(each(samples[i], instructions))/1000), fmt.Sprintf("%.2f", median(ratios(samples[0], samples[i], instructions))),
			fmt.Sprintf("%.0f", median(each(samples[i], written))), inside,
		})
	}
	lab.Table(rows)
	against := ratios(samples[0], samples[1], cpu)
	return lab.Goal("a drained SQL step, CPU against "+loads[1].name, "0.70", fmt.Sprintf("%.2f", median(slices.Clone(against))), spread(against))
}

// statementsOf counts the statements inside a call. It returns "–" if the server does not count statements.
func statementsOf(ctx context.Context, a *arm, l load) (string, error) {
	var available bool
	err := a.pool.QueryRow(ctx, "select current_setting('shared_preload_libraries') like '%pg_stat_statements%'").Scan(&available)
	if err != nil || !available {
		return "–", err
	}
	mean, err := l.count(ctx, a)
	return fmt.Sprintf("%.1f", mean), err
}

func createsIn(namespace string, n int) func(context.Context, *arm) error {
	return func(ctx context.Context, a *arm) error {
		_, err := a.conn.Exec(ctx, `select from tasker.create_tasks($1, 'diamond', array_fill('{"order": 4711}'::jsonb, array[$2::integer]))`, namespace, n)
		return err
	}
}

// drainSQL calls run_sql_steps as a driver does, until nothing is left.
func drainSQL(ctx context.Context, a *arm) (done int, err error) {
	for {
		var completed, failed int
		var more bool
		if err := a.conn.QueryRow(ctx, "select r.completed, r.failed + r.put_off, r.more from tasker.run_sql_steps($1, '{benchsql}') as r", sqlBatch).Scan(&completed, &failed, &more); err != nil {
			return done, err
		}
		if failed > 0 {
			return done, errors.New("a SQL step failed")
		}
		done += completed
		if !more {
			return done, nil
		}
	}
}

// drainByTwo claims steps by one call and completes them by another.
func drainByTwo(batch int) func(ctx context.Context, a *arm) (int, error) {
	return func(ctx context.Context, a *arm) (done int, err error) {
		worker := uuid.New()
		for {
			rows, err := a.conn.Query(ctx, "select c.step_uuid, c.claim_no, c.context, c.parent_results from tasker.claim_steps('{bench}', $1, $2) as c", worker, batch)
			if err != nil {
				return done, err
			}
			var steps []uuid.UUID
			var claims []int32
			var results []json.RawMessage
			for rows.Next() {
				var h held
				var payload, parents json.RawMessage
				if err := rows.Scan(&h.step, &h.claim, &payload, &parents); err != nil {
					rows.Close()
					return done, err
				}
				steps, claims, results = append(steps, h.step), append(claims, h.claim), append(results, json.RawMessage(`{"ok": true}`))
			}
			if err := rows.Err(); err != nil {
				return done, err
			}
			if len(steps) == 0 {
				return done, nil
			}
			if _, err := a.conn.Exec(ctx, "select a.answer from tasker.complete_steps($1, $2, $3) as a", steps, claims, results); err != nil {
				return done, err
			}
			done += len(steps)
		}
	}
}
