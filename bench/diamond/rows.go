package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// measureRows writes the rows of diamonds, fourteen at a time, on one connection and without an engine (package floor). It
// returns a row of the printed table: the cost of the database tables alone.
func measureRows(ctx context.Context, server *lab.Server, pool *pgxpool.Pool, duration time.Duration) ([]string, error) {
	const diamonds, batch = 14, 100
	r, err := record(ctx, server, diamonds, batch)
	if err != nil {
		return nil, err
	}
	conn, rows, err := openRows(ctx, pool)
	if err != nil {
		return nil, err
	}
	defer closeRows(ctx, conn)

	before, err := written(ctx, pool)
	if err != nil {
		return nil, err
	}
	cpu, err := lab.BackendCPU(ctx, conn)
	if err != nil {
		return nil, err
	}
	var steps, made int
	start := time.Now()
	wal, err := lab.WAL(ctx, pool, func() error {
		for time.Since(start) < duration {
			tasks, err := rows.CreateMany(ctx, "diamond", diamonds)
			if err != nil {
				return err
			}
			if err := rows.Replay(ctx, "diamond", tasks, r.calls); err != nil {
				return err
			}
			steps, made = steps+floor.Steps(r.calls), made+1+len(r.calls)
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
	if _, err := conn.Exec(ctx, "select pg_stat_force_next_flush()"); err != nil {
		return nil, err
	}
	after, err := written(ctx, pool)
	if err != nil {
		return nil, err
	}
	n := float64(steps)
	return []string{
		"the rows alone", "diamond", "1", fmt.Sprint(batch),
		fmt.Sprintf("%.0f", n/7/elapsed.Seconds()), fmt.Sprintf("%.0f", n/elapsed.Seconds()), "",
		fmt.Sprintf("%.0f", float64((used-cpu).Microseconds())/n),
		fmt.Sprintf("%.0f", float64(wal)/n),
		fmt.Sprintf("%.1f", float64(after.rows-before.rows)/n),
		fmt.Sprintf("%.0f", 100*float64(after.hot-before.hot)/float64(after.updates-before.updates)),
		fmt.Sprintf("%.3f", float64(made)/n),
	}, nil
}

// openRows returns a floor over a connection of its own. The connection keeps its settings.
func openRows(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, *floor.Floor, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	rows, err := floor.New(ctx, conn.Conn(), floor.Kind{})
	if err != nil {
		closeRows(ctx, conn)
	}
	return conn, rows, err
}

func closeRows(ctx context.Context, conn *pgxpool.Conn) {
	_ = conn.Conn().Close(ctx)
	conn.Release()
}

// recording has the writes of the exchanges that drain some diamonds.
type recording struct {
	pool  *pgxpool.Pool
	tasks []uuid.UUID
	calls []floor.Call
}

// record creates diamonds and drains them in a database of its own.
func record(ctx context.Context, server *lab.Server, diamonds, batch int) (r recording, err error) {
	if r.pool, err = open(ctx, server); err != nil {
		return r, err
	}
	recorder, err := floor.NewRecorder(ctx, r.pool)
	if err != nil {
		return r, err
	}
	conn, err := r.pool.Acquire(ctx)
	if err != nil {
		return r, err
	}
	defer conn.Release()
	if r.tasks, err = floor.EngineCreate(ctx, conn, "diamond", diamonds); err != nil {
		return r, err
	}
	r.calls, err = recorder.Drain(ctx, conn.Conn(), r.tasks, batch)
	return r, err
}
