// Command worker measures the worker library beside River's worker and DBOS Transact, on one server:
//
//	make bench-worker
//
// Drained jobs and diamonds, the time from creation to done of one step and a chain of five on an idle
// worker, and what an idle worker costs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
)

var (
	jobs     = flag.Int("jobs", 50000, "jobs to drain")
	diamonds = flag.Int("diamonds", 5000, "diamonds to drain; DBOS does a tenth")
	chains   = flag.Int("chains", 200, "tasks whose latency is measured, of each kind")
	idle     = flag.Duration("idle", 10*time.Second, "how long an idle worker is watched")
	only     = flag.String("only", "", "ours, river or dbos: nobody else")
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// peer is a worker library that is measured.
type peer interface {
	name() string
	drainJobs(ctx context.Context, n int) (time.Duration, error)
	drainDiamonds(ctx context.Context, n int) (time.Duration, error)
	// latencies are the times from creation to done, of tasks of so many steps in a row.
	latencies(ctx context.Context, steps, n int) ([]time.Duration, error)
}

func main() {
	flag.Parse()
	lab.Run(func(ctx context.Context, pool *pgxpool.Pool) error {
		config := pool.Config()
		config.MaxConns = 12
		wide, err := pgxpool.NewWithConfig(ctx, config)
		if err != nil {
			return err
		}
		defer wide.Close()
		if err := register(ctx, pool); err != nil {
			return err
		}
		rows := [][]string{{"", "jobs/s", "diamonds/s", "one step p50", "p95", "p99", "chain of five p50", "p95", "p99"}}
		for _, p := range []peer{&ours{pool: wide}, &river{pool: wide}, &transact{pool: wide}} {
			if *only != "" && *only != p.name() {
				continue
			}
			row, err := measure(ctx, p)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name(), err)
			}
			rows = append(rows, row)
		}
		lab.Table(rows)
		if *only != "" && *only != "ours" {
			return nil
		}
		return watchIdle(ctx, pool, wide)
	})
}

func measure(ctx context.Context, p peer) ([]string, error) {
	row := []string{p.name()}
	took, err := p.drainJobs(ctx, *jobs)
	if err != nil {
		return nil, err
	}
	row = append(row, rate(*jobs, took))
	n := *diamonds
	if p.name() == "dbos" {
		n /= 10
	}
	if took, err = p.drainDiamonds(ctx, n); err != nil {
		return nil, err
	}
	row = append(row, rate(n, took))
	for _, steps := range []int{1, 5} {
		times, err := p.latencies(ctx, steps, *chains)
		if err != nil {
			return nil, err
		}
		slices.Sort(times)
		for _, share := range []int{50, 95, 99} {
			row = append(row, "-")
			if len(times) > 0 {
				row[len(row)-1] = times[(len(times)-1)*share/100].Round(100 * time.Microsecond).String()
			}
		}
	}
	return row, nil
}

func rate(n int, took time.Duration) string {
	if took == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(n)/took.Seconds())
}

func register(ctx context.Context, pool *pgxpool.Pool) error {
	for _, steps := range []string{
		`"name": "job", "steps": [{"name": "noop"}]`,
		`"name": "diamond", "steps": [
		  {"name": "top", "handler": "noop"},
		  {"name": "a", "handler": "noop", "dependencies": ["top"]}, {"name": "b", "handler": "noop", "dependencies": ["top"]},
		  {"name": "c", "handler": "noop", "dependencies": ["top"]}, {"name": "d", "handler": "noop", "dependencies": ["top"]},
		  {"name": "e", "handler": "noop", "dependencies": ["top"]},
		  {"name": "bottom", "handler": "noop", "dependencies": ["a", "b", "c", "d", "e"]}]`,
		`"name": "chain", "steps": [
		  {"name": "s1", "handler": "noop"}, {"name": "s2", "handler": "noop", "dependencies": ["s1"]},
		  {"name": "s3", "handler": "noop", "dependencies": ["s2"]}, {"name": "s4", "handler": "noop", "dependencies": ["s3"]},
		  {"name": "s5", "handler": "noop", "dependencies": ["s4"]}]`,
	} {
		template := json.RawMessage(`{"namespace": "bench", "identity_strategy": "always_unique", ` + steps + `}`)
		if _, err := executor.New(pool).RegisterTaskTemplate(ctx, template); err != nil {
			return err
		}
	}
	return nil
}
