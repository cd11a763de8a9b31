package typed

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Claim struct {
	Number int `json:"number"`
	Cents  int `json:"cents"`
}

type Assessment struct {
	Amount int `json:"amount"`
}

type Decision struct {
	By string `json:"by"`
}

type Limits struct {
	Max int `json:"max"`
}

func assessClaim(_ context.Context, job *workflow.Job[Claim]) (Assessment, error) {
	return Assessment{Amount: job.Input.Cents / 100}, nil
}

func approveClaim(context.Context, *workflow.Job[Claim], Assessment) (Decision, error) {
	return Decision{By: "rule"}, nil
}

func investigateClaim(context.Context, *workflow.Job[Claim], Assessment) (Decision, error) {
	return Decision{}, worker.Permanent(errors.New("nobody knows"))
}

func scoreClaim(_ context.Context, _ *workflow.Job[Claim], a Assessment, limits Limits) (int, error) {
	return a.Amount * 100 / limits.Max, nil
}

var (
	claim       = workflow.New[Claim]("insurance", "claim", workflow.FromContent, workflow.ByKey)
	assess      = workflow.Root(claim, "assess", assessClaim)
	approve     = workflow.After1(claim, "approve", assess.When("$.amount < 1000"), approveClaim)
	investigate = workflow.After1(claim, "investigate", assess.When("$.amount >= 1000"), investigateClaim)
	pay         = workflow.After2(claim, "pay", workflow.Optional(approve), workflow.Optional(investigate), payOut,
		workflow.JoinAny())
)

func payOut(_ context.Context, _ *workflow.Job[Claim], approved, found workflow.Maybe[Decision]) (string, error) {
	if approved.OK {
		return "paid by " + approved.Value.By, nil
	}
	return "paid by " + found.Value.By, nil
}

var score = workflow.After2(claim, "score", assess.And(pay), workflow.Inputs(claim, Limits{Max: 500}), scoreClaim)

func TestClaim_PaysWhatARuleApproves(t *testing.T) {
	t.Parallel()
	tx, err := pgtest.New(t).Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()

	report := workertest.RunWorkflow(t, tx, claim, Claim{Number: 7, Cents: 25_000}, workflow.StartOptions{Key: "claim 7"})
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, "paid by rule", workertest.ResultOf(t, report, pay))

	require.Equal(t, 50, workertest.ResultOf(t, report, score))

	report = workertest.RunWorkflow(t, tx, claim, Claim{Number: 8, Cents: 250_000}, workflow.StartOptions{Key: "claim 8"})
	task := report.Handle
	ctx := t.Context()

	decision, err := investigate.Result(ctx, tx, task)
	var none *executor.TaskError
	if errors.As(err, &none) {
		t.Log(none.TaskState, none.StepState, none.FailedStep, none.LastError)
	}

	require.Zero(t, decision)
	require.Equal(t, "nobody knows", none.LastError)

	maybe, err := workflow.Optional(investigate).Result(ctx, tx, task) // maybe.OK is false

	require.NoError(t, err)
	require.False(t, maybe.OK)
}

func TestPayOut_IsAFunction(t *testing.T) {
	t.Parallel()

	paid, err := payOut(t.Context(), &workflow.Job[Claim]{Input: Claim{Number: 7}},
		workflow.Maybe[Decision]{OK: true, Value: Decision{By: "rule"}}, workflow.Maybe[Decision]{})

	require.NoError(t, err)
	require.Equal(t, "paid by rule", paid)
}

func TestClaim_IsWrittenWithItsTask(t *testing.T) {
	t.Parallel()
	pool, ctx := pgtest.New(t), t.Context()
	_, err := pool.Exec(ctx, "create table claims (number integer primary key, task_uuid uuid not null)")
	require.NoError(t, err)
	require.NoError(t, claim.Register(ctx, pool))
	c, tomorrow := Claim{Number: 7}, time.Now().Add(24*time.Hour)

	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		task, err := claim.Start(ctx, tx, c, workflow.StartOptions{Key: "claim 7", TaskOptions: executor.TaskOptions{StartAt: tomorrow}})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into claims (number, task_uuid) values ($1, $2)`, c.Number, task.UUID)
		return err
	})

	require.NoError(t, err)
	again, err := claim.Start(ctx, pool, c, workflow.StartOptions{Key: "claim 7"})
	require.NoError(t, err)
	require.False(t, again.Created)
}

func TestLabels_AreMadeInALoop(t *testing.T) {
	t.Parallel()
	batch := workflow.New[Claim]("insurance", "letters", "1")

	var letters []workflow.Step[Claim, string]
	for _, language := range []string{"de", "en", "fr"} {
		letters = append(letters, workflow.Root(batch, "letter_"+language, letterIn(language)))
	}
	send := workflow.After1(batch, "send", workflow.All(letters...), sendLetters) // gets a []string

	report := workertest.RunWorkflow(t, pgtest.New(t), batch, Claim{})
	require.Equal(t, 3, workertest.ResultOf(t, report, send))
}

func letterIn(language string) func(context.Context, *workflow.Job[Claim]) (string, error) {
	return func(context.Context, *workflow.Job[Claim]) (string, error) { return language, nil }
}

func sendLetters(_ context.Context, _ *workflow.Job[Claim], letters []string) (int, error) {
	return len(letters), nil
}

func TestScore_MayBeDoneElsewhere(t *testing.T) {
	t.Parallel()
	mixed := workflow.New[Claim]("insurance", "mixed", "1")
	assessed := workflow.Root(mixed, "assess", assessClaim)

	scored := workflow.After1[Claim, Assessment, int](mixed, "score", assessed, nil, workflow.HandledBy("python.score"))

	pool := pgtest.New(t)
	require.NoError(t, mixed.Register(t.Context(), pool))
	task, err := mixed.Start(t.Context(), pool, Claim{Cents: 900})
	require.NoError(t, err)
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	mixed.Handle(does)
	worker.Handle(does, "python.score", func(context.Context, *worker.Job[Claim]) (int, error) { return 42, nil })
	workertest.Run(t, pool, does, task.UUID)
	have, err := scored.Result(t.Context(), pool, task)
	require.NoError(t, err)
	require.Equal(t, 42, have)
}

func TestOrder_TwoVersionsInOneProgram(t *testing.T) {
	t.Parallel()
	order1 := workflow.New[Order]("shop", "versions", "1.0.0")
	workflow.Root(order1, "reserve", reserveGoods)
	order2 := workflow.New[Order]("shop", "versions", "2.0.0")
	workflow.Root(order2, "reserve", reserveGoods, workflow.Retry{Attempts: 7})
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)

	order1.Handle(w) // tasks that were started before: shop.order:1.0.0.reserve, …
	order2.Handle(w)

	require.PanicsWithValue(t, `worker: handler "shop.versions:1.0.0.reserve" is already registered`, func() { order1.Handle(w) })
}
