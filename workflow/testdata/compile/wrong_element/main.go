// Package main runs a function over elements of another type than the list has.
package main

import (
	"context"

	"github.com/pgtasker/pgtasker/workflow"
)

type (
	Order  struct{ Number int }
	Line   struct{ SKU string }
	Parcel struct{ Label string }
)

func listLines(context.Context, *workflow.Job[Order]) ([]Line, error) { return nil, nil }

func pack(context.Context, *workflow.Job[Order], Parcel) (Parcel, error) { return Parcel{}, nil }

var (
	order   = workflow.New[Order]("shop", "order", "1")
	lines   = workflow.Root(order, "lines", listLines)
	parcels = workflow.Each(order, "pack", lines, pack) // ERROR does not match inferred type
)

func main() { _ = parcels }
