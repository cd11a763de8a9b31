package typed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Refund struct {
	Amount int    `json:"amount" minimum:"1" description:"In cents."`
	Note   string `json:"note,omitempty" maxLength:"200"`
}

func TestWorkflow_ChecksItsInputByType(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	refunds := workflow.New[Refund]("shop", "refunds", "1.0.0", workflow.AlwaysNew, workflow.CheckInput())
	workflow.Root[Refund, int](refunds, "pay_back", nil, workflow.HandledBy("pay_back"))
	require.NoError(t, refunds.Register(ctx, pool))

	_, err := refunds.Start(ctx, pool, Refund{Amount: 7, Note: "late"})
	require.NoError(t, err)
	_, err = refunds.Start(ctx, pool, Refund{})
	require.ErrorIs(t, err, executor.ErrInvalid)
	require.ErrorContains(t, err, `task "shop/refunds": context.amount must not be below 1`)
	_, err = executor.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "refunds", Context: []byte(`{"note": null}`)})
	require.ErrorContains(t, err, `task "shop/refunds": context.amount is missing`)
	_, err = executor.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "shop", Name: "refunds", Context: []byte(`{"amount": 1, "note": 7}`)})
	require.ErrorContains(t, err, `context.note must be of type string, not number`)
}
