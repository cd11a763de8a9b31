// Package main waits for a step whose workflow has another context.
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
	refund = workflow.New[Refund]("shop", "refund", "1")
	check  = workflow.Root(refund, "check", func(context.Context, *workflow.Job[Refund]) (Reservation, error) {
		return Reservation{}, nil
	})
	reserve = workflow.Root(order, "reserve", reserveGoods)
	charge  = workflow.After1(order, "charge", reserve.And(check), chargeCard) // ERROR does not implement workflow.Of[Order]
)

func main() {}
