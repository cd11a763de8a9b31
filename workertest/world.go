package workertest

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/template"
)

// begins is implemented by a pool and by a transaction.
type begins interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// world serves the calls of durable functions that run on the test's database.
type world struct {
	*direct.Executor
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
	ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage,
) (gen.KeptAnswer, error) {
	return direct.New(tx).KeepStepResult(ctx, claim, call, value, "")
}

func (w world) Misfit(
	ctx context.Context, claim direct.StepClaim, position int32, name string, _ error,
) (gen.KeptAnswer, error) {
	return w.DivergeStep(ctx, claim, position, name)
}

// SuspendStep suspends the step. In a run that skips waits, a sleep passes at once.
func (w world) SuspendStep(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, wait json.RawMessage,
) (gen.KeptAnswer, error) {
	if w.r.skips {
		var times struct {
			Await []template.Await `json:"await"`
			Tasks []template.Task  `json:"tasks"`
		}
		if err := json.Unmarshal(wait, &times); err != nil {
			return gen.KeptAnswer{}, err
		}
		if times.Tasks == nil && !slices.ContainsFunc(times.Await, func(a template.Await) bool { return a.Signal != "" || a.Event != "" }) {
			wait = json.RawMessage(`{"await": [{"for": 0}]}`)
		}
	}
	return w.Executor.SuspendStep(ctx, claim, call, wait)
}

func (world) Insists() bool { return false }

func (world) Stopping() <-chan struct{} { return nil }

func (w world) Now() time.Time { return w.r.now() }

// Pause lets the pause between two tries of a call pass.
func (w world) Pause(_ context.Context, d time.Duration) error {
	if w.r.pass != nil {
		w.r.pass(d)
	}
	return nil
}
