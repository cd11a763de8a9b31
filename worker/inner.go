package worker

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/inner"
)

// innerSide is the side of a worker that other packages of the project use.
type innerSide struct{ *Worker }

func init() {
	inner.Of = func(w any) inner.Worker { return innerSide{w.(*Worker)} }
	inner.Code = func(f any) any { return HandlerOption(func(e *entry) { e.code = f }) }
}

func (w innerSide) Do(ctx context.Context, db gen.DBTX, claimed gen.ClaimedStep) (direct.StepResult, error) {
	w.mu.Lock()
	e, found := w.wrapped()[claimed.Handler]
	w.mu.Unlock()
	if !found {
		return direct.StepResult{}, fmt.Errorf("step %q, handler %q: %w", claimed.Name, claimed.Handler, errNoHandler)
	}
	source := alone{lease: w.config.Lease}
	if db != nil {
		source.db = direct.New(db)
	}
	if begins, ok := db.(interface {
		Begin(ctx context.Context) (pgx.Tx, error)
	}); ok {
		source.begin = begins.Begin
	}
	result, err := e.invoke(ctx, claimed, source)
	if asked := snooze(err); asked != nil {
		if world, ok := durable.From(ctx).(interface{ Snooze(d time.Duration) }); ok && source.db == nil {
			world.Snooze(asked.after)
			return result, ErrSuspended
		}
		if source.db == nil {
			return result, nil
		}
		answer, err := source.db.SnoozeStep(ctx, result.StepClaim, asked.after, result.Error)
		if err == nil && answer.Answer == gen.CallAnswerSuspended {
			err = ErrSuspended
		}
		return result, err
	}
	if ofAnotherBuild(err) != nil || errors.Is(err, errRecorded) { // No other build could accept it, and recording it again changes nothing.
		err = nil
	}
	return result, err
}

func (w innerSide) Source(handler string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.entries[handler]
	if e == nil {
		return ""
	}
	code := reflect.ValueOf(e.code)
	if code.Kind() != reflect.Func {
		return ""
	}
	f := runtime.FuncForPC(code.Pointer())
	if f == nil {
		return ""
	}
	file, line := f.FileLine(f.Entry())
	return fmt.Sprintf("%s:%d", file, line)
}

func (w innerSide) Handles(handler string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.entries[handler] != nil
}

func (w innerSide) HandlesTx(handler string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.entries[handler] != nil && w.entries[handler].tx
}

func (w innerSide) ObserveExchanges(observe func(ctx context.Context, call inner.ExchangeCall)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		panic("worker: ObserveExchanges after Run")
	}
	w.observers = append(w.observers, observe)
}

func (w innerSide) ObserveLarge(observe func(step gen.ClaimedStep)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		panic("worker: ObserveLarge after Run")
	}
	w.onLarge = append(w.onLarge, observe)
}

func (w innerSide) RequireNamespace(namespace string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		panic("worker: RequireNamespace after Run")
	}
	w.spaces[namespace] = true
}
