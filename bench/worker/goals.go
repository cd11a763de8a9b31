package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// turns are the measurements of each library, turn by turn.
type turns map[string][]float64

// measureGoals measures each figure that has a goal, in turns with the library that the goal names. The figure beside it is
// from a second, identical worker, and shows the noise of the measurement.
func measureGoals(ctx context.Context, server *lab.Server, all []peer) error {
	rows, err := openAlone(ctx, server)
	if err != nil {
		return fmt.Errorf("the rows alone: %w", err)
	}
	defer rows.close()
	peers := map[string]peer{}
	for _, p := range all {
		peers[p.name()] = p
		if err := p.prepare(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name(), err)
		}
	}
	if err := jobGoals(ctx, peers, rows); err != nil {
		return err
	}
	if err := diamondGoals(ctx, peers, rows); err != nil {
		return err
	}
	return latencyGoals(ctx, peers, rows)
}

func jobGoals(ctx context.Context, peers map[string]peer, rows *alone) error {
	rates, cpu := turns{}, turns{}
	for round := range *rounds + 1 {
		for _, name := range []string{"ours", "river", "ours again"} {
			c, err := peers[name].drainJobs(ctx, *jobs)
			if err != nil {
				return fmt.Errorf("%s, jobs: %w", name, err)
			}
			fmt.Printf("jobs, turn %d: %s %.0f a second\n", round, name, c.perSecond())
			if round > 0 { // the first turn warms up
				rates[name] = append(rates[name], c.perSecond())
				cpu[name] = append(cpu[name], float64(c.cpu.Server.Microseconds())/float64(c.n))
			}
		}
	}
	rate, used, err := rows.drained(ctx, "single", 1000, 100, 5)
	if err != nil {
		return fmt.Errorf("the rows alone: %w", err)
	}
	return report(
		lab.GoalWithFloor("single-step tasks through `worker`, drain against that of River "+lab.Version("github.com/riverqueue/river"), "0.8",
			fmt.Sprintf("%.2f (%.0f and %.0f a second; PostgreSQL's CPU %.0f and %.0f µs a job)",
				middle(rates.ratios("ours", "river")), middle(rates["ours"]), middle(rates["river"]), middle(cpu["ours"]), middle(cpu["river"])),
			fmt.Sprintf("%.2f (%s)", rate/middle(rates["river"]), rows.describe(rate, used)),
			spread(rates.ratios("ours again", "ours"))),
	)
}

func diamondGoals(ctx context.Context, peers map[string]peer, rows *alone) error {
	rates := turns{}
	for round := range *rounds + 1 {
		for _, name := range []string{"ours", "dbos-queue", "default", "earlier", "ours again"} {
			var rate float64
			var err error
			if name == "earlier" {
				rate, err = earlier(ctx)
			} else {
				n := *diamonds
				if name == "dbos-queue" {
					n /= 4
				}
				var c cost
				if c, err = peers[name].drainDiamonds(ctx, n); err == nil {
					rate = c.perSecond()
				}
			}
			if err != nil {
				return fmt.Errorf("%s, diamonds: %w", name, err)
			}
			fmt.Printf("diamonds, turn %d: %s %.0f a second\n", round, name, rate)
			if round > 0 {
				rates[name] = append(rates[name], rate)
			}
		}
	}
	rate, used, err := rows.drained(ctx, "diamond", 200, 100, 5)
	if err != nil {
		return fmt.Errorf("the rows alone: %w", err)
	}
	noise := spread(rates.ratios("ours again", "ours"))
	return report(
		lab.GoalWithFloor("diamonds through `worker`, default settings, rate against "+*commit, "1.5",
			fmt.Sprintf("%.2f (%.0f and %.0f a second)", middle(rates.ratios("default", "earlier")), middle(rates["default"]), middle(rates["earlier"])),
			fmt.Sprintf("%.2f (%s)", rate/middle(rates["earlier"]), rows.describe(rate, used)), noise),
		lab.GoalWithFloor("diamonds through `worker`, concurrency 2,000, rate against the queue of DBOS "+lab.Version("github.com/dbos-inc/dbos-transact-golang"), "5",
			fmt.Sprintf("%.2f (%.0f and %.0f a second)", middle(rates.ratios("ours", "dbos-queue")), middle(rates["ours"]), middle(rates["dbos-queue"])),
			fmt.Sprintf("%.2f", rate/middle(rates["dbos-queue"])), noise),
	)
}

// earlier drains diamonds with the worker of the commit, at its default settings and in a database of its own on the
// same server, and returns the number of diamonds per second.
func earlier(ctx context.Context) (float64, error) {
	command := exec.CommandContext(ctx, filepath.Join(*goals, "worker"),
		"-only", "ours", "-rounds", "1", "-jobs", "0", "-chains", "0", "-idle", "0", "-diamonds", strconv.Itoa(*diamonds), "-concurrency", "0")
	command.Dir = filepath.Join(*goals, "source") // the program searches its fixtures there
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "ours" {
			return strconv.ParseFloat(fields[1], 64)
		}
	}
	return 0, fmt.Errorf("no rate in %q", text)
}

func latencyGoals(ctx context.Context, peers map[string]peer, rows *alone) error {
	for _, steps := range []int{1, 5} {
		all := map[string][]time.Duration{}
		halves, server, client := turns{}, turns{}, turns{}
		for round := range *rounds {
			for _, name := range []string{"ours", "dbos-queue", "here", "dbos", "ours again"} {
				d, err := peers[name].latencies(ctx, steps, *chains)
				if err != nil {
					return fmt.Errorf("%s, latency of %d steps: %w", name, steps, err)
				}
				fmt.Printf("%d steps, turn %d: %s %s\n", steps, round, name, percentile(d.done, 50))
				all[name] = append(all[name], d.done...)
				halves[name] = append(halves[name], float64(quantile(d.done, 50)))
				server[name], client[name] = append(server[name], d.each(d.cpu.Server)), append(client[name], d.each(d.cpu.Client))
			}
		}
		what := map[int]string{1: "one job", 5: "chain of five"}[steps]
		noise := spread(halves.ratios("ours again", "ours"))
		template := map[int]string{1: "single", 5: "chain"}[steps]
		created, err := rows.latencies(ctx, template, *chains, false)
		if err != nil {
			return fmt.Errorf("the rows alone: %w", err)
		}
		started, err := rows.latencies(ctx, template, *chains, true)
		if err != nil {
			return fmt.Errorf("the rows alone: %w", err)
		}
		all["rows"], all["rows here"] = created, started
		show := func(name string) string {
			return fmt.Sprintf("%s / %s", percentile(all[name], 50), percentile(all[name], 95))
		}
		if err := report(
			lab.GoalWithFloor(what+", created to done, p50 / p95, beside DBOS' queue", show("dbos-queue"), show("ours"), show("rows"), noise),
			lab.GoalWithFloor(what+", started here, p50 against DBOS in process", "1.4",
				fmt.Sprintf("%.2f (%s and %s; PostgreSQL's CPU %.0f and %.0f µs, the clients' %.0f and %.0f µs)", middle(halves.ratios("here", "dbos")),
					show("here"), show("dbos"), middle(server["here"]), middle(server["dbos"]), middle(client["here"]), middle(client["dbos"])),
				show("rows here"), noise),
		); err != nil {
			return err
		}
	}
	return nil
}

func report(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c cost) perSecond() float64 { return float64(c.n) / c.took.Seconds() }

// ratios returns the ratios of one library's turns to another library's turns.
func (t turns) ratios(a, b string) (ratios []float64) {
	for i := range t[a] {
		ratios = append(ratios, t[a][i]/t[b][i])
	}
	return ratios
}

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func spread(values []float64) string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", middle(values), slices.Min(values), slices.Max(values))
}

func quantile(times []time.Duration, share int) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)*share/100]
}
