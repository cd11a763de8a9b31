// Command diamond measures the engine. It creates and drains tasks of one step and tasks of seven steps (one step, five steps
// in parallel, and a step that joins them), with full history and audit, through SQL calls from Go. The figures are compared
// with plain statements that write the same rows:
//
//	make bench-diamond
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

// The diamond of the design, and a task of one step.
const (
	diamond = `{
	  "namespace": "bench", "name": "diamond", "identity_strategy": "always_unique",
	  "steps": [
	    {"name": "top"},
	    {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]},
	    {"name": "c", "dependencies": ["top"]}, {"name": "d", "dependencies": ["top"]},
	    {"name": "e", "dependencies": ["top"]},
	    {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}
	  ]
	}`
	single = `{"namespace": "bench", "name": "single", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`
)

var (
	seconds = flag.Int("seconds", 4, "how long each row is measured, about")
	behind  = flag.Int("behind", 0, "instead of the rows: this many finished tasks and half as many steps that wait in another namespace, beside a database without")
	rounds  = flag.Int("rounds", 9, "how many paired turns beside a database without")
	growing = flag.Int("growing", 0, "with -behind: list so many statements of the exchanges whose buffers grow most")
)

func main() {
	flag.Parse()
	lab.RunServer(func(ctx context.Context, server *lab.Server) error {
		if *behind > 0 {
			return compareBehind(ctx, server)
		}
		pool, err := open(ctx, server)
		if err != nil {
			return err
		}
		return run(ctx, server, pool)
	})
}

// open returns a pool on a new database that knows the templates.
func open(ctx context.Context, server *lab.Server) (*pgxpool.Pool, error) {
	pool, err := server.New(ctx)
	if err != nil {
		return nil, err
	}
	for _, template := range []string{diamond, single} {
		if _, err := executor.New(pool).RegisterTaskTemplate(ctx, json.RawMessage(template)); err != nil {
			return nil, err
		}
	}
	return pool, nil
}

func run(ctx context.Context, server *lab.Server, pool *pgxpool.Pool) error {
	rows := [][]string{header}
	measure := func(what string, loads ...load) error {
		for _, l := range loads {
			row, err := l.measure(ctx, pool, what, time.Duration(*seconds)*time.Second)
			if err != nil {
				return fmt.Errorf("%s, %+v: %w", what, l, err)
			}
			rows = append(rows, row)
		}
		return nil
	}

	all := []load{
		{"diamond", 1, 100},
		{"diamond", 2, 100},
		{"diamond", 4, 100},
		{"diamond", 2, 10},
		{"diamond", 8, 10},
		{"diamond", 1, 1},
		{"diamond", 8, 1},
		{"single", 2, 100},
	}
	if err := measure("never analysed", all...); err != nil {
		return err
	}
	alone, err := measureRows(ctx, server, pool, time.Duration(*seconds)*time.Second)
	if err != nil {
		return err
	}
	rows = append(rows, alone)
	// Take statistics when no task is open, as autovacuum would at night.
	if _, err := pool.Exec(ctx, "analyze"); err != nil {
		return err
	}
	pool.Reset()
	if err := measure("analysed when drained", load{"diamond", 2, 100}, load{"diamond", 8, 1}); err != nil {
		return err
	}
	lab.Table(rows)
	return nil
}
