package workertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	_, err = workertest.Call(t, func(context.Context, *worker.Job[struct{}]) (float64, error) { return math.NaN(), nil }, workertest.Step{})
	require.ErrorContains(t, err, "cannot be stored")
	require.PanicsWithValue(t, `worker: handler "step" has a result that cannot be JSON: chan int`, func() {
		_, _ = workertest.Call(t, func(context.Context, *worker.Job[struct{}]) (chan int, error) { return nil, nil }, workertest.Step{})
	})
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

func TestRun_StopsForAnOperatorAndContinuesAfterwards(t *testing.T) {
	t.Parallel()
	tx, w, task := begin(t)
	report := workertest.Run(t, tx, w, task)
	require.Equal(t, state.TaskStepsInProcess, report.State)
	require.Equal(t, []string{"reserve"}, report.Order)
	require.Equal(t, []string{"charge"}, report.Waiting)
	require.Equal(t, `the task is steps_in_process; step "charge" waits, the worker has no handler "charge"`, report.String())

	did, err := executor.New(tx).CompleteStepByName(t.Context(), task, "charge", executor.StepCompletion{Results: json.RawMessage(`"by hand"`)})
	require.NoError(t, err)
	require.True(t, did)
	report = workertest.Run(t, tx, w, task)
	require.Equal(t, state.TaskComplete, report.State)
	require.Empty(t, report.Waiting)
	require.Empty(t, report.Order)
}

func TestClockRun_MovesTimeToRetriesAndTheStart(t *testing.T) {
	t.Parallel()
	tx, w, _ := begin(t)
	start := time.Now().Truncate(time.Second)
	clock := workertest.FreezeClock(t, tx, start)
	worker.Handle(w, "charge", charge)
	task, err := executor.New(tx).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"amount": 13}`),
		TaskOptions: executor.TaskOptions{StartAt: start.Add(24 * time.Hour)},
	})
	require.NoError(t, err)
	report := clock.Run(w, task.TaskUUID)
	require.Equal(t, state.TaskComplete, report.State, report)
	require.Equal(t, []string{"reserve", "charge", "charge"}, report.Order)
	require.WithinDuration(t, start.Add(25*time.Hour), clock.Now(), time.Minute, "the clock moves a day to the start and an hour to the retry")
}

func TestRun_DoesAThousandStepsInBatches(t *testing.T) {
	t.Parallel()
	const n = 1000
	tx, _, other := begin(t)
	e := executor.New(tx)
	template := `{"namespace": "shop", "name": "wide", "steps": [{"name": "list"}`
	for i := range n {
		template += fmt.Sprintf(`, {"name": "item_%d", "handler": "item", "dependencies": ["list"]}`, i)
	}
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(template+`]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "wide"})
	require.NoError(t, err)
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	nothing := func(_ context.Context, job *worker.Job[struct{}]) (string, error) { return job.Name, nil }
	worker.Handle(w, "list", nothing)
	worker.Handle(w, "item", nothing)
	worker.Handle(w, "reserve", nothing) // of another task, which stays as it is

	begun := time.Now()
	report := workertest.Run(t, tx, w, task.TaskUUID)
	t.Logf("%d steps in %s", n, time.Since(begun).Round(time.Millisecond))
	require.Equal(t, state.TaskComplete, report.State)
	require.Len(t, report.Order, n+1)
	require.Equal(t, "item_7", report.Order[8], "the steps run in their order")
	steps, err := e.ListSteps(t.Context(), other)
	require.NoError(t, err)
	require.Equal(t, state.StepEnqueued, steps[0].State)
	require.Zero(t, steps[0].Attempts)
}
