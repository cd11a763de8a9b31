// Package durable is the interface of durable functions to a database. Package worker implements it on a pool, and package
// workertest without a database.
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

// Store keeps the results of calls of functions, and suspends functions. Its answers are the answers of the functions of schema
// tasker. An error ends the whole attempt. No call of the function returns the error.
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
	// Misfit suspends a step whose function cannot read the value kept at a position under the name of its call. It is a
	// DivergeStep whose reason only the worker knows.
	Misfit(ctx context.Context, claim direct.StepClaim, position int32, name string, why error) (gen.KeptAnswer, error)
	// Begin begins the transaction of a OnceTx. The error is ErrNoTransactions if the store cannot begin
	// transactions.
	Begin(ctx context.Context) (pgx.Tx, error)
	// KeepIn keeps a result in that transaction, as KeepStepResult does.
	KeepIn(ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage) (gen.KeptAnswer, error)
	// Insists says whether a lost transaction is repeated, as the other calls of a running worker are.
	Insists() bool
	// Stopping is closed when the worker stops, and nil if nothing stops.
	Stopping() <-chan struct{}
	// Now is the time.
	Now() time.Time
	// Pause lets a short sleep pass.
	Pause(ctx context.Context, d time.Duration) error
}

// Recording is a World of recorded calls. A call without a record is not made.
type Recording interface {
	// Unrecorded returns the reason why the run ends at a call without a record.
	Unrecorded(call direct.KeptCall) error
	// Ended says whether the recorded function has ended.
	Ended() bool
	// Ancestor returns the result of an ancestor of the step that is no parent.
	Ancestor(name string) (raw json.RawMessage, found bool, err error)
}

// ErrNoTransactions says that a transaction needs a database that begins transactions.
var ErrNoTransactions = errors.New("a transaction needs a database that begins transactions")

type key struct{}

// With returns a context whose functions run in a world, instead of the world of their worker.
func With(ctx context.Context, world World) context.Context {
	return context.WithValue(ctx, key{}, world)
}

// From returns the world of a context, or nil.
func From(ctx context.Context) World {
	world, _ := ctx.Value(key{}).(World)
	return world
}
