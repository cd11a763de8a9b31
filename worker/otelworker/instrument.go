package otelworker

import (
	"context"
	"encoding/json"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
)

// scope is the name of the instrumentation.
const scope = "github.com/pgtasker/pgtasker/worker/otelworker"

// Config configures traces and metrics of a worker. Its zero value works.
type Config struct {
	// TracerProvider makes the spans. Default: the global provider.
	TracerProvider trace.TracerProvider
	// MeterProvider makes the metrics. Default: the global provider.
	MeterProvider metric.MeterProvider
	// Propagator reads the headers of tasks. Default: W3C's traceparent and tracestate.
	Propagator propagation.TextMapPropagator
	// Parent makes the span that created a task the parent of the spans of its steps, in addition to the link. Default: false.
	Parent bool
}

func (c Config) withDefaults() Config {
	if c.TracerProvider == nil {
		c.TracerProvider = otel.GetTracerProvider()
	}
	if c.MeterProvider == nil {
		c.MeterProvider = otel.GetMeterProvider()
	}
	if c.Propagator == nil {
		c.Propagator = propagation.TraceContext{}
	}
	return c
}

// Instrument traces and measures the work of w. Call it before w.Use, so that the spans include the work of other
// middleware, and before w.Run.
func Instrument(w *worker.Worker, config Config) error {
	config = config.withDefaults()
	m, err := newMeters(config.MeterProvider.Meter(scope))
	if err != nil {
		return fmt.Errorf("otelworker: %w", err)
	}
	w.Use(middleware(config, m))
	inner.Of(w).ObserveExchanges(m.exchange)
	inner.Of(w).ObserveLarge(m.largeResult)
	return nil
}

// Middleware traces and measures the handlers that it wraps, for programs that want to trace only some handlers of a worker.
func Middleware(config Config) (worker.Middleware, error) {
	config = config.withDefaults()
	m, err := newMeters(config.MeterProvider.Meter(scope))
	if err != nil {
		return nil, fmt.Errorf("otelworker: %w", err)
	}
	return middleware(config, m), nil
}

func middleware(config Config, m *meters) worker.Middleware {
	tracer := config.TracerProvider.Tracer(scope)
	return func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (raw json.RawMessage, err error) {
			a := begin(ctx, config, tracer, m, step)
			// A handler may end its goroutine: then nothing is returned, and errGoexit reports that.
			err = errGoexit
			// The transaction of a handler may still roll back after its handler has returned a result.
			defer func() {
				if err != nil || !step.WhenRecorded(a.end) {
					a.end(err)
				}
			}()
			return next(a.ctx, step)
		}
	}
}
