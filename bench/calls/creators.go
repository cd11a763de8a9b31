package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
	"github.com/pgtasker/pgtasker/tasklib"
)

const (
	creators    = "8 connections, one by one"
	creatorTurn = 1500 * time.Millisecond
)

// creator makes tasks, or jobs, on connections of its own.
type creator struct {
	name  string
	pool  *pgxpool.Pool
	make  func(ctx context.Context, conn *pgxpool.Conn) error
	after func(ctx context.Context) error

	rates, syncs   []float64
	server, client []float64 // processor time for one task or job, in µs
	executed       []float64 // instructions of the server processes for one task or job
	processes      map[uint32]*lab.Instructions
}

// compareCreators lets eight connections create tasks of one step, one by one. It prints the number of tasks, the fsyncs of a
// commit, and the cost of a task to the server and to its clients. It prints the same figures for River's insert, for the
// submission of tasklib, and for plain inserts of the rows of both kinds of task.
func compareCreators(ctx context.Context, server *lab.Server, arms []*arm, bare *floorArm) error {
	if *only != "" && *only != "8 connections" {
		return nil
	}
	var all []*creator
	for _, a := range arms {
		all = append(all, &creator{
			name: a.name, pool: a.pool,
			make: func(ctx context.Context, conn *pgxpool.Conn) error {
				_, err := conn.Exec(ctx, createTask, "single")
				return err
			},
			after: func(ctx context.Context) error { return drainAll(ctx, a) },
		})
	}
	for _, open := range []func(context.Context, *lab.Server) (*creator, error){openRiver, openTasklib} {
		c, err := open(ctx, server)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	submitted, err := openSubmitted(ctx, server, all[len(all)-1])
	if err != nil {
		return fmt.Errorf("the rows of tasklib alone: %w", err)
	}
	all = append(all, submitted, &creator{
		name: bare.name + " of a task", pool: bare.pool,
		make: func(ctx context.Context, conn *pgxpool.Conn) error {
			_, err := bare.floor.CreateOn(ctx, conn.Conn(), "single")
			return err
		},
		after: func(ctx context.Context) error { return drainAll(ctx, &bare.arm) },
	})
	peers, err := openPeers(ctx, server)
	if err != nil {
		return err
	}
	all = append(all, peers...)
	defer func() {
		for _, c := range all {
			c.close()
		}
	}()
	for round := range *rounds + 1 {
		for turn := range all {
			c := all[(turn+round)%len(all)]
			if err := c.turn(ctx, round > 0); err != nil {
				return fmt.Errorf("%s, %s: %w", creators, c.name, err)
			}
		}
	}
	today, before, again, rivers, submits, alone := all[0], all[1], all[2], all[3], all[4], all[6]

	rows := [][]string{{
		creators, "a second", "fsyncs per commit", "rate against " + *commit, "against River's", "server, CPU", "instructions", "clients, CPU",
	}}
	for _, c := range all {
		rows = append(rows, []string{
			c.name, fmt.Sprintf("%.0f", middle(c.rates)), fmt.Sprintf("%.2f", middle(c.syncs)), spread(paired(c.rates, before.rates)),
			fmt.Sprintf("%.2f", median(paired(c.rates, rivers.rates))), fmt.Sprintf("%.0f µs", middle(c.server)),
			fmt.Sprintf("%.0fk", middle(c.executed)/1000), fmt.Sprintf("%.0f µs", middle(c.client)),
		})
	}
	lab.Table(rows)
	rate := func(c *creator) string { return fmt.Sprintf("%.0f a second", middle(c.rates)) }
	for _, g := range []struct{ what, goal, measured, floor, noise string }{
		{
			"creation, rate against " + *commit, "2.5",
			fmt.Sprintf("%.2f (%s; River's insert %s)", median(paired(today.rates, before.rates)), rate(today), rate(rivers)),
			fmt.Sprintf("%.2f (%s)", median(paired(alone.rates, before.rates)), rate(alone)),
			spread(paired(again.rates, before.rates)),
		},
		{
			"creation, fsyncs per commit", "0.35", fmt.Sprintf("%.2f", middle(today.syncs)), fmt.Sprintf("%.2f", middle(alone.syncs)),
			fmt.Sprintf("%.2f and %.2f at %s, River %.2f", middle(before.syncs), middle(again.syncs), *commit, middle(rivers.syncs)),
		},
		{
			"tasklib's submit, rate against River's insert", "1.0", fmt.Sprintf("%.2f (%s)", median(paired(submits.rates, rivers.rates)), rate(submits)),
			fmt.Sprintf("%.2f (%s)", median(paired(submitted.rates, rivers.rates)), rate(submitted)),
			spread(paired(again.rates, before.rates)),
		},
	} {
		if err := lab.GoalWithFloor(creators+": "+g.what, g.goal, g.measured, g.floor, g.noise); err != nil {
			return err
		}
	}
	return nil
}

func middle(values []float64) float64 { return median(append([]float64{}, values...)) }

func paired(a, b []float64) (ratios []float64) {
	for i := range a {
		ratios = append(ratios, a[i]/b[i])
	}
	return ratios
}

// turn creates as many tasks or jobs as it can in a fixed time.
func (c *creator) turn(ctx context.Context, keep bool) error {
	const syncs = "select wal_sync from pg_stat_wal"
	var before, after int64
	if err := c.pool.QueryRow(ctx, syncs).Scan(&before); err != nil {
		return err
	}
	executed, err := c.instructions(ctx)
	if err != nil {
		return err
	}
	used, err := lab.ReadCPU(ctx, c.pool)
	if err != nil {
		return err
	}
	var made atomic.Int64
	start := time.Now()
	group, gctx := errgroup.WithContext(ctx)
	for range 8 {
		group.Go(func() error {
			conn, err := c.pool.Acquire(gctx)
			if err != nil {
				return err
			}
			defer conn.Release()
			for time.Since(start) < creatorTurn {
				if err := c.make(gctx, conn); err != nil {
					return err
				}
				made.Add(1)
			}
			_, err = conn.Exec(gctx, "select pg_stat_force_next_flush()")
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	took := time.Since(start)
	now, err := lab.ReadCPU(ctx, c.pool)
	if err != nil {
		return err
	}
	if err := c.pool.QueryRow(ctx, syncs).Scan(&after); err != nil {
		return err
	}
	executedNow, err := c.instructions(ctx)
	if err != nil {
		return err
	}
	if n := float64(made.Load()); keep {
		used = now.Sub(used)
		c.rates, c.syncs = append(c.rates, n/took.Seconds()), append(c.syncs, float64(after-before)/n)
		c.server, c.client = append(c.server, float64(used.Server.Microseconds())/n), append(c.client, float64(used.Client.Microseconds())/n)
		c.executed = append(c.executed, float64(executedNow-executed)/n)
	}
	return c.after(ctx)
}

// instructions returns the instructions that the server processes of the pool have executed since this function first
// saw them. The warm-up turn sees all of them. The function returns 0 if the kernel does not let us count.
func (c *creator) instructions(ctx context.Context) (executed int64, err error) {
	if c.processes == nil {
		c.processes = map[uint32]*lab.Instructions{}
	}
	for _, conn := range c.pool.AcquireAllIdle(ctx) {
		pid := conn.Conn().PgConn().PID()
		if c.processes[pid] == nil {
			if counter, err := lab.CountInstructions(conn); err == nil {
				c.processes[pid] = counter
			}
		}
		conn.Release()
	}
	for _, counter := range c.processes {
		n, err := counter.Read()
		if err != nil {
			return 0, err
		}
		executed += n
	}
	return executed, nil
}

func (c *creator) close() {
	for _, counter := range c.processes {
		_ = counter.Close()
	}
}

type noArgs struct{}

func (noArgs) Kind() string { return "no_op" }

func openRiver(ctx context.Context, server *lab.Server) (*creator, error) {
	pool, err := server.New(ctx)
	if err != nil {
		return nil, err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return nil, err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return nil, err
	}
	// Each turn inserts through the pool, as River's clients do. The pool has enough connections for all turns.
	client, err := river.NewClient[pgx.Tx](riverpgxv5.New(pool), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	return &creator{
		name: "River " + lab.Version("github.com/riverqueue/river") + ", Insert", pool: pool,
		make: func(ctx context.Context, _ *pgxpool.Conn) error {
			_, err := client.Insert(ctx, noArgs{}, nil)
			return err
		},
		after: func(ctx context.Context) error {
			_, err := pool.Exec(ctx, "truncate river_job")
			return err
		},
	}, err
}

func openTasklib(ctx context.Context, server *lab.Server) (*creator, error) {
	pool, err := server.New(ctx)
	if err != nil {
		return nil, err
	}
	client := tasklib.NewClient(pool, tasklib.Config{Logger: slog.New(slog.DiscardHandler)})
	task := tasklib.MustRegister(client, "noop", func(context.Context, noArgs) (int, error) { return 1, nil }, tasklib.Options{})
	if err := client.Sync(ctx); err != nil {
		return nil, err
	}
	return &creator{
		name: "tasklib, Submit", pool: pool,
		make: func(ctx context.Context, _ *pgxpool.Conn) error {
			_, err := task.Submit(ctx, pool, noArgs{})
			return err
		},
		after: forgetTasks(pool),
	}, nil
}

func forgetTasks(pool *pgxpool.Pool) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		_, err := pool.Exec(ctx, "truncate tasklib.tasks, tasklib.task_runs")
		return err
	}
}

// openSubmitted writes the rows of a submission by one plain insert, in a database of its own.
func openSubmitted(ctx context.Context, server *lab.Server, submits *creator) (*creator, error) {
	pool, err := server.New(ctx)
	if err != nil {
		return nil, err
	}
	row, err := floor.RecordSubmission(ctx, submits.pool, pool, func() error { return submits.make(ctx, nil) })
	return &creator{
		name: "the rows alone of a submission", pool: pool,
		make:  func(ctx context.Context, _ *pgxpool.Conn) error { return row.Write(ctx, pool) },
		after: forgetTasks(pool),
	}, err
}
