package main

import (
	"context"
	_ "embed"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

//go:embed rows.sql
var writeRows string

// rowsOfJobs writes the rows of drained single-step tasks, a hundred a call, on one connection and without an
// engine: what the tables alone cost. It returns how many a second, and the server's processor time of one in µs.
func rowsOfJobs(ctx context.Context, pool *pgxpool.Pool) (rate, used float64, err error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Release()
	for _, statement := range []string{writeRows, "set session_replication_role = replica"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return 0, 0, err
		}
	}
	const calls, batch = 100, 100
	var took, cpu time.Duration
	for call := range calls + 5 {
		if _, err := conn.Exec(ctx, "select public.create_rows_of_jobs($1)", batch); err != nil {
			return 0, 0, err
		}
		before, err := lab.BackendCPU(ctx, conn)
		if err != nil {
			return 0, 0, err
		}
		began := time.Now()
		if _, err := conn.Exec(ctx, "select public.drain_rows_of_jobs()"); err != nil {
			return 0, 0, err
		}
		after, err := lab.BackendCPU(ctx, conn)
		if err != nil {
			return 0, 0, err
		}
		if call >= 5 { // the first ones plan
			took, cpu = took+time.Since(began), cpu+after-before
		}
	}
	_, err = conn.Exec(ctx, "reset session_replication_role")
	n := float64(calls * batch)
	return n / took.Seconds(), float64(cpu.Microseconds()) / n, err
}
