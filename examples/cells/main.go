// Command cells runs one program over several databases, each with a complete pgtasker:
//
//	go run ./examples/cells a=postgres://…/one b=postgres://…/two
//
// Each namespace lives in one cell. A request goes to that cell. Lists and look-ups query all cells, and name the cells that did not
// answer. One worker process works for all cells. A namespace moves without a stop: new tasks are created in the new cell, old tasks end in
// the old cell, and repeated requests find the old tasks. docs/scale.md says when several cells are worth their cost.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

const templates = `
namespace: shop
name: order
version: 1.0.0
identity_strategy: caller_provided
steps: [{name: charge}, {name: ship, dependencies: [charge]}]
`

// handle gives a worker the handlers: they do not know from which cell a step comes.
func handle(w *worker.Worker) {
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[map[string]int]) (string, error) {
		return fmt.Sprintf("receipt %d", job.Input["number"]), nil
	})
	worker.Handle(w, "ship", func(_ context.Context, job *worker.Job[map[string]int]) (string, error) {
		return worker.Result[string](job, "charge")
	})
}

// order requests the task of an order. A repeated request with the same number finds the same task.
func order(number int) executor.TaskRequest {
	text, _ := json.Marshal(map[string]int{"number": number})
	return executor.TaskRequest{Namespace: "shop", Name: "order", IdentityKey: fmt.Sprint(number), Context: text}
}

// open makes cells from arguments of the form NAME=ADDRESS.
func open(ctx context.Context, arguments []string) (*Cells, error) {
	var all []*Cell
	for _, argument := range arguments {
		name, address, found := strings.Cut(argument, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("%q is not of the form NAME=ADDRESS", argument)
		}
		pool, err := pgxpool.New(ctx, address)
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", name, err)
		}
		context.AfterFunc(ctx, pool.Close)
		all = append(all, &Cell{Name: name, Pool: pool})
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("two cells are needed: cells a=postgres://… b=postgres://…")
	}
	return NewCells(all...), nil
}

// tour fulfils orders while their namespace moves from the first cell to the second, and shows the cell of each task.
func tour(ctx context.Context, c *Cells, out io.Writer) error {
	loaded, err := template.Load(strings.NewReader(templates))
	if err != nil {
		return err
	}
	if err := c.Prepare(ctx, loaded...); err != nil {
		return err
	}
	first, second := c.all[0].Name, c.all[1].Name
	if err := c.Settle(ctx, "shop", first); err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	worked := make(chan error, 1)
	go func() { worked <- c.Work(working, 100, handle, worker.Config{}) }()
	err = orders(ctx, c, second, out)
	stop()
	if err := errors.Join(err, <-worked); err != nil {
		return err
	}

	tasks, missing, err := c.List(ctx, sqlfn.ListTasksParams{Namespace: "shop"})
	for _, task := range tasks {
		_, _ = fmt.Fprintf(out, "%s  %s  %s\n", task.Cell, task.TaskUUID, task.State)
	}
	for _, name := range missing {
		_, _ = fmt.Fprintf(out, "cell %s did not answer\n", name)
	}
	return err
}

// orders places four orders, moves the namespace in between, and waits until all orders are fulfilled. The last order repeats the first.
func orders(ctx context.Context, c *Cells, to string, out io.Writer) error {
	for i, number := range []int{1, 2, 3, 1} {
		if i == 2 {
			if err := c.Move(ctx, "shop", to); err != nil {
				return err
			}
		}
		started, err := c.Start(ctx, order(number))
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "order %d is in cell %s, new: %t\n", number, started.Cell, started.Created)
		cell, err := c.named(started.Cell)
		if err != nil {
			return err
		}
		if _, err := executor.NewClient(cell.Pool).Tasks().Wait(ctx, started.TaskUUID); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	c, err := open(ctx, os.Args[1:])
	if err == nil {
		err = tour(ctx, c, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cells:", err)
		os.Exit(1)
	}
}
