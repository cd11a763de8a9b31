// Command diamond measures the engine: diamonds of seven steps, created and drained with full history and
// audit, through SQL calls from Go:
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

// The diamond of the design: one step, five in parallel, one that joins them.
const diamond = `{
  "namespace": "bench", "name": "diamond", "identity_strategy": "always_unique",
  "steps": [
    {"name": "top"},
    {"name": "a", "dependencies": ["top"]}, {"name": "b", "dependencies": ["top"]},
    {"name": "c", "dependencies": ["top"]}, {"name": "d", "dependencies": ["top"]},
    {"name": "e", "dependencies": ["top"]},
    {"name": "bottom", "dependencies": ["a", "b", "c", "d", "e"]}
  ]
}`

func main() {
	seconds := flag.Int("seconds", 5, "how long each row is measured, about")
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		if _, err := executor.New(pool).RegisterTaskTemplate(ctx, json.RawMessage(diamond)); err != nil {
			return err
		}
		rows := [][]string{header}
		for _, load := range []load{{1, 100}, {2, 100}, {4, 100}, {2, 10}, {4, 10}, {1, 1}, {4, 1}, {8, 1}} {
			row, err := load.measure(ctx, pool, time.Duration(*seconds)*time.Second)
			if err != nil {
				return err
			}
			fmt.Println(row)
			rows = append(rows, row)
		}
		lab.Table(rows)
		return nil
	})
}
