// Package main has two steps that wait for one another.
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

func pass(context.Context, *workflow.Job[Order], Payment) (Payment, error) { return Payment{}, nil }

var (
	order = workflow.New[Order]("shop", "order", "1")
	pack  = workflow.After1(order, "pack", ship, pass) // ERROR initialization cycle
	ship  = workflow.After1(order, "ship", pack, pass)
)

func main() {}
