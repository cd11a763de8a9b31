package workertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type order struct {
	Amount int `json:"amount"`
}

func charge(ctx context.Context, job *worker.Job[order]) (string, error) {
	reserved, err := worker.Result[string](job, "reserve")
	if err != nil {
		return "", worker.Permanent(err)
	}
	if job.Attempt == 1 {
		return "", worker.RetryAfter(time.Hour, errBank)
	}
	return reserved + " charged", job.Checkpoint(ctx, job.Input.Amount)
}

var errBank = errors.New("the bank is closed")

func TestCall_CallsAsAWorkerWould(t *testing.T) {
	t.Parallel()
	step := workertest.Step{Context: map[string]int{"amount": 3}, Results: map[string]any{"reserve": "r1"}}
	_, err := workertest.Call(t, charge, step)
	require.ErrorIs(t, err, errBank)

	step.Attempt = 2
	said, err := workertest.Call(t, charge, step)
	require.NoError(t, err)
	require.Equal(t, "r1 charged", said)

	_, err = workertest.Call(t, charge, workertest.Step{})
	require.ErrorIs(t, err, worker.ErrNoResult)

	step.Context = map[string]string{"amount": "three"}
	_, err = workertest.Call(t, charge, step)
	require.ErrorContains(t, err, `does not fit`)

	_, err = workertest.Call(t, func(context.Context, *worker.Job[order]) (int, error) { panic("oh") }, workertest.Step{})
	require.ErrorContains(t, err, "panic: oh")
	_, err = workertest.Call(t, func(context.Context, *worker.Job[struct{}]) (chan int, error) { return nil, nil }, workertest.Step{})
	require.ErrorContains(t, err, "cannot be stored")
}

// begin returns a transaction with a task of two steps in it, and a worker for them.
func begin(t *testing.T) (pgx.Tx, *worker.Worker, uuid.UUID) {
	t.Helper()
	pool := pgtest.New(t)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) })
	e := executor.New(tx)
	_, err = e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "order", "steps": [
	  {"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"]}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"amount": 12}`),
	})
	require.NoError(t, err)

	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "reserve", func(context.Context, *worker.Job[order]) (string, error) { return "r1", nil })
	return tx, w, task.TaskUUID
}

func TestRun_DrainsATaskInATransaction(t *testing.T) {
	t.Parallel()
	tx, w, task := begin(t)
	worker.Handle(w, "charge", charge)
	report := workertest.Run(t, tx, w, task)
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, []string{"reserve", "charge", "charge"}, report.Order)
	require.Equal(t, "r1 charged", workertest.Result[string](t, report, "charge"))
	require.JSONEq(t, "12", string(report.Step(t, "charge").Checkpoint))
}

func TestRunReady_WaitsForTheClock(t *testing.T) {
	t.Parallel()
	tx, w, task := begin(t)
	clock := workertest.FreezeClock(t, tx, time.Now())
	worker.Handle(w, "charge", charge)
	require.Equal(t, state.TaskWaitingForRetry, workertest.RunReady(t, tx, w, task).State)
	clock.Advance(59 * time.Minute)
	require.Equal(t, state.TaskWaitingForRetry, workertest.RunReady(t, tx, w, task).State)
	clock.Advance(time.Minute)
	require.Equal(t, state.TaskComplete, workertest.RunReady(t, tx, w, task).State)
}

func TestRun_ReportsAFailure(t *testing.T) {
	t.Parallel()
	tx, w, task := begin(t)
	worker.Handle(w, "charge", func(context.Context, *worker.Job[order]) (string, error) {
		return "", worker.Permanent(errBank)
	})
	report := workertest.Run(t, tx, w, task)
	require.Equal(t, state.TaskBlockedByFailures, report.State)
	require.Equal(t, errBank.Error(), *report.Step(t, "charge").LastError)
}

// failing is a test that fails without ending this one.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper() {}

func (f *failing) Fatal(args ...any) {
	f.said = args[1].(error).Error()
	panic(f)
}

func TestRun_FailsTheTestIfAHandlerIsMissing(t *testing.T) {
	t.Parallel()
	tx, w, task := begin(t)
	f := &failing{TB: t}
	require.PanicsWithValue(t, f, func() { workertest.Run(f, tx, w, task) })
	require.Equal(t, `step "charge", handler "charge": no such handler`, f.said)
}
