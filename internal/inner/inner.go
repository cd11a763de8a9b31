// Package inner has what other packages of the project need of a worker and users of workers do not. Package worker sets the variables.
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
	// Code returns the worker.HandlerOption that names the function that a handler calls, for messages that say where it is written: a
	// package that wraps the functions of its users passes them on.
	Code func(function any) any
)

// Worker is the inner side of a worker.
type Worker interface {
	// Do runs the handler of a step that was claimed by other means, such as executor.ClaimStep after a message
	// of a broker, and returns what is to be recorded of it. What the claim has left out it loads from db, and
	// checkpoints go there; without a db, nowhere. An error says that the worker has no handler for the step;
	// worker.ErrSuspended says that its function waits: then there is nothing to record. The result of a handler with a transaction is
	// recorded by then, on a db that begins transactions: to record it again changes nothing. worker.ErrLost says that the database
	// did not take it, and that the transaction is rolled back.
	Do(ctx context.Context, db gen.DBTX, claimed gen.ClaimedStep) (direct.StepResult, error)
	// Handles says whether the worker has a handler of this name.
	Handles(handler string) bool
	// HandlesTx says whether the worker has a handler of this name that was registered with worker.HandleTx.
	HandlesTx(handler string) bool
	// Source returns the file and line where the function of a handler begins, such as "orders.go:12" with its path; empty if the
	// worker has no such handler.
	Source(handler string) string
	// ObserveExchanges calls observe after each call that recorded results and claimed steps. The worker waits for observe, which
	// several exchanges may call at the same time.
	ObserveExchanges(observe func(ctx context.Context, call ExchangeCall))
	// RequireNamespace makes Run fail at its start if Config.Namespaces lacks a namespace: no step of it would run.
	RequireNamespace(namespace string)
}

// ExchangeCall is one call of the database that recorded results and claimed steps. A call that failed is made
// again, so that the same results may be seen twice.
type ExchangeCall struct {
	// Results that were sent, and steps that were Claimed.
	Results, Claimed int
	Duration         time.Duration
	Err              error
}
