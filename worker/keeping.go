package worker

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

// runWorld makes the database calls of durable functions in a running worker. It waits while the database is away.
type runWorld struct{ *run }

var _ durable.World = runWorld{}

// keepWithin is how long the worker tries to keep a result after its handler should have ended, since the effect has already happened.
const keepWithin = 5 * time.Second

// insist repeats a call until the database has answered, for a while even after the handler's context has ended.
func (w runWorld) insist(
	ctx context.Context, claim direct.StepClaim, what string, call func(ctx context.Context) (gen.KeptAnswer, error),
) (answer gen.KeptAnswer, err error) {
	ctx, cancel := outlive(ctx, keepWithin)
	defer cancel()
	for try := 1; ; try++ {
		err = w.persist(ctx, what, func(ctx context.Context) (err error) {
			answer, err = call(ctx)
			return err
		})
		if code(err) != "TK409" || try == lockedTries { // another session keeps the step locked
			break
		}
	}
	switch {
	case err != nil:
	case answer.Answer == gen.CallAnswerStale || answer.Answer == gen.CallAnswerCancelled:
		err = w.endStep(claim, answer.Answer == gen.CallAnswerCancelled)
	case answer.Answer == gen.CallAnswerSuspended:
		w.steps.remove(claim) // nothing renews its lease
	}
	return answer, err
}

const lockedTries = 5

// outlive returns a copy of ctx that ends the duration d after ctx.
func outlive(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d, cancel) })
	return longer, func() { stop(); cancel() }
}

func (w runWorld) GetKeptResults(ctx context.Context, stepUUID uuid.UUID, after, limit int32) (page []gen.KeptDetail, err error) {
	err = w.persist(ctx, "loading what a function has kept", func(ctx context.Context) (err error) {
		page, err = w.db.GetKeptResults(ctx, stepUUID, after, limit)
		return err
	})
	return page, err
}

func (w runWorld) KeepStepResult(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
) (gen.KeptAnswer, error) {
	return w.insist(ctx, claim, "keeping a result", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.KeepStepResult(ctx, claim, call, value, failure)
	})
}

func (w runWorld) SuspendStep(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, wait json.RawMessage,
) (gen.KeptAnswer, error) {
	return w.insist(ctx, claim, "suspending a step", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.SuspendStep(ctx, claim, call, wait)
	})
}

func (w runWorld) DivergeStep(
	ctx context.Context, claim direct.StepClaim, position int32, asked string,
) (gen.KeptAnswer, error) {
	answer, err := w.insist(ctx, claim, "suspending a step", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.DivergeStep(ctx, claim, position, asked)
	})
	if err == nil && answer.Name != nil {
		w.log.Warn("a function has changed: it asks for something else than it has kept, and waits",
			w.facts.of(claim), "position", position, "asked", asked, "kept", *answer.Name)
	}
	return answer, err
}

func (w runWorld) Misfit(
	ctx context.Context, claim direct.StepClaim, position int32, name string, why error,
) (gen.KeptAnswer, error) {
	answer, err := w.insist(ctx, claim, "suspending a step", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.DivergeStep(ctx, claim, position, name)
	})
	if err == nil && answer.Answer == gen.CallAnswerSuspended {
		w.log.Warn("a function has changed: it cannot read what it has kept, and waits",
			w.facts.of(claim), "position", position, "kept", name, "error", why)
	}
	return answer, err
}

// LeaveStep leaves a step for a build that fits the result of the step above. It returns ErrSuspended, or the reason why the failure is
// recorded instead.
func (w runWorld) LeaveStep(ctx context.Context, claim direct.StepClaim, other *jsonfit.OtherBuildError) error {
	name, _, _ := strings.Cut(other.Step, "[") // the map, if the step is an element
	answer, err := w.insist(ctx, claim, "suspending a step", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.DivergeStep(ctx, claim, 0, name)
	})
	if err == nil && answer.Answer == gen.CallAnswerSuspended {
		w.log.Warn("the result of a step above does not fit this build, and the step waits for another one", w.facts.of(claim), "error", other.Err)
		err = ErrSuspended
	}
	return err
}

// SnoozeStep makes a step run again later. The reason is encrypted if the step's payloads are encrypted. It returns ErrSuspended, or the
// reason why the handler's error is recorded instead.
func (w runWorld) SnoozeStep(ctx context.Context, claim direct.StepClaim, asked *snoozeError, reason string) error {
	answer, err := w.insist(ctx, claim, "snoozing a step", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.SnoozeStep(ctx, claim, asked.after, reason)
	})
	if err == nil && answer.Answer == gen.CallAnswerSuspended {
		err = ErrSuspended
	}
	return err
}

func (w runWorld) ContinueStep(
	ctx context.Context, claim direct.StepClaim, round int32, state json.RawMessage,
) (gen.KeptAnswer, error) {
	return w.insist(ctx, claim, "continuing a function", func(ctx context.Context) (gen.KeptAnswer, error) {
		return w.db.ContinueStep(ctx, claim, round, state)
	})
}

func (w runWorld) Begin(ctx context.Context) (pgx.Tx, error) {
	if w.begin == nil {
		return nil, durable.ErrNoTransactions
	}
	return w.begin(ctx)
}

func (w runWorld) KeepIn(
	ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage,
) (gen.KeptAnswer, error) {
	var answer gen.KeptAnswer
	err := w.once(ctx, "keeping a result", func(ctx context.Context) (err error) {
		answer, err = direct.New(tx).KeepStepResult(ctx, claim, call, value, "")
		return err
	})
	if err == nil && (answer.Answer == gen.CallAnswerStale || answer.Answer == gen.CallAnswerCancelled) {
		err = w.endStep(claim, answer.Answer == gen.CallAnswerCancelled)
	}
	return answer, err
}

func (runWorld) Insists() bool { return true }

func (w runWorld) Stopping() <-chan struct{} { return w.stopping }

func (w runWorld) Now() time.Time { return time.Now().Add(time.Duration(w.offset.nanoseconds.Load())) }

func (w runWorld) Pause(ctx context.Context, d time.Duration) error {
	return pauseUntil(ctx, w.stopping, d)
}

func pause(ctx context.Context, d time.Duration) error { return pauseUntil(ctx, nil, d) }

// pauseUntil is a pause that ends when the worker stops.
func pauseUntil(ctx context.Context, stopping <-chan struct{}, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-stopping:
		return ErrStopping
	case <-timer.C:
		return nil
	}
}

// directWorld makes the database calls of durable functions outside of a running worker. Without a database it keeps nothing.
type directWorld struct{ alone }

var _ durable.World = directWorld{}

func (w directWorld) GetKeptResults(ctx context.Context, stepUUID uuid.UUID, after, limit int32) ([]gen.KeptDetail, error) {
	if w.db == nil {
		return nil, nil
	}
	return w.db.GetKeptResults(ctx, stepUUID, after, limit)
}

func (w directWorld) KeepStepResult(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
) (gen.KeptAnswer, error) {
	if w.db == nil {
		answer := gen.KeptAnswer{Answer: gen.CallAnswerKept, Value: value}
		if failure != "" {
			answer.Error = &failure
		}
		return answer, nil
	}
	return w.db.KeepStepResult(ctx, claim, call, value, failure)
}

func (w directWorld) SuspendStep(
	ctx context.Context, claim direct.StepClaim, call direct.KeptCall, wait json.RawMessage,
) (gen.KeptAnswer, error) {
	if w.db == nil {
		return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
	}
	return w.db.SuspendStep(ctx, claim, call, wait)
}

func (w directWorld) DivergeStep(
	ctx context.Context, claim direct.StepClaim, position int32, asked string,
) (gen.KeptAnswer, error) {
	if w.db == nil {
		return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
	}
	return w.db.DivergeStep(ctx, claim, position, asked)
}

func (w directWorld) Misfit(
	ctx context.Context, claim direct.StepClaim, position int32, name string, _ error,
) (gen.KeptAnswer, error) {
	return w.DivergeStep(ctx, claim, position, name)
}

func (w directWorld) ContinueStep(
	ctx context.Context, claim direct.StepClaim, round int32, state json.RawMessage,
) (gen.KeptAnswer, error) {
	if w.db == nil {
		return gen.KeptAnswer{Answer: gen.CallAnswerContinued}, nil
	}
	return w.db.ContinueStep(ctx, claim, round, state)
}

func (w directWorld) Begin(ctx context.Context) (pgx.Tx, error) {
	if w.begin == nil {
		return nil, durable.ErrNoTransactions
	}
	return w.begin(ctx)
}

func (directWorld) KeepIn(
	ctx context.Context, tx pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage,
) (gen.KeptAnswer, error) {
	return direct.New(tx).KeepStepResult(ctx, claim, call, value, "")
}

func (directWorld) Insists() bool { return false }

func (directWorld) Stopping() <-chan struct{} { return nil }

func (directWorld) Now() time.Time { return time.Now() }

func (directWorld) Pause(ctx context.Context, d time.Duration) error { return pause(ctx, d) }
