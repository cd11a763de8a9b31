// Package lab is what the benchmarks share: a migrated database, counters read before and after, and
// how their tables look.
//
// Times on a busy machine are noise; each benchmark therefore measures what it compares in turns
// within one run, and prints what does not depend on the machine beside them: buffers, rows, WAL.
package lab

import (
	"context"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// Run calls work with a pool on a migrated database, which is dropped afterwards, and ends the program.
func Run(work func(ctx context.Context, pool *pgxpool.Pool) error) {
	if err := run(context.Background(), work); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, work func(ctx context.Context, pool *pgxpool.Pool) error) (err error) {
	session, err := pgdatabase.Start(ctx, os.Stderr)
	if err != nil {
		return err
	}
	defer func() {
		if closed := session.Stop(); err == nil {
			err = closed
		}
	}()
	name, err := session.CreateMigrated(ctx)
	if err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, session.URL(name))
	if err != nil {
		return err
	}
	defer func() {
		pool.Close()
		if dropped := session.Drop(ctx, name); err == nil {
			err = dropped
		}
	}()
	return work(ctx, pool)
}

// WAL returns the bytes of WAL that work wrote. Nobody else may write meanwhile.
func WAL(ctx context.Context, pool *pgxpool.Pool, work func() error) (bytes int64, err error) {
	var before string
	if err := pool.QueryRow(ctx, "select pg_current_wal_insert_lsn()::text").Scan(&before); err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	err = pool.QueryRow(ctx, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::text::pg_lsn)::bigint", before).Scan(&bytes)
	return bytes, err
}

// Median returns the middle one of some durations.
func Median(durations []time.Duration) time.Duration {
	slices.Sort(durations)
	return durations[len(durations)/2]
}

// Table prints rows with aligned columns; the first one is the head.
func Table(rows [][]string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}

// BackendCPU returns the CPU time that a connection's server process has used. The server must run on this
// machine, under Linux.
func BackendCPU(ctx context.Context, conn *pgxpool.Conn) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", conn.Conn().PgConn().PID()))
	if err != nil {
		return 0, err
	}
	var nanoseconds int64
	_, err = fmt.Sscan(string(raw), &nanoseconds)
	return time.Duration(nanoseconds), err
}
