package otelworker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const within = 30 * time.Second

type none struct{}

// lab is a database with the template shop/job, whose only step "work" has two attempts, and the telemetry of its workers.
type lab struct {
	t    testing.TB
	pool *pgxpool.Pool
	*executor.SqlFunctionExecutor
	ended  chan trace.ReadOnlySpan
	tracer *trace.TracerProvider
	reader *metric.ManualReader
	meter  *metric.MeterProvider
}

func newLab(t testing.TB, options ...pgtest.Option) *lab {
	t.Helper()
	pool := pgtest.New(t, options...)
	l := &lab{
		t: t, pool: pool, SqlFunctionExecutor: executor.New(pool), ended: make(chan trace.ReadOnlySpan, 100),
		reader: metric.NewManualReader(),
	}
	l.tracer = newTracer(l.ended)
	l.meter = metric.NewMeterProvider(metric.WithReader(l.reader))
	t.Cleanup(func() {
		require.NoError(t, l.tracer.Shutdown(context.Background()))
		require.NoError(t, l.meter.Shutdown(context.Background()))
	})
	l.register("job", `[{"name": "work", "handler": "do_work", "retry": {"max_attempts": 2, "base_seconds": 0.1}}]`)
	return l
}

// newTracer returns a provider that sends each span to ended when it ends.
func newTracer(ended chan trace.ReadOnlySpan) *trace.TracerProvider {
	return trace.NewTracerProvider(trace.WithSyncer(exporter(ended)))
}

// exporter sends each span when it ends.
type exporter chan trace.ReadOnlySpan

func (e exporter) ExportSpans(_ context.Context, spans []trace.ReadOnlySpan) error {
	for _, span := range spans {
		e <- span
	}
	return nil
}

func (e exporter) Shutdown(context.Context) error { return nil }

func (l *lab) register(name, steps string) {
	l.t.Helper()
	_, err := l.RegisterTaskTemplate(l.t.Context(), json.RawMessage(fmt.Sprintf(
		`{"namespace": "shop", "name": %q, "version": "2.0.0", "identity_strategy": "always_unique", "steps": %s}`, name, steps)))
	require.NoError(l.t, err)
}

// create creates a task within the span of ctx.
func (l *lab) create(ctx context.Context, name string) uuid.UUID {
	l.t.Helper()
	request := executor.TaskRequest{Namespace: "shop", Name: name}
	require.NoError(l.t, otelworker.Inject(ctx, &request.TaskOptions))
	task, err := l.CreateTask(ctx, request)
	require.NoError(l.t, err)
	return task.TaskUUID
}

func (l *lab) config() otelworker.Config {
	return otelworker.Config{TracerProvider: l.tracer, MeterProvider: l.meter}
}

func (l *lab) newWorker(config worker.Config, telemetry otelworker.Config) *worker.Worker {
	l.t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	w, err := worker.New(l.pool, config)
	require.NoError(l.t, err)
	require.NoError(l.t, otelworker.Instrument(w, telemetry))
	return w
}

// start runs a worker until the test ends or stop is called, which waits for the end of the worker.
func (l *lab) start(w *worker.Worker) (stop func()) {
	l.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		require.NoError(l.t, receive(l.t, done))
	}
	l.t.Cleanup(stop)
	return stop
}

// work runs a worker with this handler for the step "work".
func (l *lab) work(config worker.Config, handler worker.Handler[none, string]) (stop func()) {
	l.t.Helper()
	w := l.newWorker(config, l.config())
	worker.Handle(w, "do_work", handler)
	return l.start(w)
}

// span returns the next span that has ended.
func (l *lab) span() tracetest.SpanStub {
	l.t.Helper()
	return tracetest.SpanStubFromReadOnlySpan(receive(l.t, l.ended))
}

func attributes(span tracetest.SpanStub) map[attribute.Key]any {
	values := map[attribute.Key]any{}
	for _, a := range span.Attributes {
		values[a.Key] = a.Value.AsInterface()
	}
	return values
}

// metrics returns the values of the instruments by name and attributes: a sum, or the number of values in a histogram.
func (l *lab) metrics() map[string]float64 {
	l.t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(l.t, l.reader.Collect(l.t.Context(), &all))
	values := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			key := func(set attribute.Set) string { return m.Name + "{" + set.Encoded(attribute.DefaultEncoder()) + "}" }
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					values[key(p.Attributes)] = float64(p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					values[key(p.Attributes)] = float64(p.Count)
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					values[key(p.Attributes)] = float64(p.Sum)
				}
			default:
				require.Failf(l.t, "unknown kind of metric", "%s: %T", m.Name, data)
			}
		}
	}
	return values
}

func receive[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(within):
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}
