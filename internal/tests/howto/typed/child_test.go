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

type Parcel struct {
	Order int `json:"order"`
}

func TestWorkflow_StartsATaskOfAnother(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	shipping := workflow.New[Parcel]("shop", "shipping", workflow.FromContent, workflow.AlwaysNew, workflow.FailOnFailure())
	printLabel := workflow.Root(shipping, "print_label",
		func(_ context.Context, job *workflow.Job[Parcel]) (string, error) {
			return "L" + string(rune('0'+job.Input.Order)), nil
		})
	purchase := workflow.New[Claim]("shop", "purchase", workflow.FromContent, workflow.AlwaysNew)
	pick := workflow.Root(purchase, "pick",
		func(_ context.Context, job *workflow.Job[Claim]) (Parcel, error) {
			return Parcel{Order: int(job.Input.Number)}, nil
		})
	sendBill := func(_ context.Context, _ *workflow.Job[Claim], label string) (string, error) {
		return "billed " + label, nil
	}

	ship := workflow.Child(purchase, "ship", shipping, printLabel, pick) // pick returns the context
	bill := workflow.After1(purchase, "bill", ship, sendBill)            // gets what printLabel returns

	require.NoError(t, shipping.Register(ctx, pool))
	require.NoError(t, purchase.Register(ctx, pool))
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	shipping.Handle(w)
	purchase.Handle(w)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }()
	task, err := purchase.Start(ctx, tx, Claim{Number: 7, Cents: 5000})
	require.NoError(t, err)
	workertest.Run(t, tx, w, task.UUID)
	result, err := bill.Result(ctx, tx, task)
	require.NoError(t, err)
	require.Equal(t, "billed L7", result)
}
