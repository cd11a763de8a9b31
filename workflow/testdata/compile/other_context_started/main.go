// Package main starts a task with the context of another workflow.
package main

import (
	"context"

	"github.com/pgtasker/pgtasker/workflow"
)

type (
	Order       struct{ Number int }
	Refund      struct{ Number int }
	Reservation struct{ Shelf string }
	Payment     struct{ Receipt string }
)

func reserveGoods(context.Context, *workflow.Job[Order]) (Reservation, error) {
	return Reservation{}, nil
}

func chargeCard(context.Context, *workflow.Job[Order], Reservation) (Payment, error) {
	return Payment{}, nil
}

var order = workflow.New[Order]("shop", "order", "1")

func place(ctx context.Context) {
	_, _ = order.Start(ctx, nil, Refund{}) // ERROR cannot use Refund{} (value of struct type Refund) as Order value
}

func main() {}
