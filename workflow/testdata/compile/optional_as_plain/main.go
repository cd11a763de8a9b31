// Package main takes the result of a step that may have none as if it always had one.
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
	charge  = workflow.After1(order, "charge", workflow.Optional(reserve), chargeCard) // ERROR chargeCard does not match inferred type func(context.Context, *workflow.Job[Order], workflow.Maybe[Reservation])
)

func main() {}
