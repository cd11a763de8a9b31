package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
)

// warmWithin bounds the warm-up of a worker before it takes work.
const warmWithin = 2 * time.Second

// warmLines makes the first calls on as many connections of the pool as the worker uses for exchanges, so that its first steps do not wait
// for plans. If the warm-up fails, the worker continues, and its first calls are slow.
func warmLines(ctx context.Context, pool *pgxpool.Pool, lines int, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, warmWithin)
	defer cancel()
	var warming sync.WaitGroup
	var held []*pgxpool.Conn // until all are warm, so that every call takes a different connection
	for range min(lines, int(pool.Config().MaxConns)) {
		conn, err := pool.Acquire(ctx)
		if err != nil {
			log.DebugContext(ctx, "no connection to warm", "error", err)
			break
		}
		held = append(held, conn)
		warming.Go(func() {
			if warm, err := executor.New(conn).WarmSession(ctx); err != nil || !warm {
				log.DebugContext(ctx, "warming a connection failed", "error", err)
			}
		})
	}
	warming.Wait()
	for _, conn := range held {
		conn.Release()
	}
}
