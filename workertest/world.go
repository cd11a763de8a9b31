package workertest

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/durable"
)

// begins is a pool or a transaction.
type begins interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// world is that of functions which run on the test's database: short sleeps pass at once.
type world struct {
	*executor.SqlFunctionExecutor
	r *runner
}

func (r *runner) world() durable.World { return world{r.e, r} }

func (w world) Begin(ctx context.Context) (pgx.Tx, error) {
	db, ok := w.r.db.(begins)
	if !ok {
		return nil, durable.ErrNoTransactions
	}
	return db.Begin(ctx)
}

func (world) KeepIn(
	ctx context.Context, tx pgx.Tx, claim executor.StepClaim, call executor.KeptCall, value json.RawMessage,
) (executor.KeptAnswer, error) {
	return executor.New(tx).KeepStepResult(ctx, claim, call, value, "")
}

func (w world) Misfit(
	ctx context.Context, claim executor.StepClaim, position int32, name string, _ error,
) (executor.KeptAnswer, error) {
	return w.DivergeStep(ctx, claim, position, name)
}

func (world) Insists() bool { return false }

func (world) Stopping() <-chan struct{} { return nil }

func (w world) Now() time.Time { return w.r.now() }

func (w world) Pause(_ context.Context, d time.Duration) error {
	if w.r.pass != nil {
		w.r.pass(d)
	}
	return nil
}
