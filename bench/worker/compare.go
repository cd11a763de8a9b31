package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// cost is the cost of doing n tasks.
type cost struct {
	n          int
	took       time.Duration
	cpu        lab.CPU
	statements int64
}

// delays are the times from creation to done of tasks on an idle worker.
type delays struct {
	done       []time.Duration
	parts      map[string][]time.Duration // parts of the delays, if the library shows them
	statements int64                      // of all tasks together
	cpu        lab.CPU                    // of all tasks together
}

// measure does n tasks and measures the cost. work returns its own duration, without the preparation and the end.
func (b *bed) measure(ctx context.Context, n int, work func() (time.Duration, error)) (c cost, err error) {
	before, err := lab.ReadCPU(ctx, b.admin)
	if err != nil {
		return c, err
	}
	statements := b.count.n.Load()
	if c.took, err = work(); err != nil {
		return c, err
	}
	c.n, c.statements = n, b.count.n.Load()-statements
	after, err := lab.ReadCPU(ctx, b.admin)
	c.cpu = after.Sub(before)
	return c, err
}

// compare lets the libraries take turns and prints the figures.
func compare(ctx context.Context, peers []peer) error {
	for _, p := range peers {
		if err := p.prepare(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name(), err)
		}
	}
	stop, err := startProfile()
	if err != nil {
		return err
	}
	if err := compareDrains(ctx, peers, "jobs", *jobs, func(p peer, n int) (cost, error) {
		if strings.HasPrefix(p.name(), "dbos") {
			n /= 10
		}
		return p.drainJobs(ctx, n)
	}); err != nil {
		return err
	}
	if err := compareDrains(ctx, peers, "diamonds", *diamonds, func(p peer, n int) (cost, error) {
		if strings.HasPrefix(p.name(), "dbos") {
			n /= 4
		}
		return p.drainDiamonds(ctx, n)
	}); err != nil {
		return err
	}
	stop()
	for _, steps := range []int{1, 5} {
		if err := compareLatencies(ctx, peers, steps); err != nil {
			return err
		}
	}
	return compareIdle(ctx, peers)
}

func startProfile() (stop func(), err error) {
	if *profile == "" {
		return func() {}, nil
	}
	file, err := os.Create(*profile)
	if err != nil {
		return nil, err
	}
	return pprof.StopCPUProfile, pprof.StartCPUProfile(file)
}

func compareDrains(ctx context.Context, peers []peer, what string, n int, drain func(p peer, n int) (cost, error)) error {
	if n == 0 {
		return nil
	}
	costs := make([][]cost, len(peers))
	for range *rounds {
		for i, p := range peers {
			c, err := drain(p, n)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name(), what, err)
			}
			if c.n > 0 {
				costs[i] = append(costs[i], c)
			}
		}
	}
	rows := [][]string{{what, "a second", "of all turns", "CPU of PostgreSQL each", "CPU of the worker each", "statements for 1000"}}
	for i, p := range peers {
		if len(costs[i]) == 0 {
			rows = append(rows, []string{p.name(), "-", "-", "-", "-", "-"})
			continue
		}
		slices.SortFunc(costs[i], func(a, b cost) int { return int(a.took - b.took) })
		c := costs[i][len(costs[i])/2]
		slowest, fastest := costs[i][len(costs[i])-1], costs[i][0]
		each := func(d time.Duration) string { return fmt.Sprintf("%.0f µs", float64(d.Microseconds())/float64(c.n)) }
		rows = append(rows, []string{
			p.name(), c.rate(), slowest.rate() + " … " + fastest.rate(), each(c.cpu.Server), each(c.cpu.Client),
			fmt.Sprintf("%.1f", 1000*float64(c.statements)/float64(c.n)),
		})
	}
	lab.Table(rows)
	fmt.Println()
	return nil
}

func (c cost) rate() string { return fmt.Sprintf("%.0f", c.perSecond()) }

func compareLatencies(ctx context.Context, peers []peer, steps int) error {
	if *chains == 0 {
		return nil
	}
	all := make([]delays, len(peers))
	for range *rounds {
		for i, p := range peers {
			d, err := p.latencies(ctx, steps, *chains)
			if err != nil {
				return fmt.Errorf("%s, latency of %d steps: %w", p.name(), steps, err)
			}
			all[i].done = append(all[i].done, d.done...)
			all[i].statements += d.statements
			all[i].cpu.Server, all[i].cpu.Client = all[i].cpu.Server+d.cpu.Server, all[i].cpu.Client+d.cpu.Client
			if all[i].parts == nil {
				all[i].parts = map[string][]time.Duration{}
			}
			for part, times := range d.parts {
				all[i].parts[part] = append(all[i].parts[part], times...)
			}
		}
	}
	what := map[int]string{1: "one step", 5: "chain of five"}[steps]
	rows := [][]string{{what + ", created to done", "p50", "p95", "p99", "CPU of PostgreSQL each", "CPU of the worker each", "statements each", "until, p50"}}
	for i, p := range peers {
		d := all[i]
		parts := ""
		for _, part := range []string{"created", "begun", "worked"} {
			if len(d.parts[part]) > 0 {
				parts += fmt.Sprintf("%s %s  ", part, percentile(d.parts[part], 50))
			}
		}
		rows = append(rows, []string{
			p.name(), percentile(d.done, 50), percentile(d.done, 95), percentile(d.done, 99),
			fmt.Sprintf("%.0f µs", d.each(d.cpu.Server)), fmt.Sprintf("%.0f µs", d.each(d.cpu.Client)),
			fmt.Sprintf("%.2f", float64(d.statements)/float64(len(d.done))), parts,
		})
	}
	lab.Table(rows)
	fmt.Println()
	return nil
}

// each returns the microseconds of one task.
func (d delays) each(all time.Duration) float64 {
	return float64(all.Microseconds()) / float64(len(d.done))
}

func percentile(times []time.Duration, share int) string {
	slices.Sort(times)
	return times[(len(times)-1)*share/100].Round(100 * time.Microsecond).String()
}

// settle is the time without work after which a worker counts as idle.
const settle = 2 * time.Second

func compareIdle(ctx context.Context, peers []peer) error {
	if *idle == 0 {
		return nil
	}
	rows := [][]string{{"idle", "CPU of the worker", "CPU of PostgreSQL", "statements a second"}}
	for _, p := range peers {
		err := p.idle(ctx, func() error {
			time.Sleep(settle)
			c, err := p.measure(ctx, 1, func() (time.Duration, error) { time.Sleep(*idle); return *idle, nil })
			if err != nil {
				return err
			}
			share := func(d time.Duration) string { return fmt.Sprintf("%.2f %% of a core", 100*d.Seconds()/idle.Seconds()) }
			rows = append(rows, []string{
				p.name(), share(c.cpu.Client), share(c.cpu.Server), fmt.Sprintf("%.2f", float64(c.statements)/idle.Seconds()),
			})
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s, idle: %w", p.name(), err)
		}
	}
	lab.Table(rows)
	return nil
}

const (
	// warmUp is the number of tasks before the measured tasks, since connections and plans are cold at first.
	warmUp = 20
	// pause is the time between two tasks in which a worker has nothing to do.
	pause = 40 * time.Millisecond
)

// eachAlone does n tasks one after the other, each on an idle worker, and measures them.
func (b *bed) eachAlone(n int, into *delays, do func() error) error {
	var before int64
	var used lab.CPU
	for i := range n + warmUp {
		time.Sleep(pause)
		if i == warmUp {
			var err error
			if used, err = lab.ReadCPU(context.Background(), b.admin); err != nil {
				return err
			}
			before = b.count.n.Load()
			into.parts = map[string][]time.Duration{}
		}
		start := time.Now()
		if err := do(); err != nil {
			return err
		}
		if i >= warmUp {
			into.done = append(into.done, time.Since(start))
		}
	}
	time.Sleep(pause) // the work that the last task causes belongs to it
	into.statements = b.count.n.Load() - before
	after, err := lab.ReadCPU(context.Background(), b.admin)
	into.cpu = after.Sub(used)
	return err
}
