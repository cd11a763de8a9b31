// Command calls measures the cost of a call to PostgreSQL, and compares today's tree with an earlier commit. Both make the same
// calls on the same server, in alternating turns, with durable commits:
//
//	make bench-calls BASE=92eacbd4
//
// Creations of tasks are compared with creations of River, pgmq and graphile-worker, in the versions that bench/go.mod and
// tools/peers.sh name.
//
// For today's tree only, a SQL step is compared with the claim and the result of a worker's step. -only "SQL step" measures
// only this row. ABSURD=/path/to/a/checkout and PGFLOW=/path/to/a/checkout add a step of absurd and a step of pgflow. The step
// of pgflow needs the extension pgmq, which tools/peers.sh gets.
//
// The command prints three ratios of today's tree to the commit: of the processor time that the session used, of the
// instructions that its process executed, and of the WAL that it wrote. Each ratio is the median of paired turns. The figure
// beside each ratio is the ratio of the commit to itself, and shows the noise of the measurement. On a busy machine the
// instructions are a better measure than the processor time. The instructions leave out only the kernel, which writes and
// flushes files.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	commit  = flag.String("commit", "", "what today is compared with")
	rounds  = flag.Int("rounds", 9, "how many paired turns")
	session = flag.Int("session", 0, "instead: exchange so many results for steps in one session that began with cancel_task, and in one that did not")
	only    = flag.String("only", "", "measure the loads whose name begins so; \"8 connections\": those that create tasks beside each other; \"SQL step\": only a SQL step beside claims and results; \"statements\": only the statements inside a call")
)

// arm is one of the databases that are compared.
type arm struct {
	name  string
	today bool
	pool  *pgxpool.Pool
	conn  *pgxpool.Conn
	// executed counts the instructions of conn's server process. It is nil if the kernel does not let us count.
	executed *lab.Instructions
	held     []held       // steps that a start handed out
	called   func() error // after each exchange of a drain
}

func main() {
	flag.Parse()
	if *commit == "" && *session == 0 && *only != sqlStepLoads {
		fmt.Fprintln(os.Stderr, "calls: -commit names what today is compared with: make bench-calls BASE=…")
		os.Exit(2)
	}
	lab.RunServer(run)
}

func run(ctx context.Context, server *lab.Server) error {
	if *session > 0 {
		return compareSession(ctx, server, *session)
	}
	if *only == sqlStepLoads {
		return compareSQLSteps(ctx, server)
	}
	arms := []*arm{{name: "today", today: true}, {name: *commit}, {name: *commit + " again"}}
	for _, a := range arms {
		var err error
		if a.today {
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
	if *only == statementRows {
		return countStatements(ctx, arms)
	}
	floors, err := openFloors(ctx, server)
	if err != nil {
		return fmt.Errorf("the rows alone: %w", err)
	}
	defer closeFloors(floors)
	if err := compareCalls(ctx, arms, floors); err != nil {
		return err
	}
	if err := compareCreators(ctx, server, arms, floors[0]); err != nil {
		return err
	}
	if err := countStatements(ctx, arms); err != nil {
		return err
	}
	return compareSQLSteps(ctx, server)
}

// prepare registers the templates, and takes the connection that the arm keeps.
func (a *arm) prepare(ctx context.Context) (err error) {
	for _, template := range floor.Templates {
		if _, err := a.pool.Exec(ctx, "select from tasker.register_task_template($1::jsonb)", template); err != nil {
			return err
		}
	}
	if a.conn, err = a.pool.Acquire(ctx); err != nil {
		return err
	}
	// Prepare each statement once, as a worker's connections do.
	a.conn.Conn().Config().DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	if a.executed, err = lab.CountInstructions(a.conn); err != nil {
		fmt.Fprintln(os.Stderr, "no instructions:", err)
	}
	return nil
}

// sample is the cost of a unit in one turn of one arm.
type sample struct{ cpu, wal, instructions float64 }

// compareCalls lets the arms and the floors take turns at each load.
func compareCalls(ctx context.Context, arms []*arm, floors []*floorArm) error {
	rows := [][]string{{
		"PostgreSQL, a unit", "today µs", *commit + " µs", "ratio", "A/A", "instructions today", "ratio", "A/A",
		"WAL today", "WAL " + *commit, "ratio", "A/A",
	}}
	alone := [][]string{{"of the instructions of " + *commit, "today"}}
	for _, f := range floors {
		alone[0] = append(alone[0], f.name)
	}
	alone[0] = append(alone[0], "CPU today", "the rows alone", "WAL today", "the rows alone")
	for _, l := range loads {
		if len(*only) > len(l.name) || l.name[:len(*only)] != *only {
			continue
		}
		calls, err := record(ctx, floors, l.rows)
		if err != nil {
			return fmt.Errorf("%s, the rows alone: %w", l.name, err)
		}
		takers := len(arms) + len(floors)
		samples := make([][]sample, takers)
		for round := range *rounds + 1 {
			for turn := range takers {
				i := (turn + round) % takers
				var s sample
				if i < len(arms) {
					s, err = l.turn(ctx, arms[i])
				} else {
					s, err = floors[i-len(arms)].turn(ctx, l.rows, calls)
				}
				if err != nil {
					return fmt.Errorf("%s, turn of %d: %w", l.name, i, err)
				}
				if round > 0 { // the first turn only warms the session
					samples[i] = append(samples[i], s)
				}
			}
		}
		of := func(i int, what func(sample) float64) string {
			return fmt.Sprintf("%.2f", median(ratios(samples[i], samples[1], what)))
		}
		fewer := []string{l.name, of(0, instructions)}
		for i := range floors {
			fewer = append(fewer, of(len(arms)+i, instructions))
		}
		alone = append(alone, append(fewer, of(0, cpu), of(len(arms), cpu), of(0, written), of(len(arms), written)))

		row := []string{l.name}
		for _, measure := range []struct {
			what    string
			of      func(s sample) float64
			both    bool
			goal    string
			compact bool
		}{
			{"CPU", cpu, true, l.cpu, false},
			{"instructions", func(s sample) float64 { return s.instructions / 1000 }, false, l.cpu, true},
			{"WAL", written, true, l.wal, false},
		} {
			ratio := fmt.Sprintf("%.2f", median(ratios(samples[0], samples[1], measure.of)))
			noise := spread(ratios(samples[2], samples[1], measure.of))
			row = append(row, fmt.Sprintf("%.0f", median(each(samples[0], measure.of))))
			if measure.both {
				row = append(row, fmt.Sprintf("%.0f", median(each(samples[1], measure.of))))
			}
			if measure.compact {
				row[len(row)-1] += "k"
			}
			row = append(row, ratio, noise)
			if measure.goal != "" {
				what := fmt.Sprintf("%s, %s against %s", l.name, measure.what, *commit)
				if err := lab.GoalWithFloor(what, measure.goal, ratio, of(len(arms), measure.of), noise); err != nil {
					return err
				}
			}
		}
		rows = append(rows, row)
	}
	lab.Table(rows)
	lab.Table(alone)
	return nil
}

func cpu(s sample) float64 { return s.cpu }

func instructions(s sample) float64 { return s.instructions }

func written(s sample) float64 { return s.wal }

// turn does the load once and returns the cost of a unit.
func (l load) turn(ctx context.Context, a *arm) (s sample, err error) {
	if l.before != nil {
		if err := l.before(ctx, a); err != nil {
			return s, err
		}
	}
	var used time.Duration
	var units int
	var executed int64
	wal, err := lab.WAL(ctx, a.pool, func() error {
		start, err := lab.BackendCPU(ctx, a.conn)
		if err != nil {
			return err
		}
		before, err := a.instructions()
		if err != nil {
			return err
		}
		if units, err = l.work(ctx, a); err != nil {
			return err
		}
		after, err := a.instructions()
		if err != nil {
			return err
		}
		executed = after - before
		end, err := lab.BackendCPU(ctx, a.conn)
		used = end - start
		return err
	})
	n := float64(units)
	return sample{
		cpu: float64(used.Nanoseconds()) / 1000 / n, wal: float64(wal) / n, instructions: float64(executed) / n,
	}, err
}

func (a *arm) instructions() (int64, error) {
	if a.executed == nil {
		return 0, nil
	}
	return a.executed.Read()
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

// spread returns the median of some ratios, the lowest ratio and the highest ratio.
func spread(values []float64) string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median(values), slices.Min(values), slices.Max(values))
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
