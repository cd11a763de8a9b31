// Command logreaders prints what the functions that read the logs cost, and compares this tree with a commit of this
// repository. Buffers and rows come from EXPLAIN of the call and include the statements inside it. The time is the shortest of
// several interleaved runs. Both databases have the same tasks, made by the same calls:
//
//	make bench-logreaders BASE=97021b74
//	make bench-logreaders BASE=97021b74 TASKS=2000
//
// The command fails if a reader returns other rows than at the commit. It also fails if a reader reads more than ten buffers,
// and more than 1.10 times as many as at the commit.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	base  = flag.String("base", "HEAD", "`commit` to compare with")
	tasks = flag.Int("tasks", 20000, "how many diamonds of four steps")
	turns = flag.Int("turns", 5, "how often each reader is called")
)

// limit bounds the ratio of a reader's buffers to its buffers at the commit.
const limit = 1.10

func main() {
	flag.Parse()
	lab.RunServer(compare)
}

func compare(ctx context.Context, server *lab.Server) error {
	before, err := server.NewAt(ctx, *base)
	if err != nil {
		return err
	}
	now, err := server.New(ctx)
	if err != nil {
		return err
	}
	var arms [2]*pgx.Conn
	for i, pool := range []*pgxpool.Pool{before, now} {
		conn, err := pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		arms[i] = conn.Conn()
		if err := fill(ctx, arms[i]); err != nil {
			return fmt.Errorf("%s: %w", []string{*base, "this tree"}[i], err)
		}
	}
	table := [][]string{{"reader", "rows", "buffers at " + *base, "now", "ratio", "ms at " + *base, "now", "ratio"}}
	var over []string
	for _, r := range readers {
		var took [2]reading
		for range *turns {
			for i, conn := range arms {
				if err := took[i].read(ctx, conn, r.call); err != nil {
					return fmt.Errorf("%s: %w", r.name, err)
				}
			}
		}
		was, is := took[0], took[1]
		if was.rows != is.rows {
			over = append(over, fmt.Sprintf("%s: %.0f rows, was %.0f", r.name, is.rows, was.rows))
		}
		if is.buffers > limit*was.buffers && is.buffers > was.buffers+10 {
			over = append(over, fmt.Sprintf("%s: %.2f of the buffers", r.name, is.buffers/was.buffers))
		}
		table = append(table, []string{
			r.name, fmt.Sprintf("%.0f", is.rows),
			fmt.Sprintf("%.0f", was.buffers), fmt.Sprintf("%.0f", is.buffers), fmt.Sprintf("%.2f", is.buffers/was.buffers),
			fmt.Sprintf("%.2f", was.ms), fmt.Sprintf("%.2f", is.ms), fmt.Sprintf("%.2f", is.ms/was.ms),
		})
	}
	lab.Table(table)
	if over != nil {
		return fmt.Errorf("readers above %.2f: %q", limit, over)
	}
	return nil
}

// reading has the fewest buffers and the shortest time of a call.
type reading struct{ rows, buffers, ms float64 }

// read calls a reader in a transaction that is rolled back.
func (r *reading) read(ctx context.Context, conn *pgx.Conn, call string) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx) //nolint:errcheck // The transaction only reads.
	var text []byte
	if err := tx.QueryRow(ctx, "explain (analyze, buffers, timing off, format json) "+call).Scan(&text); err != nil {
		return err
	}
	var plans []struct {
		Plan struct {
			Rows float64 `json:"Actual Rows"`
			Hit  float64 `json:"Shared Hit Blocks"`
			Read float64 `json:"Shared Read Blocks"`
			Temp float64 `json:"Temp Read Blocks"`
		}
		Time float64 `json:"Execution Time"`
	}
	if err := json.Unmarshal(text, &plans); err != nil {
		return err
	}
	p := plans[0]
	if r.ms == 0 {
		*r = reading{0, math.Inf(1), math.Inf(1)}
	}
	r.rows = p.Plan.Rows
	r.buffers = min(r.buffers, p.Plan.Hit+p.Plan.Read+p.Plan.Temp)
	r.ms = min(r.ms, p.Time)
	return nil
}
