package main

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

//go:embed rows.sql
var writeRows string

// measureRows writes the rows of diamonds, fourteen at a time, on one connection and without an engine, and
// returns a row of the table: what the tables alone cost.
func measureRows(ctx context.Context, pool *pgxpool.Pool, duration time.Duration) ([]string, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	for _, statement := range []string{writeRows, "set session_replication_role = replica"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}

	before, err := written(ctx, pool)
	if err != nil {
		return nil, err
	}
	cpu, err := lab.BackendCPU(ctx, conn)
	if err != nil {
		return nil, err
	}
	var steps, calls int
	start := time.Now()
	wal, err := lab.WAL(ctx, pool, func() error {
		for ; time.Since(start) < duration; calls++ {
			var n int
			if err := conn.QueryRow(ctx, "select public.write_rows_of_diamonds(14)").Scan(&n); err != nil {
				return err
			}
			steps += n
		}
		return nil
	})
	elapsed := time.Since(start)
	if err != nil {
		return nil, err
	}
	used, err := lab.BackendCPU(ctx, conn)
	if err != nil {
		return nil, err
	}
	for _, statement := range []string{"reset session_replication_role", "select pg_stat_force_next_flush()"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	after, err := written(ctx, pool)
	if err != nil {
		return nil, err
	}
	n := float64(steps)
	return []string{
		"the rows alone", "diamond", "1", "98",
		fmt.Sprintf("%.0f", n/7/elapsed.Seconds()), fmt.Sprintf("%.0f", n/elapsed.Seconds()), "",
		fmt.Sprintf("%.0f", float64((used-cpu).Microseconds())/n),
		fmt.Sprintf("%.0f", float64(wal)/n),
		fmt.Sprintf("%.1f", float64(after.rows-before.rows)/n),
		fmt.Sprintf("%.0f", 100*float64(after.hot-before.hot)/float64(after.updates-before.updates)),
		fmt.Sprintf("%.3f", float64(calls)/n),
	}, nil
}
