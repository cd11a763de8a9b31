// Package inner has functions of a worker for other packages of this project. Users of workers do not need them. Package worker
// sets the variables.
package inner

import (
	"context"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var (
	// Of returns the inner side of a *worker.Worker.
	Of func(worker any) Worker
	// Code returns the worker.HandlerOption that names the function that a handler calls, for messages that show its place in
	// the source. A package that wraps its users' functions in handlers uses this option to name the users' functions.
	Code func(function any) any
)

// Worker is the inner side of a worker.
type Worker interface {
	// Do runs the handler of a step that was claimed by other means, such as executor.ClaimStep after a message of a broker. It
	// returns the result to be recorded. From db, Do loads data that the claim has left out. To db, Do saves checkpoints.
	// Without a db, checkpoints are not saved. The error worker.ErrSuspended says that the step's function waits, so that there
	// is no result to record. worker.ErrLost says that the database did not take the result of a handler with a transaction,
	// and that the transaction is rolled back. Another error says that the worker has no handler for the step. If db begins
	// transactions, Do has already recorded the result of a handler with a transaction. Recording this result again changes
	// nothing.
	Do(ctx context.Context, db gen.DBTX, claimed gen.ClaimedStep) (direct.StepResult, error)
	// Handles says whether the worker has a handler of this name.
	Handles(handler string) bool
	// HandlesTx says whether the worker has a handler of this name that was registered with worker.HandleTx.
	HandlesTx(handler string) bool
	// Source returns the file and line where the function of a handler begins, such as "orders.go:12" with its path. It returns
	// "" if the worker has no such handler.
	Source(handler string) string
	// ObserveExchanges calls observe after each call that recorded results and claimed steps. The worker waits until observe
	// returns. Several exchanges may call observe at the same time.
	ObserveExchanges(observe func(ctx context.Context, call ExchangeCall))
	// ObserveLarge calls observe, which must not wait, for each result that worker.Stats counts as large.
	ObserveLarge(observe func(step gen.ClaimedStep))
	// RequireNamespace makes Run fail at its start if Config.Namespaces lacks this namespace, because no step of the
	// namespace would run.
	RequireNamespace(namespace string)
}

// ExchangeCall is one call of the database that recorded results and claimed steps. The worker repeats a failed call, so the
// same results may be observed twice.
type ExchangeCall struct {
	// Results is the number of sent results, and Claimed the number of claimed steps.
	Results, Claimed int
	Duration         time.Duration
	Err              error
}
