// Package fulfilment is the workflow of an order: reserve, then charge and pack at the same time, then ship.
//
//	           ┌─▶ charge ─┐
//	reserve ───┤           ├──▶ ship
//	           └─▶ pack ───┘
//
// In this example the bank fails at the first attempt, so that the step charge is tried again.
package fulfilment

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

//go:embed order.yaml
var orderYAML []byte

// Order is the context of a task.
type Order struct {
	Number   int    `json:"number"`
	Customer string `json:"customer"`
	Cents    int    `json:"cents"`
}

// Reservation is the result of the step reserve.
type Reservation struct {
	Shelf string `json:"shelf"`
}

// Payment is the result of the step charge.
type Payment struct {
	Receipt string `json:"receipt"`
}

// Parcel is the result of the step pack.
type Parcel struct {
	Label string `json:"label"`
}

// Shipment is the result of the step ship.
type Shipment struct {
	Text string `json:"text"`
}

var errBank = errors.New("the bank does not answer")

func reserve(_ context.Context, job *worker.Job[Order]) (Reservation, error) {
	return Reservation{Shelf: fmt.Sprintf("shelf %d", job.Input.Number%10)}, nil
}

func charge(_ context.Context, job *worker.Job[Order]) (Payment, error) {
	if job.Attempt == 1 {
		return Payment{}, errBank // tried again, by the template's policy
	}
	if job.Input.Cents <= 0 {
		return Payment{}, worker.Permanent(fmt.Errorf("nothing to pay for order %d", job.Input.Number))
	}
	// The step's UUID is the same for all attempts: a bank that gets this key charges once.
	return Payment{Receipt: "R" + job.StepUUID.String()[:8]}, nil
}

func pack(_ context.Context, job *worker.Job[Order]) (Parcel, error) {
	reservation, err := worker.Result[Reservation](job, "reserve")
	if err != nil {
		return Parcel{}, err
	}
	return Parcel{Label: fmt.Sprintf("for %s, from %s", job.Input.Customer, reservation.Shelf)}, nil
}

func ship(_ context.Context, job *worker.Job[Order]) (Shipment, error) {
	payment, err := worker.Result[Payment](job, "charge")
	if err != nil {
		return Shipment{}, err
	}
	if payment.Receipt == "" {
		return Shipment{}, worker.Permanent(errors.New("not paid"))
	}
	parcel, err := worker.Result[Parcel](job, "pack")
	return Shipment{Text: "a parcel " + parcel.Label}, err
}

// Handle gives a worker the handlers of an order's steps.
func Handle(w *worker.Worker) {
	worker.Handle(w, "reserve", reserve)
	worker.Handle(w, "charge", charge)
	worker.Handle(w, "pack", pack)
	worker.Handle(w, "ship", ship)
}

// Register registers the template. A repeated call changes nothing.
func Register(ctx context.Context, db executor.DBTX) error {
	templates, err := template.Load(bytes.NewReader(orderYAML))
	if err != nil {
		return err
	}
	for _, t := range templates {
		text, err := t.JSON()
		if err != nil {
			return err
		}
		if _, err := executor.New(db).RegisterTaskTemplate(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// Place creates the task of an order. If db is the transaction that writes the order, the task exists if, and only if, the order exists. A
// repeated call for the same order finds the same task.
func Place(ctx context.Context, db executor.DBTX, order Order) (uuid.UUID, error) {
	text, err := json.Marshal(order)
	if err != nil {
		return uuid.Nil, err
	}
	task, err := executor.New(db).CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "order", Context: text})
	return task.TaskUUID, err
}

// Run registers the template, places an order, runs a worker until the order is fulfilled, and writes the events to out.
func Run(ctx context.Context, pool *pgxpool.Pool, out io.Writer) error {
	if err := Register(ctx, pool); err != nil {
		return err
	}
	task, err := Place(ctx, pool, Order{Number: 7, Customer: "Ada", Cents: 1299})
	if err != nil {
		return err
	}

	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}})
	if err != nil {
		return err
	}
	Handle(w)
	working, stop := context.WithCancel(ctx)
	defer stop()
	stopped := make(chan error, 1)
	go func() { stopped <- w.Run(working) }()

	ended, err := executor.NewClient(pool).Tasks().Wait(ctx, task)
	stop()
	if err = errors.Join(err, <-stopped); err != nil {
		return err
	}
	return tell(ctx, pool, out, task, fmt.Sprint("the order is ", ended.State))
}

// tell writes the outcome of a task's steps.
func tell(ctx context.Context, db executor.DBTX, out io.Writer, task uuid.UUID, verdict string) error {
	var last executor.StepDetail
	for step, err := range executor.NewClient(db).Tasks().Steps(ctx, task) {
		if err != nil {
			return err
		}
		last = step
		attempts := "at once"
		if step.Attempts > 1 {
			attempts = fmt.Sprintf("at attempt %d", step.Attempts)
		}
		if _, err := fmt.Fprintf(out, "%-8s %s %s\n", step.Name, step.State, attempts); err != nil {
			return err
		}
	}
	var shipment Shipment
	if err := json.Unmarshal(last.Results, &shipment); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, strings.Join([]string{verdict, shipment.Text}, ": "))
	return err
}
