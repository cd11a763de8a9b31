package otelworker

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
)

// meters are the metrics of a worker.
type meters struct {
	steps    metric.Int64Counter
	duration metric.Float64Histogram
	running  metric.Int64UpDownCounter
	large    metric.Int64Counter

	exchangeDuration metric.Float64Histogram
	exchangeResults  metric.Int64Histogram
	exchangeClaimed  metric.Int64Histogram
}

var (
	// Handlers take milliseconds or hours.
	stepSeconds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200}
	// Exchanges take milliseconds, unless the database is in trouble.
	exchangeSeconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5, 30}
	batchSizes      = []float64{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
)

func newMeters(meter metric.Meter) (*meters, error) {
	var m meters
	errs := make([]error, 7)
	m.steps, errs[0] = meter.Int64Counter("pgtasker.worker.steps",
		metric.WithUnit("{attempt}"), metric.WithDescription("Attempts at steps that have ended, by outcome."))
	m.duration, errs[1] = meter.Float64Histogram("pgtasker.worker.step.duration",
		metric.WithUnit("s"), metric.WithDescription("How long attempts at steps took."),
		metric.WithExplicitBucketBoundaries(stepSeconds...))
	m.running, errs[2] = meter.Int64UpDownCounter("pgtasker.worker.steps.running",
		metric.WithUnit("{attempt}"), metric.WithDescription("Handlers that run now."))
	m.exchangeDuration, errs[3] = meter.Float64Histogram("pgtasker.worker.exchange.duration",
		metric.WithUnit("s"), metric.WithDescription("How long calls took that record results and claim steps."),
		metric.WithExplicitBucketBoundaries(exchangeSeconds...))
	m.exchangeResults, errs[4] = meter.Int64Histogram("pgtasker.worker.exchange.results",
		metric.WithUnit("{result}"), metric.WithDescription("Results that were recorded by one call."),
		metric.WithExplicitBucketBoundaries(batchSizes...))
	m.exchangeClaimed, errs[5] = meter.Int64Histogram("pgtasker.worker.exchange.claimed",
		metric.WithUnit("{step}"), metric.WithDescription("Steps that were claimed by one call."),
		metric.WithExplicitBucketBoundaries(batchSizes...))
	m.large, errs[6] = meter.Int64Counter("pgtasker.worker.results.large",
		metric.WithUnit("{result}"), metric.WithDescription("Results of more than half of the bytes that the setting result_bytes allows."))
	return &m, errors.Join(errs...)
}

func (m *meters) begin(a *attempt) { m.running.Add(a.ctx, 1, who(a.step)) }

func (m *meters) end(a *attempt, outcome worker.Outcome) {
	m.running.Add(a.ctx, -1, who(a.step))
	by := metric.WithAttributes(outcomeKey.String(string(outcome)))
	m.steps.Add(a.ctx, 1, who(a.step), by)
	// Record in the span's context, so that exemplars point to the attempt.
	m.duration.Record(a.ctx, time.Since(a.start).Seconds(), who(a.step), by)
}

func (m *meters) largeResult(step gen.ClaimedStep) {
	m.large.Add(context.Background(), 1, by(step.Namespace, step.Handler))
}

func who(step *worker.Step) metric.MeasurementOption { return by(step.Namespace, step.Handler) }

func by(namespace, handler string) metric.MeasurementOption {
	return metric.WithAttributes(namespaceKey.String(namespace), handlerKey.String(handler))
}

func (m *meters) exchange(ctx context.Context, call inner.ExchangeCall) {
	if call.Err != nil {
		m.exchangeDuration.Record(ctx, call.Duration.Seconds(), metric.WithAttributes(errorType(call.Err)))
		return
	}
	m.exchangeDuration.Record(ctx, call.Duration.Seconds())
	m.exchangeResults.Record(ctx, int64(call.Results))
	m.exchangeClaimed.Record(ctx, int64(call.Claimed))
}

// errorType returns an attribute that says why a call of the database failed: the SQLSTATE, or a value for a missing answer.
func errorType(err error) attribute.KeyValue {
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused):
		return semconv.ErrorTypeKey.String(refused.Code)
	case errors.Is(err, context.DeadlineExceeded):
		return semconv.ErrorTypeKey.String("timeout")
	}
	return semconv.ErrorTypeKey.String("connection")
}
