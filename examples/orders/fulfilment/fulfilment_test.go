package fulfilment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/examples/orders/fulfilment"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestRun_FulfilsAnOrder(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var said strings.Builder
	require.NoError(t, fulfilment.Run(t.Context(), pool, &said))
	require.Equal(t, `reserve  complete at once
charge   complete at attempt 2
pack     complete at once
ship     complete at once
the order is complete: a parcel for Ada, from shelf 7
`, said.String())
}

// How a project would test its workflow: in a transaction, without a running worker.
func TestOrder_WithNothingToPayIsBlocked(t *testing.T) {
	t.Parallel()
	tx, err := pgtest.New(t).Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
	require.NoError(t, fulfilment.Register(t.Context(), tx))
	task, err := fulfilment.Place(t.Context(), tx, fulfilment.Order{Number: 8, Customer: "Bob"})
	require.NoError(t, err)

	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	fulfilment.Handle(w)
	report := workertest.Run(t, tx, w, task)
	require.Equal(t, state.TaskBlockedByFailures, report.State)
	require.Equal(t, "nothing to pay for order 8", *report.Step(t, "charge").LastError)
	require.Equal(t, "for Bob, from shelf 8", workertest.Result[fulfilment.Parcel](t, report, "pack").Label)
	require.Equal(t, state.StepPending, report.Step(t, "ship").State)
}
