// Package durable is the interface of durable functions to a database: package worker has it from a pool, and package workertest
// without a database.
package durable

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// Store keeps the results of functions and suspends them. Its answers are the answers of the functions of schema tasker. An error
// ends the attempt, never a call of the function.
type Store interface {
	GetKeptResults(ctx context.Context, stepUUID uuid.UUID, after, limit int32) ([]gen.KeptDetail, error)
	KeepStepResult(
		ctx context.Context, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
	) (gen.KeptAnswer, error)
	SuspendStep(ctx context.Context, claim direct.StepClaim, call direct.KeptCall, wait json.RawMessage) (gen.KeptAnswer, error)
	DivergeStep(ctx context.Context, claim direct.StepClaim, position int32, asked string) (gen.KeptAnswer, error)
	ContinueStep(ctx context.Context, claim direct.StepClaim, round int32, state json.RawMessage) (gen.KeptAnswer, error)
}

// World is a Store with a time of its own, which tests move.
type World interface {
	Store
	// Misfit suspends a step whose function cannot read the value that it has kept at a position, under the name that it asks
	// for: a DivergeStep whose reason only the worker knows.
	Misfit(ctx context.Context, claim direct.StepClaim, position int32, name string, why error) (gen.KeptAnswer, error)
	// Begin begins the transaction of a OnceTx. The error is ErrNoTransactions if there is nothing to begin one on.
	Begin(ctx context.Context) (pgx.Tx, error)
	// KeepIn keeps a result in that transaction, as KeepStepResult does.
	KeepIn(ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage) (gen.KeptAnswer, error)
	// Insists says whether a transaction that was lost is made again, as the other calls of a running worker are.
	Insists() bool
	// Stopping is closed when the worker stops, and nil if nothing stops.
	Stopping() <-chan struct{}
	// Now is the time.
	Now() time.Time
	// Pause lets a short sleep pass.
	Pause(ctx context.Context, d time.Duration) error
}

// Recording is a World of recorded calls: a call of which nothing is recorded is not made.
type Recording interface {
	// Unrecorded returns why the run ends at a call of which nothing is recorded.
	Unrecorded(call direct.KeptCall) error
	// Ended says whether the recorded function has ended.
	Ended() bool
	// Ancestor returns the result of a step above that is no parent.
	Ancestor(name string) (raw json.RawMessage, found bool, err error)
}

// ErrNoTransactions says that a transaction needs a database that begins transactions.
var ErrNoTransactions = errors.New("a transaction needs a database that begins transactions")

type key struct{}

// With returns a context whose functions run in a world, instead of that of their worker.
func With(ctx context.Context, world World) context.Context {
	return context.WithValue(ctx, key{}, world)
}

// From returns the world of a context, or nil.
func From(ctx context.Context) World {
	world, _ := ctx.Value(key{}).(World)
	return world
}
