package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// statementRows as -only counts statements alone.
const statementRows = "statements"

// Templates that earlier commits may not know.
const (
	keyed    = `{"namespace": "bench", "name": "keyed", "identity_strategy": "always_unique", "runs": {}, "steps": [{"name": "only"}]}`
	children = `{"namespace": "bench", "name": "children", "identity_strategy": "always_unique",
		"steps": [{"name": "each", "for_each": "$.lines", "task": {"name": "single"}}]}`
)

// registers registers a template before a load.
func registers(template string, before func(context.Context, *arm) error) func(context.Context, *arm) error {
	return func(ctx context.Context, a *arm) error {
		if _, err := a.conn.Exec(ctx, "select from tasker.register_task_template($1::jsonb)", template); err != nil {
			return err
		}
		return before(ctx, a)
	}
}

// countStatements prints the number of statements inside a call, without the call itself, by pg_stat_statements.
func countStatements(ctx context.Context, arms []*arm) error {
	var available bool
	if err := arms[0].pool.QueryRow(ctx,
		"select current_setting('shared_preload_libraries') like '%pg_stat_statements%'").Scan(&available); err != nil || !available {
		return err
	}
	rows := [][]string{{"statements inside a call", "today", *commit}}
	for _, c := range []struct {
		name string
		goal string
		load
	}{
		{"exchange of 1, 30 diamonds", "20", load{before: creates("diamond", 30), work: drains(1)}},
		{"exchange of 1, 60 single-step tasks", "20", load{before: creates("single", 60), work: drains(1)}},
		{"exchange of 100, 30 diamonds", "–", load{before: creates("diamond", 30), work: drains(100)}},
		{"create_task, diamond", "12", load{work: func(ctx context.Context, a *arm) (int, error) {
			for range 30 {
				if _, err := a.conn.Exec(ctx, createTask, "diamond"); err != nil {
					return 0, err
				}
			}
			return 30, nil
		}}},
		{"create_task, one step, runs by key, in line", "–", load{before: registers(keyed, creates("keyed", 1)), work: createsSingly("keyed", 30)}},
		{"exchange of 1, one step, runs by key, lets the next task in", "–", load{before: registers(keyed, creates("keyed", 30)), work: drains(1)}},
		{"exchange of 1, the task of an element", "–", load{before: registers(children, createsMap), work: drains(1)}},
	} {
		row := []string{c.name}
		for _, a := range arms[:2] {
			if err := drainAll(ctx, a); err != nil {
				return err
			}
			mean, err := c.count(ctx, a)
			var refused *pgconn.PgError
			if !a.today && errors.As(err, &refused) && refused.Code == "TK422" {
				row = append(row, "–") // the commit does not know the template
				continue
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.name, a.name, err)
			}
			row = append(row, fmt.Sprintf("%.1f", mean))
		}
		rows = append(rows, row)
		if err := lab.Goal("statements inside a call: "+c.name, c.goal, row[1], row[2]+" at "+*commit); err != nil {
			return err
		}
	}
	lab.Table(rows)
	return nil
}

// createsMap creates a task with a map of 30 tasks.
func createsMap(ctx context.Context, a *arm) error {
	_, err := a.conn.Exec(ctx, `select from tasker.create_task('bench', 'children', jsonb_build_object('lines', array(select jsonb_build_object('line', k) from generate_series(1, 30) as k)))`)
	return err
}

// count returns the mean number of statements inside a call of the load.
func (l load) count(ctx context.Context, a *arm) (mean float64, err error) {
	for _, sql := range []string{"create extension if not exists pg_stat_statements schema public", "set pg_stat_statements.track = 'all'"} {
		if _, err := a.conn.Exec(ctx, sql); err != nil {
			return 0, err
		}
	}
	if l.before != nil {
		if err := l.before(ctx, a); err != nil {
			return 0, err
		}
	}
	if _, err := a.conn.Exec(ctx, "select public.pg_stat_statements_reset()"); err != nil {
		return 0, err
	}
	if _, err := l.work(ctx, a); err != nil {
		return 0, err
	}
	return mean, a.conn.QueryRow(ctx, `
		select (sum(s.calls) filter (where not s.toplevel))::float / sum(s.calls) filter (where s.toplevel)
		  from public.pg_stat_statements as s
		  join pg_database as d
		    on d.oid = s.dbid
		 where d.datname = current_database()
		   and s.query not like '%pg_stat_statements%'`).Scan(&mean)
}
