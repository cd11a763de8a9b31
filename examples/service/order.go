package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

// newOrder is the workflow of an order: each line is reserved by a step of its own, the sum is charged once, and a person
// has three days to approve it. Otherwise it is refunded.
func newOrder(b bank) *workflow.Workflow[Order] {
	order := workflow.New[Order]("shop", "order", "2.0.0", workflow.ByKey)
	lines := workflow.Root(order, "lines", listLines)
	places := workflow.Each(order, "reserve", lines, reserve, workflow.MaxParallel(8))
	paid := workflow.After1(order, "charge", places, b.charge, workflow.Attempts(4), workflow.Backoff(time.Second))
	answer := workflow.Await(order, "approve", approved, workflow.Waiting{
		Timeout: 72 * time.Hour, OnTimeout: workflow.Complete, Assignee: "sales",
	}, paid)
	workflow.After3(order, "ship", places, paid, answer.When("$.payload.approved == true"), ship)
	workflow.After2(order, "refund", paid, answer.When("!($.payload.approved == true)"), b.refund)
	return order
}

// approved is the signal that the step "approve" waits for.
const approved = workflow.Signal[Approval]("approved")

func listLines(_ context.Context, job *workflow.Job[Order]) ([]Line, error) {
	return job.Input.Lines, nil
}

func reserve(_ context.Context, _ *workflow.Job[Order], line Line) (Place, error) {
	return Place{Shelf: fmt.Sprintf("%.1s", line.Article), Cents: line.Cents}, nil
}

func (b bank) charge(ctx context.Context, job *workflow.Job[Order], places []Place) (paid Payment, err error) {
	for _, place := range places {
		paid.Cents += place.Cents
	}
	paid.Receipt, err = b.Charge(ctx, paid.Cents, job.StepUUID.String()) // the same key at each attempt
	if errors.Is(err, errNoSuchCard) {
		err = worker.Permanent(err)
	}
	return paid, err
}

func ship(_ context.Context, job *workflow.Job[Order], places []Place, paid Payment, _ workflow.Answer[Approval]) (string, error) {
	var shelves []string
	for _, place := range places {
		shelves = append(shelves, place.Shelf)
	}
	return fmt.Sprintf("from %s to %s, paid by %s", strings.Join(shelves, ", "), job.Input.Customer, paid.Receipt), nil
}

func (b bank) refund(ctx context.Context, _ *workflow.Job[Order], paid Payment, _ workflow.Answer[Approval]) (string, error) {
	return paid.Receipt, b.Refund(ctx, paid.Receipt)
}
