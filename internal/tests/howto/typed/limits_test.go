package typed

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Bill struct {
	Customer string `json:"customer"`
	Cents    int    `json:"cents"`
}

func TestWorkflow_NamesLimits(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	bills := workflow.New[Bill]("shop", "bills", workflow.FromContent, workflow.AlwaysNew)
	chargeBill := func(_ context.Context, job *workflow.Job[Bill]) (int, error) { return job.Input.Cents, nil }
	reportBill := func(_ context.Context, job *workflow.Job[Bill], cents int) (string, error) {
		return job.Input.Customer, nil
	}

	charge := workflow.Root(bills, "charge", chargeBill, workflow.Limit{Name: "stripe"})
	report := workflow.After1(bills, "report", charge, reportBill, workflow.Limit{Name: "tenant", Key: "$.customer"})

	require.NoError(t, bills.Register(ctx, pool))
	rows, err := pool.Query(ctx, "select name from tasker.list_limits('shop') order by name")
	require.NoError(t, err)
	var names []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{"stripe", "tenant"}, names)
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	bills.Handle(w)

	type Transfer struct {
		Account string `json:"account"`
	}
	send := func(context.Context, *workflow.Job[Transfer]) (bool, error) { return true, nil }
	transfers := workflow.New[Transfer]("shop", "transfers", workflow.FromContent, workflow.AlwaysNew)
	workflow.Root(transfers, "transfer", send, workflow.Limit{Name: "account", Key: "$.account", WholeRun: true}, workflow.Limit{Name: "bank", Units: 2})
	require.NoError(t, transfers.Register(ctx, pool))

	type Export struct {
		Customer string `json:"customer"`
		Places   int    `json:"places,omitempty"`
	}
	exportData := func(context.Context, *workflow.Job[Export]) (bool, error) { return true, nil }
	exports := workflow.New[Export]("shop", "exports", workflow.FromContent, workflow.AlwaysNew)
	workflow.Root(exports, "export", exportData, workflow.Limit{Name: "exports", Key: "$.customer", Bound: "$.places", BoundMax: 50})
	require.NoError(t, exports.Register(ctx, pool))
	_, err = exports.Start(ctx, pool, Export{Customer: "big", Places: 70})
	require.NoError(t, err)
	var bound int
	require.NoError(t, pool.QueryRow(ctx, "select input_bound from tasker.list_limit_keys('shop', 'exports')").Scan(&bound))
	require.Equal(t, 50, bound)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }()
	task, err := bills.Start(ctx, tx, Bill{Customer: "ann", Cents: 7})
	require.NoError(t, err)
	workertest.Run(t, tx, w, task.UUID)
	customer, err := report.Result(ctx, tx, task)
	require.NoError(t, err)
	require.Equal(t, "ann", customer)
}
