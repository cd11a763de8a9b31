// Package demo has handlers for people who try pgtasker out before they write their own.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/pgtasker/pgtasker/examples/orders/fulfilment"
	"github.com/pgtasker/pgtasker/worker"
)

// Handlers are the names of the handlers.
var Handlers = []string{"reserve", "charge", "pack", "ship", "echo", "sleep", "fail"}

// Handle registers the handlers of orders with a worker, and three handlers that suit any template. Each handler takes at least
// pace, so that people can watch.
func Handle(w *worker.Worker, pace time.Duration) {
	w.Use(paced(pace))
	fulfilment.Handle(w)
	worker.Handle(w, "echo", echo)
	worker.Handle(w, "sleep", sleep)
	worker.Handle(w, "fail", fail)
}

func paced(pace time.Duration) worker.Middleware {
	return func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			if err := pause(ctx, pace); err != nil {
				return nil, err
			}
			return next(ctx, step)
		}
	}
}

// pause waits for d. If ctx ends before, it returns the cause.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// Echo is the result of echo.
type Echo struct {
	Context json.RawMessage            `json:"context"`
	Inputs  json.RawMessage            `json:"inputs,omitempty"`
	Results map[string]json.RawMessage `json:"results,omitempty"`
}

// echo returns its complete input.
func echo(_ context.Context, job *worker.Job[json.RawMessage]) (said Echo, err error) {
	said.Context = job.Input
	if err := job.Inputs(&said.Inputs); err != nil {
		return said, err
	}
	said.Results, err = worker.Results[json.RawMessage](job)
	return said, err
}

// wish has the arguments of sleep and fail, from the step's own inputs or else from the task's context.
type wish struct {
	Seconds   float64 `json:"seconds"`
	Times     int     `json:"times"`
	Permanent bool    `json:"permanent"`
	Message   string  `json:"message"`
}

// UnmarshalJSON accepts any object, because the handlers suit the context of any template.
func (w *wish) UnmarshalJSON(text []byte) error {
	type plain wish
	return json.Unmarshal(text, (*plain)(w))
}

// sleep takes the given number of seconds, or 1 second by default.
func sleep(ctx context.Context, job *worker.Job[wish]) (map[string]float64, error) {
	told := job.Input
	if err := job.Inputs(&told); err != nil {
		return nil, worker.Permanent(err)
	}
	if told.Seconds <= 0 {
		told.Seconds = 1
	}
	err := pause(ctx, time.Duration(told.Seconds*float64(time.Second)))
	return map[string]float64{"slept_seconds": told.Seconds}, err
}

// fail fails the given number of times, or always by default. If the arguments say so, it fails for good.
func fail(_ context.Context, job *worker.Job[wish]) (map[string]int, error) {
	told := job.Input
	if err := job.Inputs(&told); err != nil {
		return nil, worker.Permanent(err)
	}
	if told.Times > 0 && job.Attempt > told.Times {
		return map[string]int{"attempts": job.Attempt}, nil
	}
	if told.Message == "" {
		told.Message = "it was told to fail"
	}
	err := errors.New(told.Message)
	if told.Permanent {
		return nil, worker.Permanent(err)
	}
	return nil, err
}
