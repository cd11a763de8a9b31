package worker

import (
	"context"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/inner"
)

// observedLine is a line whose exchanges are observed.
type observedLine struct {
	line
	observers []func(ctx context.Context, call inner.ExchangeCall)
}

// observe returns a function that opens lines with their observers.
func (w *Worker) observe(open func(ctx context.Context) (line, error)) func(ctx context.Context) (line, error) {
	w.mu.Lock()
	observers := slices.Clone(w.observers)
	w.mu.Unlock()
	if len(observers) == 0 {
		return open
	}
	return func(ctx context.Context) (line, error) {
		start := time.Now()
		l, err := open(ctx)
		if err != nil { // an exchange without a call
			for _, observe := range observers {
				observe(ctx, inner.ExchangeCall{Duration: time.Since(start), Err: err})
			}
			return nil, err
		}
		return observedLine{l, observers}, nil
	}
}

func (o observedLine) ExchangeSteps(ctx context.Context, exchange direct.Exchange) (direct.ExchangeReply, error) {
	start := time.Now()
	reply, err := o.line.ExchangeSteps(ctx, exchange)
	call := inner.ExchangeCall{
		Results: len(exchange.Results), Claimed: len(reply.Claimed), Duration: time.Since(start), Err: err,
	}
	for _, observe := range o.observers {
		observe(ctx, call)
	}
	return reply, err
}
