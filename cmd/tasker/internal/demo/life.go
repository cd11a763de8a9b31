package demo

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/examples/orders/fulfilment"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

//go:embed life.yaml
var lifeYAML []byte

// Namespaces are the namespaces of the demo's tasks.
var Namespaces = []string{"shop", "finance"}

// RegisterLife registers the templates of the demo's tasks, and a schedule. A repeated call does no harm.
func RegisterLife(ctx context.Context, e *executor.SqlFunctionExecutor) error {
	templates, err := template.Load(bytes.NewReader(lifeYAML))
	if err != nil {
		return err
	}
	for _, t := range templates {
		text, err := t.JSON()
		if err != nil {
			return err
		}
		if _, err := e.RegisterTaskTemplate(ctx, text); err != nil {
			return err
		}
	}
	cron := "* * * * *"
	_, err = e.SetSchedule(ctx, sqlfn.SetScheduleParams{
		Namespace: "finance", Schedule: "every-minute", TaskName: "report", Cron: cron, Timezone: "UTC", Context: json.RawMessage(`{"kind": "sales"}`),
		CatchUp: "one", CatchUpLimit: 1, Overlap: "skip",
	})
	return err
}

// HandleLife registers the handlers of the demo's tasks with a worker. Each handler takes about pace, so that people can watch.
func HandleLife(w *worker.Worker, pace time.Duration) {
	w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			if err := pause(ctx, pace/4+rand.N(pace*2+1)); err != nil {
				return nil, err
			}
			return next(ctx, step)
		}
	})
	fulfilment.Handle(w)
	for _, name := range []string{"collect", "sum", "publish", "refund", "notify"} {
		worker.Handle(w, name, work)
	}
	worker.Handle(w, "convert", func(context.Context, *worker.Job[json.RawMessage]) (map[string]string, error) {
		if rand.N(3) == 0 {
			return nil, errors.New("the rates of the central bank are not published yet")
		}
		return map[string]string{"rates": time.Now().UTC().Format(time.DateOnly)}, nil
	})
}

func work(_ context.Context, job *worker.Job[json.RawMessage]) (map[string]any, error) {
	return map[string]any{"step": job.Name, "lines": rand.N(900) + 100}, nil
}

// Live creates a task about every pace until ctx ends: orders, some of which cannot be paid, and refunds that wait for a
// person.
func Live(ctx context.Context, db executor.DBTX, pace time.Duration) error {
	e := executor.New(db)
	customers := []string{"Ada", "Grace", "Edsger", "Barbara", "Donald", "Frances"}
	for n := 0; ; n++ {
		customer := customers[n%len(customers)]
		order := fulfilment.Order{Number: int(uuid.New().ID()), Customer: customer, Cents: 500 + rand.N(20000)}
		if n%9 == 4 {
			order.Cents = 0
		}
		if _, err := fulfilment.Place(ctx, db, order); err != nil {
			return ended(ctx, err)
		}
		if n%6 == 1 {
			text := fmt.Sprintf(`{"customer": %q, "cents": %d}`, customer, 1000+rand.N(50000))
			if _, err := e.CreateTask(ctx, executor.TaskRequest{
				Namespace: "finance", Name: "refund", Context: json.RawMessage(text), TaskOptions: executor.TaskOptions{Tags: []string{"refund"}, Initiator: customer},
			}); err != nil {
				return ended(ctx, err)
			}
		}
		if pause(ctx, pace/2+rand.N(pace+1)) != nil {
			return nil
		}
	}
}

// ended returns nil if the error is only that ctx has ended.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
