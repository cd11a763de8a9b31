package cli

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/examples/orders/fulfilment"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

func (a *app) demoCommand() *cobra.Command {
	var address, page string
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "demo",
		Short: "Fulfil two orders: for one the bank fails once, for the other an operator has to help",
		Long: `Fulfil two orders while you watch, with a worker in this process. The command migrates the database first. The
template "shop/order" and the two tasks stay. examples/orders has the handlers.

On a terminal it then serves the operators' page, prints its address, and creates orders until Ctrl+C.`,
	}, "an array of tasker.task_details: the two orders", func(ctx context.Context, _ []string) error {
		open := a.out.Terminal && !a.json
		switch page {
		case "auto":
		case "always", "never":
			open = page == "always"
		default:
			return usage(command, "--page is auto, always or never, not %q", page)
		}
		pool, err := a.connect(ctx)
		if err != nil {
			return err
		}
		if err := migrate.Up(ctx, pool); err != nil {
			return err
		}
		if err := fulfilment.Register(ctx, pool); err != nil {
			return err
		}
		w, err := worker.New(pool, worker.Config{Name: "demo", Namespaces: []string{"shop"}, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		w.Use(slowly(demoPause(a.out.Cursor && !a.json)))
		fulfilment.Handle(w)

		working, stop := context.WithCancel(ctx)
		stopped := make(chan error, 1)
		go func() { stopped <- w.Run(working) }()
		orders, err := a.demo(ctx, executor.New(pool), open)
		stop()
		if err = errors.Join(err, <-stopped); err != nil {
			return err
		}
		if err := a.show(orders, func() error { return nil }); err != nil || !open {
			return err
		}
		return a.demoPage(ctx, pool, address)
	})
	flags := command.Flags()
	flags.StringVar(&page, "page", "auto", "serve the operators' page at the end: auto (on a terminal), always or never")
	flags.StringVar(&address, "listen", "127.0.0.1:8480", "the address of the page, HOST:PORT; a free port if this port is in use")
	return command
}

// demoPause returns how long the demo's worker waits before each step, so that a person who watches the graph on a terminal
// sees each step run.
func demoPause(watched bool) time.Duration {
	if watched {
		return 300 * time.Millisecond
	}
	return 0
}

// slowly returns a middleware that waits before each step.
func slowly(pause time.Duration) worker.Middleware {
	return func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			if pause > 0 {
				timer := time.NewTimer(pause)
				defer timer.Stop()
				select {
				case <-timer.C:
				case <-ctx.Done():
				}
			}
			return next(ctx, step)
		}
	}
}

// demo fulfils two orders, describes each part before it happens, and returns the two tasks in their final states.
func (a *app) demo(ctx context.Context, e *executor.SqlFunctionExecutor, open bool) ([]executor.TaskDetail, error) {
	a.tell("An order is placed. A worker reserves the goods, charges and packs at the same time, then ships.")
	paid, err := a.fulfil(ctx, e, fulfilment.Order{Number: int(uuid.New().ID()), Customer: "Ada", Cents: 1299})
	if err != nil {
		return nil, err
	}
	a.tell("The bank did not answer at first; the step was tried again. Its story, from the log:")
	if err := a.tellHistory(ctx, e, paid.TaskUUID); err != nil {
		return nil, err
	}

	a.tell("Another order has no amount. That cannot be charged, however often it is tried: the order is blocked.")
	unpaid, err := a.fulfil(ctx, e, fulfilment.Order{Number: int(uuid.New().ID()), Customer: "Grace"})
	if err != nil {
		return nil, err
	}
	a.tell("An operator takes the money in cash and completes the step by hand. The order goes on from there.")
	steps, err := e.ListSteps(ctx, unpaid.TaskUUID)
	if err != nil {
		return nil, err
	}
	reason, actor := "paid in cash", "the operator"
	for _, step := range steps {
		if step.State != state.StepError {
			continue
		}
		if _, err := e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{
			StepUUID: step.WorkflowStepUUID, Results: json.RawMessage(`{"receipt": "cash"}`), Reason: reason, Actor: actor,
		}); err != nil {
			return nil, err
		}
	}
	if unpaid, err = a.wait(ctx, e, unpaid.TaskUUID, waiting{}); err != nil {
		return nil, err
	}

	a.tell("Who recorded which result is audited, in the transaction that recorded it:")
	if err := a.tellAudit(ctx, e, unpaid.TaskUUID); err != nil {
		return nil, err
	}
	if !open {
		a.tell(a.whatNext(unpaid.TaskUUID.String()))
	}
	return []executor.TaskDetail{paid, unpaid}, nil
}

// fulfil places an order and shows its progress until its task has ended or is blocked.
func (a *app) fulfil(ctx context.Context, e *executor.SqlFunctionExecutor, order fulfilment.Order) (executor.TaskDetail, error) {
	pool, err := a.connect(ctx)
	if err != nil {
		return executor.TaskDetail{}, err
	}
	task, err := fulfilment.Place(ctx, pool, order)
	if err != nil {
		return executor.TaskDetail{}, err
	}
	ended, err := a.wait(ctx, e, task, waiting{})
	if err != nil || a.json {
		return ended, err
	}
	steps, err := e.ListSteps(ctx, task)
	if err != nil {
		return ended, err
	}
	edges, err := e.GetStepDAGRelationships(ctx, task)
	if err != nil {
		return ended, err
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return ended, err
	}
	return ended, a.stepTable(newTaskGraph(steps, edges), now)
}

// whatNext names commands that work now. Without DATABASE_URL "make demo" drops its database, so then it tells how to keep a
// database.
func (a *app) whatNext(task string) string {
	if a.Getenv("PGTASKER_SCRATCH") != "" {
		return "This database is dropped now. To keep one and look around in it:\n" +
			"  make tasker                              # builds bin/tasker\n" +
			"  export DATABASE_URL=postgres://…         # an empty database\n" +
			"  make demo && bin/tasker task list        # then task show, task history, step explain, doctor"
	}
	return "What to try next (make tasker builds bin/tasker):\n" +
		"  tasker task show " + task + "\n  tasker task history " + task + "\n  tasker doctor"
}

// tell announces the next part, unless the output is JSON.
func (a *app) tell(text string) {
	if !a.json {
		_ = a.out.Say("\n%s\n\n", text)
	}
}

func (a *app) tellHistory(ctx context.Context, e *executor.SqlFunctionExecutor, task uuid.UUID) error {
	if a.json {
		return nil
	}
	events, err := e.GetTaskHistory(ctx, task, 1000)
	if err != nil {
		return err
	}
	table := term.NewTable("AFTER", "WHAT")
	for _, event := range events {
		color := term.Plain
		if event.Error != nil {
			color = term.Red
		}
		table.Row(term.Text(elapsed(event.OccurredAt.Sub(events[0].OccurredAt))), term.Colored(event.Description, color))
	}
	return table.Write(a.out)
}

func (a *app) tellAudit(ctx context.Context, e *executor.SqlFunctionExecutor, task uuid.UUID) error {
	if a.json {
		return nil
	}
	audits, err := e.GetTaskAuditHistory(ctx, task, 1000)
	if err != nil {
		return err
	}
	table := term.NewTable("STEP", "SUCCESS", "BY", "WHY")
	for _, audit := range audits {
		by := text(audit.WorkerName)
		if audit.Actor != nil {
			by = *audit.Actor
		}
		table.Row(
			term.Text(audit.StepName), term.Text(map[bool]string{true: "yes", false: "no"}[audit.Success]),
			term.Text(by), term.Text(join(": ", text(audit.Error), text(audit.Reason))),
		)
	}
	return table.Write(a.out)
}
