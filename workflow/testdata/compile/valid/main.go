// Package main is what the others are, right: they differ from it by what must not compile.
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
	charge  = workflow.After1(order, "charge", reserve, chargeCard)
)

func main() {}
