// Package durable is the interface of durable functions to a database. Package worker implements the interface on a pool, and
// package workertest implements it without a database.
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
// tasker. An error of a Store ends the whole attempt, and is not returned to the function.
type Store interface {
	GetKeptResults(ctx context.Context, stepUUID uuid.UUID, after, limit int32) ([]gen.KeptDetail, error)
	KeepStepResult(
		ctx context.Context, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
	) (gen.KeptAnswer, error)
	SuspendStep(ctx context.Context, claim direct.StepClaim, call direct.KeptCall, wait json.RawMessage) (gen.KeptAnswer, error)
	DivergeStep(ctx context.Context, claim direct.StepClaim, position int32, asked string) (gen.KeptAnswer, error)
	ContinueStep(ctx context.Context, claim direct.StepClaim, round int32, state json.RawMessage) (gen.KeptAnswer, error)
}

// World is a Store with a clock of its own, which tests set.
type World interface {
	Store
	// Misfit suspends a step whose function cannot decode the kept result of a call. It works as DivergeStep, except that only
	// the worker knows the reason.
	Misfit(ctx context.Context, claim direct.StepClaim, position int32, name string, why error) (gen.KeptAnswer, error)
	// Begin begins the transaction of a call of OnceTx. The error is ErrNoTransactions if the store cannot begin transactions.
	Begin(ctx context.Context) (pgx.Tx, error)
	// KeepIn keeps a result in that transaction, as KeepStepResult does.
	KeepIn(ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage) (gen.KeptAnswer, error)
	// Insists says whether a lost transaction is repeated, as a running worker repeats its other calls.
	Insists() bool
	// Stopping returns a channel that is closed when the worker stops, or nil if there is no worker that stops.
	Stopping() <-chan struct{}
	// Now returns the time of the world's clock.
	Now() time.Time
	// Pause waits for d, until a short sleep is over.
	Pause(ctx context.Context, d time.Duration) error
}

// Recording is a World that answers calls from a record. It does not make a call that is not recorded.
type Recording interface {
	// Unrecorded returns the reason why the run ends at a call without a record.
	Unrecorded(call direct.KeptCall) error
	// Ended says whether the recorded function has ended.
	Ended() bool
	// Ancestor returns the result of an ancestor of the step that is not one of its parents.
	Ancestor(name string) (raw json.RawMessage, found bool, err error)
}

// ErrNoTransactions says that a transaction needs a database that begins transactions.
var ErrNoTransactions = errors.New("a transaction needs a database that begins transactions")

type key struct{}

// With returns a context. Functions that run under the context use this world instead of the world of their worker.
func With(ctx context.Context, world World) context.Context {
	return context.WithValue(ctx, key{}, world)
}

// From returns the world of a context, or nil.
func From(ctx context.Context) World {
	world, _ := ctx.Value(key{}).(World)
	return world
}
