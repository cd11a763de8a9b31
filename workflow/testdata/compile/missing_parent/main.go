// Package main asks for a result without depending on its step.
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
	order  = workflow.New[Order]("shop", "order", "1")
	charge = workflow.Root(order, "charge", chargeCard) // ERROR chargeCard does not match inferred type func(context.Context, *workflow.Job[Order])
)

func main() {}
