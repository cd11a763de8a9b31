package main

import (
	"context"
	"fmt"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

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
	} {
		row := []string{c.name}
		for _, a := range arms[:2] {
			if err := drainAll(ctx, a); err != nil {
				return err
			}
			mean, err := c.count(ctx, a)
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
