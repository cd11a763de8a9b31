// Package typed runs the Go of docs/workflow.md, and what README.md shows of package workflow.
package typed

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workflow"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type Order struct {
	Number int `json:"number"`
}

type Reservation struct {
	Shelf string `json:"shelf"`
}

type Payment struct {
	Receipt string `json:"receipt"`
}

type cashDesk struct{}

var bank cashDesk

func (cashDesk) Charge(_ context.Context, _ uuid.UUID, order Order, shelf string) (Payment, error) {
	return Payment{Receipt: fmt.Sprint("order ", order.Number, ", ", shelf)}, nil
}

var (
	order   = workflow.New[Order]("shop", "order", "1.0.0")
	reserve = workflow.Root(order, "reserve", reserveGoods)
	charge  = workflow.After1(order, "charge", reserve, chargeCard)
)

// A wrong type, a missing or misspelt step and a cycle do not compile.
func chargeCard(ctx context.Context, job *workflow.Job[Order], r Reservation) (Payment, error) {
	return bank.Charge(ctx, job.StepUUID, job.Input, r.Shelf)
}

func reserveGoods(context.Context, *workflow.Job[Order]) (Reservation, error) {
	return Reservation{Shelf: "shelf 7"}, nil
}

func TestReadme_AWorkflowInATransactionAndAWorker(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	require.NoError(t, order.Register(ctx, pool))
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)

	task, err := order.Start(ctx, tx, Order{Number: 7}) // in your transaction

	require.NoError(t, err)
	require.NoError(t, tx.Commit(ctx))

	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}})
	order.Handle(w)

	require.NoError(t, err)
	working, done := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() {
		ctx := working

		err = w.Run(ctx)

		stopped <- err
	}()

	payment, err := charge.Wait(ctx, pool, task)

	require.NoError(t, err)
	require.Equal(t, Payment{Receipt: "order 7, shelf 7"}, payment)
	done()
	require.NoError(t, <-stopped)
}
