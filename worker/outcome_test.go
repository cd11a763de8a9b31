package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
)

func TestOutcomeOf_SaysHowAnAttemptEnded(t *testing.T) {
	t.Parallel()
	failed := errors.New("no")
	permanent := fmt.Errorf("so: %w", worker.Permanent(failed))
	for _, test := range []struct {
		cause error
		err   error
		want  worker.Outcome
	}{
		{nil, nil, worker.OutcomeSuccess},
		{nil, failed, worker.OutcomeFailure},
		{nil, worker.RetryAfter(time.Second), worker.OutcomeFailure},
		{nil, permanent, worker.OutcomePermanent},
		{context.DeadlineExceeded, failed, worker.OutcomeTimeout},
		{context.DeadlineExceeded, permanent, worker.OutcomePermanent},
		{context.DeadlineExceeded, nil, worker.OutcomeSuccess},
		{worker.ErrStopping, failed, worker.OutcomeStopped},
		{worker.ErrStopping, nil, worker.OutcomeSuccess},
		{worker.ErrCancelled, failed, worker.OutcomeCancelled},
		{worker.ErrCancelled, nil, worker.OutcomeCancelled},
		{worker.ErrLost, permanent, worker.OutcomeLost},
		{worker.ErrLost, nil, worker.OutcomeLost},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if test.cause != nil {
			cancel(test.cause)
		}
		require.Equal(t, test.want, worker.OutcomeOf(ctx, test.err), "%v, %v", test.cause, test.err)
		cancel(nil)
	}
	require.True(t, worker.IsPermanent(permanent))
	require.False(t, worker.IsPermanent(failed))
	require.False(t, worker.IsPermanent(nil))
}

// refusal is an error whose methods need a value.
type refusal struct{ reason error }

func (r *refusal) Error() string { return "refused: " + r.reason.Error() }
func (r *refusal) Unwrap() error { return r.reason }

// A program that returns a nil pointer as its error has that attempt fail, not the worker's process.
func TestHandle_AnErrorThatPanicsIsAFailure(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "plain"}, {"name": "wrapped"}, {"name": "panics"}, {"name": "once"}, {"name": "middle"}]`})
	w := newWorker(t, s.pool, worker.Config{})
	var nothing *refusal
	fails := func(err error) worker.Handler[none, none] {
		return func(context.Context, *worker.Job[none]) (none, error) { return none{}, err }
	}
	worker.Handle(w, "plain", fails(nothing))
	worker.Handle(w, "wrapped", fails(worker.Permanent(fmt.Errorf("call: %w", nothing))))
	worker.Handle(w, "panics", func(context.Context, *worker.Job[none]) (none, error) { panic(nothing) })
	worker.Handle(w, "once", func(ctx context.Context, job *worker.Job[none]) (none, error) {
		return worker.Once(ctx, job, "call", func(context.Context, uuid.UUID) (none, error) { return none{}, nothing })
	})
	worker.Handle(w, "middle", fails(errors.New("no")), worker.With(func(worker.HandlerFunc) worker.HandlerFunc {
		return func(context.Context, *worker.Step) (json.RawMessage, error) { return nil, nothing }
	}))
	start(t, w)
	task := s.create("job", `{}`)
	for _, name := range []string{"plain", "wrapped", "panics", "once", "middle"} {
		var last string
		until(t, func() bool {
			step := s.step(task, name)
			if step.LastError != nil {
				last = *step.LastError
			}
			return last != ""
		}, func() string { return name + " has not failed" })
		require.Contains(t, last, "panic", name)
	}
}

func TestPanicError_HasTheValueAndTheStack(t *testing.T) {
	t.Parallel()
	w := newWorker(t, nil, worker.Config{})
	var seen error
	w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (raw json.RawMessage, err error) {
			raw, err = next(ctx, step)
			require.Equal(t, worker.OutcomePanic, worker.OutcomeOf(ctx, err))
			seen = fmt.Errorf("wrapped: %w", err)
			return raw, err
		}
	})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) { panic(42) })
	result, err := inner.Of(w).Do(t.Context(), nil, gen.ClaimedStep{Handler: "work", StepUUID: uuid.New()})
	require.NoError(t, err)
	require.Contains(t, result.Error, "panic: 42")

	var panicked *worker.PanicError
	require.ErrorAs(t, seen, &panicked)
	require.Equal(t, 42, panicked.Value)
	require.Contains(t, string(panicked.Stack), "TestPanicError_HasTheValueAndTheStack")
}

func TestObserveExchanges_TellsWhatEachCallDid(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	w := newWorker(t, s.pool, worker.Config{})
	handleAll(w, succeed)
	calls := make(chan inner.ExchangeCall, 1000)
	inner.Of(w).ObserveExchanges(func(_ context.Context, call inner.ExchangeCall) { calls <- call })
	s.createMany("order", 10)
	r := start(t, w)
	s.waitAll()
	r.stop()
	require.NoError(t, r.ended())
	close(calls)
	var all inner.ExchangeCall
	n := int64(0)
	for call := range calls {
		require.NoError(t, call.Err)
		require.Positive(t, call.Duration)
		all.Results += call.Results
		all.Claimed += call.Claimed
		n++
	}
	require.Equal(t, inner.ExchangeCall{Results: 40, Claimed: 40}, all)
	require.Equal(t, w.Stats().Exchanges, n)
	require.PanicsWithValue(t, "worker: ObserveExchanges after Run", func() { inner.Of(w).ObserveExchanges(nil) })
}

func TestObserveExchanges_TellsOfFailuresToo(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := newWorker(t, s.pool, worker.Config{Namespaces: []string{"nowhere"}})
	worker.Handle(w, "work", succeed)
	calls := make(chan inner.ExchangeCall, 1000)
	inner.Of(w).ObserveExchanges(func(_ context.Context, call inner.ExchangeCall) { calls <- call })
	start(t, w)
	require.ErrorIs(t, receive(t, calls).Err, executor.ErrNotFound)
}
