package workflow_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

// contract is signed, or given up after a day.
func contract(version string) (*workflow.Workflow[claim], workflow.Signal[signed], workflow.Step[claim, string]) {
	w := workflow.New[claim]("shop", "contract", version, workflow.AlwaysNew)
	draft := workflow.Root(w, "draft", constant[claim](1))
	signature := workflow.Signal[signed]("signed")
	answer := workflow.Await(w, "sign", signature, workflow.Waiting{Timeout: 24 * time.Hour}, draft, workflow.Complete)
	filed := workflow.After1(w, "file", answer,
		func(_ context.Context, _ *workflow.Job[claim], a workflow.Answer[signed]) (string, error) {
			return a.By + " " + a.Name + " " + a.Payload.Name, nil
		})
	return w, signature, filed
}

func TestAwait_HandsTheSignalToTheStepAfterIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w, signature, filed := contract("1")
	require.NoError(t, w.Register(t.Context(), pool))
	tx := begin(t, pool)
	task, err := w.Start(t.Context(), tx, claim{7})
	require.NoError(t, err)
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(run)

	workertest.Run(t, tx, run, task.UUID)
	answer, err := signature.Send(t.Context(), tx, task.UUID, signed{"Ann"}, workflow.SendOptions{Key: "webhook 1"})
	require.NoError(t, err)
	require.Equal(t, executor.Delivered, answer)
	answer, err = signature.Send(t.Context(), tx, task.UUID, signed{"Ann"}, workflow.SendOptions{Key: "webhook 1"})
	require.NoError(t, err)
	require.Equal(t, executor.Repeated, answer)
	workertest.Run(t, tx, run, task.UUID)
	result, err := filed.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, "signal signed Ann", result)
}

func TestAwait_TimeEndsTheWaitWithoutAPayload(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w, _, filed := contract("1")
	require.NoError(t, w.Register(t.Context(), pool))
	tx := begin(t, pool)
	clock := workertest.FreezeClock(t, tx, time.Now().Truncate(time.Microsecond))
	task, err := w.Start(t.Context(), tx, claim{7})
	require.NoError(t, err)
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(run)

	require.Equal(t, []string{"sign"}, clock.Run(run, task.UUID).Waiting)
	clock.Advance(24 * time.Hour)
	clock.Run(run, task.UUID)
	result, err := filed.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, "timeout  ", result)
}

func TestPause_IsOver(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w := workflow.New[claim]("shop", "pause", "1", workflow.AlwaysNew)
	rest := workflow.Pause(w, "rest", time.Hour, nil)
	require.NoError(t, w.Register(t.Context(), pool))
	tx := begin(t, pool)
	clock := workertest.FreezeClock(t, tx, time.Now().Truncate(time.Microsecond))
	task, err := w.Start(t.Context(), tx, claim{7})
	require.NoError(t, err)
	run, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	start := clock.Now()
	clock.Run(run, task.UUID)
	require.Equal(t, time.Hour, clock.Now().Sub(start))
	answer, err := rest.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, workflow.Answer[struct{}]{By: "for"}, answer)
}

func TestAwait_RefusesASignalThatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	_, err := workflow.Signal[chan int]("no").Send(t.Context(), nil, workflow.Task[claim]{}.UUID, make(chan int))
	require.ErrorContains(t, err, `signal "no": json`)
}
