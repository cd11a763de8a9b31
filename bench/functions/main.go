// Command functions compares the cost of a call of a durable function with the cost of a step of DBOS, in turns within one run.
// The functions make many calls that do nothing, so the cost is the cost of recording results.
//
//	go run -C bench ./functions
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

var (
	rounds    = flag.Int("rounds", 5, "turns of each library; the table shows the median turn")
	functions = flag.Int("functions", 20, "functions in a turn")
	calls     = flag.Int("calls", 100, "calls of each function")
	beside    = flag.Int("beside", 4, "functions that run at the same time")
	only      = flag.String("only", "", "ours or dbos: no turns of the other, for perf on the server")
)

type out struct {
	OK bool `json:"ok"`
}

type input struct {
	Calls int `json:"calls"`
}

// cost is the mean cost of a call in one turn.
type cost struct {
	took time.Duration
	cpu  lab.CPU
	wal  int64
}

func main() {
	flag.Parse()
	lab.RunServer(func(ctx context.Context, server *lab.Server) error {
		mine, err := server.New(ctx)
		if err != nil {
			return err
		}
		theirs, err := server.New(ctx)
		if err != nil {
			return err
		}
		return compare(ctx, map[string]*pgxpool.Pool{"ours": mine, "dbos": theirs})
	})
}

func compare(ctx context.Context, pools map[string]*pgxpool.Pool) error {
	e := executor.New(pools["ours"])
	if _, err := e.RegisterTaskTemplate(ctx, json.RawMessage(
		`{"namespace": "bench", "name": "function", "identity_strategy": "always_unique", "steps": [{"name": "call"}]}`)); err != nil {
		return err
	}
	c, err := dbos.NewContext(ctx, dbos.Config{AppName: "bench", SystemDBPool: pools["dbos"], Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer func() { _ = dbos.Shutdown(c, 10*time.Second) }()
	dbos.RegisterWorkflow(c, theirs, dbos.WithWorkflowName("bench"))
	if err := dbos.Launch(c); err != nil {
		return err
	}
	o, err := startOurs(ctx, pools["ours"])
	if err != nil {
		return err
	}
	defer func() { o.stop(); <-o.done }()
	measured := map[string][]cost{}
	for round := range *rounds + 1 { // the first turn warms up
		for name, turn := range map[string]func() error{
			"ours": func() error { return o.run(ctx) },
			"dbos": func() error { return runTheirs(c) },
		} {
			if *only != "" && *only != name {
				continue
			}
			m, err := measure(ctx, pools[name], turn)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if round > 0 {
				measured[name] = append(measured[name], m)
			}
		}
	}
	rows := [][]string{{"", "calls/s", "PostgreSQL CPU a call", "client CPU a call", "WAL a call"}}
	n := time.Duration(*functions * *calls)
	for _, name := range []string{"ours", "dbos"} {
		if len(measured[name]) == 0 {
			continue
		}
		m := median(measured[name])
		rows = append(rows, []string{
			name, fmt.Sprintf("%.0f", float64(n)/m.took.Seconds()), fmt.Sprint((m.cpu.Server / n).Round(time.Microsecond)),
			fmt.Sprint((m.cpu.Client / n).Round(time.Microsecond)), fmt.Sprintf("%d B", m.wal/int64(n)),
		})
	}
	fmt.Printf("%d functions of %d calls, %d at the same time, median of %d turns\n", *functions, *calls, *beside, *rounds)
	lab.Table(rows)
	return nil
}

// median returns the turn whose server used the median CPU time.
func median(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return int(a.cpu.Server - b.cpu.Server) })
	return costs[len(costs)/2]
}

func measure(ctx context.Context, pool *pgxpool.Pool, turn func() error) (c cost, err error) {
	before, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return c, err
	}
	start := time.Now()
	if c.wal, err = lab.WAL(ctx, pool, turn); err != nil {
		return c, err
	}
	c.took = time.Since(start)
	after, err := lab.ReadCPU(ctx, pool)
	c.cpu = after.Sub(before)
	return c, err
}

// ours is a running worker.
type ours struct {
	pool  *pgxpool.Pool
	ended chan struct{}
	stop  context.CancelFunc
	done  chan error
}

func startOurs(ctx context.Context, pool *pgxpool.Pool) (*ours, error) {
	w, err := worker.New(pool, worker.Config{Concurrency: *beside, Logger: slog.New(slog.DiscardHandler), NoMaintenance: true})
	if err != nil {
		return nil, err
	}
	o := &ours{pool: pool, ended: make(chan struct{}, *functions), done: make(chan error, 1)}
	worker.Handle(w, "call", func(ctx context.Context, job *worker.Job[input]) (result out, err error) {
		for range job.Input.Calls {
			result, err = worker.Once(ctx, job, "noop", func(context.Context, uuid.UUID) (out, error) { return out{OK: true}, nil })
			if err != nil {
				return result, err
			}
		}
		o.ended <- struct{}{}
		return result, nil
	})
	ctx, o.stop = context.WithCancel(ctx)
	go func() { o.done <- w.Run(ctx) }()
	return o, nil
}

// run runs functions, from their creation to their end.
func (o *ours) run(ctx context.Context) error {
	contexts := make([]json.RawMessage, *functions)
	for i := range contexts {
		contexts[i] = fmt.Appendf(nil, `{"calls": %d}`, *calls)
	}
	request := executor.TasksRequest{Namespace: "bench", Name: "function", Contexts: contexts}
	if _, err := executor.New(o.pool).CreateTasks(ctx, request); err != nil {
		return err
	}
	for range *functions {
		<-o.ended
	}
	return nil
}

// theirs is a workflow of n steps.
func theirs(ctx dbos.Context, n int) (result out, err error) {
	for range n {
		if result, err = dbos.RunAsStep(ctx, func(context.Context) (out, error) { return out{OK: true}, nil }); err != nil {
			return result, err
		}
	}
	return result, nil
}

func runTheirs(c dbos.Context) error {
	var group errgroup.Group
	group.SetLimit(*beside)
	for range *functions {
		group.Go(func() error {
			handle, err := dbos.RunWorkflow(c, theirs, *calls)
			if err != nil {
				return err
			}
			_, err = handle.GetResult()
			return err
		})
	}
	return group.Wait()
}
