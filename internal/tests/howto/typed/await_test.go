package typed

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Approval struct {
	OK   bool   `json:"ok"`
	Note string `json:"note"`
}

const approved = workflow.Signal[Approval]("approved")

func payOrRefuse(_ context.Context, _ *workflow.Job[Claim], answer workflow.Answer[Approval]) (string, error) {
	if answer.By == "timeout" || !answer.Payload.OK {
		return "refused", nil
	}
	return "paid", nil
}

func TestWorkflow_WaitsForAPerson(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	claim := workflow.New[Claim]("insurance", "approval", workflow.FromContent, workflow.AlwaysNew)
	assess := workflow.Root(claim, "assess", assessClaim)

	decision := workflow.Await(claim, "approve", approved, workflow.Waiting{
		Timeout: 72 * time.Hour, Assignee: "finance",
	}, assess, workflow.Complete)
	pay := workflow.After1(claim, "pay", decision, payOrRefuse) // gets an Answer[Approval]

	require.NoError(t, claim.Register(ctx, pool))
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	claim.Handle(w)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }()
	task, err := claim.Start(ctx, tx, Claim{Number: 7, Cents: 5000})
	require.NoError(t, err)
	require.Equal(t, []string{"approve"}, workertest.Run(t, tx, w, task.UUID).Waiting)

	answer, err := approved.Send(ctx, tx, task.UUID, Approval{OK: true}, workflow.SendOptions{Key: "message 4711"})
	require.NoError(t, err)
	require.Equal(t, executor.Delivered, answer)
	workertest.Run(t, tx, w, task.UUID)
	paid, err := pay.Result(ctx, tx, task)
	require.NoError(t, err)
	require.Equal(t, "paid", paid)
}

type Trade struct {
	Market string `json:"market"`
	Order  int    `json:"order"`
}

type Fill struct {
	Amount int `json:"amount"`
}

const filled = workflow.Event[Fill]("filled")

func bookFill(_ context.Context, _ *workflow.Job[Trade], answer workflow.Answer[Fill]) (int, error) {
	return answer.Payload.Amount, nil
}

func TestWorkflow_WaitsForAnEvent(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	trade := workflow.New[Trade]("guide", "trade", workflow.FromContent, workflow.AlwaysNew)

	over := workflow.Await(trade, "filled", filled.AboutPath("$.order"), workflow.Waiting{
		When: "$.amount > 0", LookBack: time.Hour, Or: []template.Await{{For: template.Seconds(8 * time.Hour)}},
	}, nil)
	book := workflow.After1(trade, "book", over, bookFill) // gets an Answer[Fill]

	require.NoError(t, trade.Register(ctx, pool))
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	trade.Handle(w)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(ctx))) }()
	task, err := trade.Start(ctx, tx, Trade{Market: "XETRA", Order: 17})
	require.NoError(t, err)

	_, err = filled.About("17").Emit(ctx, tx, "guide", Fill{Amount: 7}, workflow.SendOptions{Key: "fill 4711"})
	require.NoError(t, err)
	workertest.Run(t, tx, w, task.UUID)
	amount, err := book.Result(ctx, tx, task)
	require.NoError(t, err)
	require.Equal(t, 7, amount)
}
