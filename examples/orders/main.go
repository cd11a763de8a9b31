// Command orders fulfils an order:
//
//	DATABASE_URL=postgres://… go run ./examples/orders
//
// The database must have pgtasker's migrations (tasker migrate up).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/examples/orders/fulfilment"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // A second signal ends the process at once.
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err == nil {
		defer pool.Close()
		err = fulfilment.Run(ctx, pool, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(1)
	}
}
