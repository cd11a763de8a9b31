// Command calls measures what a call costs PostgreSQL, today beside an earlier commit: the same calls on the
// same server, in alternating turns, with durable commits:
//
//	make bench-calls
//
// It prints ratios of the processor time that the session used, today's to the commit's, medians of paired
// turns; beside them those of the commit to itself, which is the noise.
package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	commit = flag.String("commit", "3e5675c", "what today is compared with")
	rounds = flag.Int("rounds", 9, "how many paired turns")
	only   = flag.String("only", "", "measure the loads whose name begins so")
)

// arm is one of the databases that are compared.
type arm struct {
	name string
	pool *pgxpool.Pool
	conn *pgxpool.Conn
}

func main() {
	flag.Parse()
	lab.RunServer(run)
}

func run(ctx context.Context, server *lab.Server) error {
	arms := []*arm{{name: "today"}, {name: *commit}, {name: *commit + " again"}}
	for i, a := range arms {
		var err error
		if i == 0 {
			a.pool, err = server.New(ctx)
		} else {
			a.pool, err = server.NewAt(ctx, *commit)
		}
		if err == nil {
			err = a.prepare(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		defer a.conn.Release()
	}
	if err := compareCalls(ctx, arms); err != nil {
		return err
	}
	if err := compareCreators(ctx, arms); err != nil {
		return err
	}
	return countStatements(ctx, arms)
}

// prepare registers the templates, and takes the connection that the arm keeps.
func (a *arm) prepare(ctx context.Context) (err error) {
	for _, template := range templates {
		if _, err := a.pool.Exec(ctx, "select from tasker.register_task_template($1::jsonb)", template); err != nil {
			return err
		}
	}
	if a.conn, err = a.pool.Acquire(ctx); err != nil {
		return err
	}
	// As a worker's connections are: what it sends is prepared once.
	a.conn.Conn().Config().DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	return nil
}

// sample is one turn of one arm.
type sample struct{ cpu, wal float64 }

// compareCalls lets the arms take turns at each load.
func compareCalls(ctx context.Context, arms []*arm) error {
	rows := [][]string{{
		"processor time of PostgreSQL", "today µs", *commit + " µs", "ratio", "A/A", "WAL today", "WAL " + *commit, "ratio",
	}}
	for _, l := range loads {
		if len(*only) > len(l.name) || l.name[:len(*only)] != *only {
			continue
		}
		samples := make([][]sample, len(arms))
		for round := range *rounds + 1 {
			for turn := range arms {
				i := (turn + round) % len(arms)
				s, err := l.turn(ctx, arms[i])
				if err != nil {
					return fmt.Errorf("%s, %s: %w", l.name, arms[i].name, err)
				}
				if round > 0 { // the first one warms the session
					samples[i] = append(samples[i], s)
				}
			}
		}
		cpu := func(s sample) float64 { return s.cpu }
		wal := func(s sample) float64 { return s.wal }
		rows = append(rows, []string{
			l.name,
			fmt.Sprintf("%.0f", median(each(samples[0], cpu))), fmt.Sprintf("%.0f", median(each(samples[1], cpu))),
			fmt.Sprintf("%.2f", median(ratios(samples[0], samples[1], cpu))),
			fmt.Sprintf("%.2f", median(ratios(samples[2], samples[1], cpu))),
			fmt.Sprintf("%.0f", median(each(samples[0], wal))), fmt.Sprintf("%.0f", median(each(samples[1], wal))),
			fmt.Sprintf("%.2f", median(ratios(samples[0], samples[1], wal))),
		})
	}
	lab.Table(rows)
	return nil
}

// turn does the load once and returns what a unit of it cost.
func (l load) turn(ctx context.Context, a *arm) (s sample, err error) {
	if l.before != nil {
		if err := l.before(ctx, a); err != nil {
			return s, err
		}
	}
	var used time.Duration
	var units int
	wal, err := lab.WAL(ctx, a.pool, func() error {
		start, err := lab.BackendCPU(ctx, a.conn)
		if err != nil {
			return err
		}
		if units, err = l.work(ctx, a); err != nil {
			return err
		}
		end, err := lab.BackendCPU(ctx, a.conn)
		used = end - start
		return err
	})
	return sample{cpu: float64(used.Nanoseconds()) / 1000 / float64(units), wal: float64(wal) / float64(units)}, err
}

func each(samples []sample, what func(sample) float64) (values []float64) {
	for _, s := range samples {
		values = append(values, what(s))
	}
	return values
}

func ratios(a, b []sample, what func(sample) float64) (values []float64) {
	for i := range a {
		values = append(values, what(a[i])/what(b[i]))
	}
	return values
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
