// Package main is wrong: namespace and schedule as two strings.
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
	_, _ = executor.NewClient(nil).Schedules().Pause(ctx, "nightly", "shop", "ada") // ERROR too many arguments in call to executor.NewClient(nil).Schedules().Pause
}

func main() {}
