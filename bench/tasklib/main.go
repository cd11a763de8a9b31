// Command tasklib compares the one-table task queue with River and with this project's pgmq, on one server, in turns.
//
//	go run -C bench ./tasklib
//	go run -C bench ./tasklib -tasks 20000 -behind 0,1000000
//
// Each side inserts tasks with the same small arguments, and runs them in this process with a function that does nothing. A
// drain ends when the database has recorded the last result.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	tasks       = flag.Int("tasks", 100_000, "tasks of one drain")
	turns       = flag.Int("turns", 3, "turns of each side")
	concurrency = flag.Int("concurrency", 2000, "functions at once")
	singles     = flag.Int("singles", 2000, "submissions one by one")
	samples     = flag.Int("samples", 100, "tasks whose latency is measured, one at a time")
	behind      = flag.String("behind", "0", "finished tasks in the table")
	pending     = flag.Int("pending", 0, "pending tasks of lower priority, which stay")
	only        = flag.String("only", "", "only sides whose name contains this")
	profile     = flag.String("cpuprofile", "", "write a profile of this process to this file")
	skip        = flag.String("skip", "", "leave out: submit, latency, drain")
)

// payload is the context of a task.
const (
	to   = "someone@example.org"
	text = "Your order has been sent."
)

// side is a queue under test. All its calls use the pool that it was made with.
type side interface {
	name() string
	// reset empties the queue and puts finished and pending tasks into it.
	reset(ctx context.Context, finished, pending int) error
	submit(ctx context.Context) error
	submitMany(ctx context.Context, n int) error
	// work runs tasks until stop is called. It calls ran for each task that begins.
	work(ctx context.Context, ran func()) (stop func() error, err error)
	// left counts the tasks that are not recorded as done. It stops counting after a few tasks.
	left(ctx context.Context, pending int) (int, error)
}

func main() {
	flag.Parse()
	lab.Run(profiled)
}

func profiled(ctx context.Context, pool *pgxpool.Pool) (err error) {
	if *profile == "" {
		return run(ctx, pool)
	}
	file, err := os.Create(*profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return run(ctx, pool)
}

func run(ctx context.Context, small *pgxpool.Pool) error {
	config := small.Config()
	config.MaxConns = 20
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	if *limited {
		return runLimited(ctx, pool)
	}
	if *limits > 0 {
		return runLimits(ctx, pool)
	}
	sides, err := makeSides(ctx, pool)
	if err != nil {
		return err
	}
	for field := range strings.SplitSeq(*behind, ",") {
		finished, err := strconv.Atoi(field)
		if err != nil {
			return err
		}
		fmt.Printf("%d finished and %d pending tasks in the table, %d to do, %d functions at once\n\n", finished, *pending, *tasks, *concurrency)
		if err := compare(ctx, pool, sides, finished); err != nil {
			return err
		}
	}
	return nil
}

func makeSides(ctx context.Context, pool *pgxpool.Pool) (sides []side, err error) {
	for _, make := range []func(context.Context, *pgxpool.Pool) (side, error){newTasklib, newTasklibWithoutAudit, newRiver, newPGMQ} {
		s, err := make(ctx, pool)
		if err != nil {
			return nil, err
		}
		if strings.Contains(s.name(), *only) {
			sides = append(sides, s)
		}
	}
	return sides, nil
}

// figures are the figures of one side, turn by turn.
type figures struct {
	single, latency      []time.Duration
	bulk, drain          []float64
	bulkWAL, drainWAL    []int64
	clientCPU, serverCPU []time.Duration
	worst                time.Duration
}

func compare(ctx context.Context, pool *pgxpool.Pool, sides []side, finished int) error {
	all := map[string]*figures{}
	for range *turns {
		for _, s := range sides {
			f := all[s.name()]
			if f == nil {
				f = &figures{}
				all[s.name()] = f
			}
			if err := measure(ctx, pool, s, f, finished); err != nil {
				return fmt.Errorf("%s: %w", s.name(), err)
			}
		}
	}
	rows := [][]string{{"queue", "submit one", "bulk/s", "WAL/task", "drain/s", "WAL/task", "server CPU/task", "client CPU/task", "latency p50", "p95"}}
	for _, s := range sides {
		f := all[s.name()]
		rows = append(rows, []string{
			s.name(), show(f.single), fmt.Sprintf("%.0f", middle(f.bulk)), fmt.Sprint(middle(f.bulkWAL)),
			fmt.Sprintf("%.0f", middle(f.drain)), fmt.Sprint(middle(f.drainWAL)), show(f.serverCPU), show(f.clientCPU),
			show(f.latency), f.worst.Round(10 * time.Microsecond).String(),
		})
	}
	lab.Table(rows)
	fmt.Println()
	return nil
}

func measure(ctx context.Context, pool *pgxpool.Pool, s side, f *figures, finished int) error {
	if err := s.reset(ctx, finished, *pending); err != nil {
		return err
	}
	if !strings.Contains(*skip, "submit") {
		for range *singles {
			began := time.Now()
			if err := s.submit(ctx); err != nil {
				return err
			}
			f.single = append(f.single, time.Since(began))
		}
		if err := s.reset(ctx, finished, *pending); err != nil {
			return err
		}
	}
	if !strings.Contains(*skip, "drain") {
		if err := drain(ctx, pool, s, f); err != nil {
			return err
		}
	}
	if !strings.Contains(*skip, "latency") {
		return latency(ctx, s, f)
	}
	return nil
}

const bulkSize = 5000

func drain(ctx context.Context, pool *pgxpool.Pool, s side, f *figures) error {
	began := time.Now()
	wal, err := lab.WAL(ctx, pool, func() error {
		for n := 0; n < *tasks; n += bulkSize {
			if err := s.submitMany(ctx, min(bulkSize, *tasks-n)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.bulk = append(f.bulk, float64(*tasks)/time.Since(began).Seconds())
	f.bulkWAL = append(f.bulkWAL, wal/int64(*tasks))
	if _, err := pool.Exec(ctx, "checkpoint"); err != nil {
		return err
	}

	before, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return err
	}
	var ran atomic.Int64
	last := make(chan struct{})
	var took time.Duration
	wal, err = lab.WAL(ctx, pool, func() error {
		began := time.Now()
		stop, err := s.work(ctx, func() {
			if ran.Add(1) == int64(*tasks) {
				close(last)
			}
		})
		if err != nil {
			return err
		}
		<-last
		for {
			left, err := s.left(ctx, *pending)
			if err != nil {
				return err
			}
			if left == 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		took = time.Since(began)
		return stop()
	})
	if err != nil {
		return err
	}
	after, err := lab.ReadCPU(ctx, pool)
	if err != nil {
		return err
	}
	used := after.Sub(before)
	f.drain = append(f.drain, float64(*tasks)/took.Seconds())
	f.drainWAL = append(f.drainWAL, wal/int64(*tasks))
	f.serverCPU = append(f.serverCPU, used.Server/time.Duration(*tasks))
	f.clientCPU = append(f.clientCPU, used.Client/time.Duration(*tasks))
	return nil
}

// latency measures the time from before a submission to the beginning of its run. It submits one task at a time, and
// waits between two tasks.
func latency(ctx context.Context, s side, f *figures) error {
	if *pending > 0 {
		return nil // there is no idle worker
	}
	began := make(chan time.Time, 1)
	stop, err := s.work(ctx, func() { began <- time.Now() })
	if err != nil {
		return err
	}
	var all []time.Duration
	for n := range *samples + 5 {
		submitted := time.Now()
		if err := s.submit(ctx); err != nil {
			return err
		}
		if took := (<-began).Sub(submitted); n >= 5 { // the first calls connect and plan
			all = append(all, took)
		}
		time.Sleep(20 * time.Millisecond)
	}
	slices.Sort(all)
	f.latency = append(f.latency, all[len(all)/2])
	f.worst = max(f.worst, all[len(all)*95/100])
	return stop()
}

func middle[T float64 | int64](values []T) (zero T) {
	if len(values) == 0 {
		return zero
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func show(durations []time.Duration) string {
	if len(durations) == 0 {
		return "-"
	}
	d := lab.Median(durations)
	if d < time.Millisecond {
		return d.Round(100 * time.Nanosecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
