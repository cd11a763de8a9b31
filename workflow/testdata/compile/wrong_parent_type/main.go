// Package main is wrong: a function that takes a result of another type.
package main

import (
	"context"

	"github.com/google/uuid"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/workflow"
)

type Order struct{ Number int }
type Payment struct{ Receipt string }
type Approval struct{ OK bool }
type Other struct{ X int }

var order = workflow.New[Order]("shop", "order", "1.0.0")
var other = workflow.New[Other]("shop", "other", "1.0.0")

const approved = workflow.Signal[Approval]("approved")

var reserve = workflow.Root(order, "reserve", func(context.Context, *workflow.Job[Order]) (string, error) { return "", nil })
var foreign = workflow.Root(other, "x", func(context.Context, *workflow.Job[Other]) (string, error) { return "", nil })

func wrong(ctx context.Context, db executor.DBTX, task uuid.UUID, job *workflow.Job[Order]) {
	_ = workflow.After1(order, "c", reserve, func(context.Context, *workflow.Job[Order], int) (Payment, error) { return Payment{}, nil }) // ERROR does not match inferred type
}

func main() {}
