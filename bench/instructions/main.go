// Command instructions counts, by valgrind, the instructions that the server process executes in calls of the engine. It
// prints the counts for the schema of this tree and for the schemas of earlier commits, and their ratio.
//
//	make bench-instructions BASE=92eacbd4
//	make bench-instructions BASE="92eacbd4 c9d10f22" ROWS="exchange of 1"
//
// Each schema is installed in a server of its own, which is then copied for each row. A single-user backend under callgrind
// runs the row's calls on the copy: calls that warm the session, a marker, the measured calls, and another marker. The count
// between the markers repeats to about half a per cent, on a busy machine as well, since it depends neither on time nor on
// other processes. The command does not show times: make bench-calls shows them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	base      = flag.String("base", "", "`commits` that this tree is compared with, separated by spaces")
	only      = flag.String("rows", "", "measure the rows whose name contains `text`")
	jobs      = flag.Int("jobs", runtime.NumCPU(), "how many backends run at the same time")
	again     = flag.Bool("again", false, "measure each schema a second time: the noise")
	functions = flag.Int("functions", 0, "print so many of the server's C functions whose cost differs most between a commit and this tree")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	names := append([]string{""}, strings.Fields(*base)...)
	if *again {
		names = append(names, names...)
	}
	chosen := chooseRows(*only)
	if len(chosen) == 0 {
		return fmt.Errorf("no row's name contains %q", *only)
	}
	work, err := newWork()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	arms := make([]*arm, len(names))
	costs := make([][]cost, len(chosen))
	for i := range costs {
		costs[i] = make([]cost, len(names))
	}
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, *jobs))
	for i, name := range names {
		group.Go(func() (err error) {
			arms[i], err = newArm(gctx, work, i, name)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	group, gctx = errgroup.WithContext(ctx)
	group.SetLimit(max(1, *jobs))
	for r, row := range chosen {
		for i, a := range arms {
			group.Go(func() (err error) {
				if costs[r][i], err = a.measure(gctx, row); err != nil {
					return fmt.Errorf("%s, %s: %w", row.name, a, err)
				}
				fmt.Fprintf(os.Stderr, "%s, %s: %.1fk\n", row.name, a, costs[r][i].unit()/1000)
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	printCosts(chosen, arms, costs)
	return nil
}

func printCosts(chosen []row, arms []*arm, costs [][]cost) {
	head := []string{"thousands of instructions"}
	for i, a := range arms {
		head = append(head, a.String())
		if i > 0 {
			head = append(head, "ratio")
		}
	}
	table := [][]string{head}
	for r, row := range chosen {
		line := []string{row.name}
		for i := range arms {
			line = append(line, fmt.Sprintf("%.1f", costs[r][i].unit()/1000))
			if i > 0 {
				line = append(line, fmt.Sprintf("%.3f", costs[r][0].unit()/costs[r][i].unit()))
			}
		}
		table = append(table, line)
	}
	lab.Table(table)
	if *functions == 0 {
		return
	}
	for r, row := range chosen {
		for i := 1; i < len(arms); i++ {
			fmt.Printf("\n%s, %s beside this tree: inclusive, thousands of instructions\n", row.name, arms[i])
			lab.Table(costs[r][0].differences(costs[r][i], *functions))
		}
	}
}
