// Package main waits for a step in a task of another workflow.
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

var (
	order   = workflow.New[Order]("shop", "order", "1")
	reserve = workflow.Root(order, "reserve", reserveGoods)
)

func shelf(ctx context.Context, refund workflow.Task[Refund]) {
	_, _ = reserve.Result(ctx, nil, refund) // ERROR cannot use refund (variable of struct type workflow.Task[Refund]) as workflow.Task[Order] value
}

func main() {}
