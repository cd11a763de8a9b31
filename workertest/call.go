package workertest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
)

// Step describes the step that a handler gets. The zero value is the first attempt at a step without a context, inputs and results.
type Step struct {
	// Context is the context of the task. It is encoded as JSON and decoded as the handler's In. Default: no context, so that In is zero.
	Context any
	// Inputs are the inputs of the step. Default: none.
	Inputs any
	// Results are the results of the steps on which the step depends, by their names. Default: none.
	Results map[string]any
	// Checkpoint is the value that an earlier attempt saved. Default: none.
	Checkpoint any
	// Attempt is the attempt's number. Default: 1.
	Attempt int
	// MaxAttempts is the number of the last attempt. Default: 3.
	MaxAttempts int
	// LastError is the error of the previous attempt. Default: no error.
	LastError string
	// Name of the step. Default: step.
	Name string
}

// Call calls a handler as a worker would, and returns its result. Context and result are encoded as JSON and decoded again. Call returns an
// error if the handler panics, or if the context or a result does not fit. Call panics if [worker.Handle] refuses the handler.
func Call[In, Out any](t testing.TB, handler worker.Handler[In, Out], step Step) (Out, error) {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		t.Fatal("workertest:", err)
	}
	claimed := step.claimed(t)
	var out Out
	returned := false
	worker.Handle(w, claimed.Handler, func(ctx context.Context, job *worker.Job[In]) (Out, error) {
		out, err = handler(ctx, job)
		returned = true
		return out, err
	})
	result, doErr := inner.Of(w).Do(t.Context(), nil, claimed)
	switch {
	case doErr != nil:
		return out, doErr
	case returned && err != nil:
		return out, err
	case result.Error != "":
		return out, errors.New(result.Error)
	}
	return out, nil
}

// CallTx is [Call] for a handler with a transaction, as [worker.HandleTx] gets it. The argument db is a transaction or a pool. The
// handler's writes are kept if the handler returns a result, and otherwise rolled back. If db is a transaction, the handler runs in a
// savepoint. CallTx records no step.
func CallTx[In, Out any](t testing.TB, db begins, handler worker.TxHandler[In, Out], step Step) (Out, error) {
	t.Helper()
	return Call(t, func(ctx context.Context, job *worker.Job[In]) (out Out, err error) {
		err = pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
			out, err = handler(ctx, tx, job)
			return err
		})
		return out, err
	}, step)
}

func (s Step) claimed(t testing.TB) gen.ClaimedStep {
	t.Helper()
	encode := func(what string, v any, otherwise string) json.RawMessage {
		if v == nil {
			return json.RawMessage(otherwise)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("workertest: the step's %s: %v", what, err)
		}
		return raw
	}
	task := executor.NewTaskUUID()
	stepUUID := task
	stepUUID[15] = 1
	claimed := gen.ClaimedStep{
		TaskUUID: task, StepUUID: stepUUID, StepNo: 1, ClaimNo: 1, Namespace: "test", TaskName: "test", TaskVersion: "1.0.0",
		Name: "step", Attempt: 1, MaxAttempts: 3, CorrelationID: uuid.UUID(task), Headers: json.RawMessage(`{}`),
		Context: encode("context", s.Context, ""), Inputs: encode("inputs", s.Inputs, ""),
		Checkpoint: encode("checkpoint", s.Checkpoint, ""), ParentResults: json.RawMessage(`{}`),
	}
	if s.Results != nil {
		claimed.ParentResults = encode("results", s.Results, "")
	}
	if s.Name != "" {
		claimed.Name = s.Name
	}
	claimed.Handler = claimed.Name
	if s.Attempt > 0 {
		claimed.Attempt = int32(s.Attempt)
	}
	if s.MaxAttempts > 0 {
		claimed.MaxAttempts = int32(s.MaxAttempts)
	}
	if s.LastError != "" {
		claimed.LastError = &s.LastError
	}
	return claimed
}
