// Package main takes a result past the types.
package main

import (
	"context"

	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

type Order struct{ Number int }

var order = workflow.New[Order]("shop", "order", "1")

var charge = workflow.Root(order, "charge", func(_ context.Context, job *workflow.Job[Order]) (string, error) {
	return worker.Result[string](job, "reserve") // ERROR does not implement worker.AnyJob
})

func main() {}
