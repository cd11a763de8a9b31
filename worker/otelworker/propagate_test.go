package otelworker_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

func succeed(context.Context, *worker.Job[none]) (string, error) { return "", nil }

func TestInject_AStepIsATraceOfItsOwnWithALinkToItsCause(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.work(worker.Config{}, succeed)
	ctx, request := l.tracer.Tracer("test").Start(t.Context(), "POST /orders")
	l.create(ctx, "job")
	request.End()
	require.Equal(t, "POST /orders", l.span().Name)

	step := l.span()
	require.False(t, step.Parent.IsValid())
	require.NotEqual(t, request.SpanContext().TraceID(), step.SpanContext.TraceID())
	require.Len(t, step.Links, 1)
	require.Equal(t, request.SpanContext().TraceID(), step.Links[0].SpanContext.TraceID())
	require.Equal(t, request.SpanContext().SpanID(), step.Links[0].SpanContext.SpanID())
	require.True(t, step.Links[0].SpanContext.IsRemote())
}

func TestInject_WithParentAStepIsAChildOfItsCause(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	config := l.config()
	config.Parent = true
	config.Propagator = propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	w := l.newWorker(worker.Config{}, config)
	carried := make(chan string, 1)
	worker.Handle(w, "do_work", func(ctx context.Context, _ *worker.Job[none]) (string, error) {
		carried <- baggage.FromContext(ctx).Member("customer").Value()
		return "", nil
	})
	l.start(w)

	member, err := baggage.NewMember("customer", "ada")
	require.NoError(t, err)
	bag, err := baggage.New(member)
	require.NoError(t, err)
	state, err := trace.ParseTraceState("vendor=1")
	require.NoError(t, err)
	cause := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{7}, SpanID: trace.SpanID{9}, TraceFlags: trace.FlagsSampled, TraceState: state,
	})
	options := executor.TaskOptions{Headers: json.RawMessage(`{"tenant": "north"}`)}
	ctx := baggage.ContextWithBaggage(trace.ContextWithSpanContext(t.Context(), cause), bag)
	require.NoError(t, otelworker.InjectWith(ctx, config.Propagator, &options))
	require.JSONEq(t, `{"tenant": "north", "baggage": "customer=ada", "tracestate": "vendor=1",
		"traceparent": "00-07000000000000000000000000000000-0900000000000000-01"}`, string(options.Headers))
	_, err = l.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "job", TaskOptions: options})
	require.NoError(t, err)

	step := l.span()
	require.Equal(t, cause.TraceID(), step.SpanContext.TraceID())
	require.Equal(t, cause.SpanID(), step.Parent.SpanID())
	require.Equal(t, "vendor=1", step.SpanContext.TraceState().String())
	require.Len(t, step.Links, 1, "the span also has the link")
	require.Equal(t, "ada", receive(t, carried))
}

func TestInject_WithoutASpanNothingChanges(t *testing.T) {
	t.Parallel()
	options := executor.TaskOptions{Headers: json.RawMessage(`{"tenant": "north"}`)}
	require.NoError(t, otelworker.Inject(t.Context(), &options))
	require.Equal(t, `{"tenant": "north"}`, string(options.Headers))
}

func TestInject_RefusesHeadersThatAreNoObject(t *testing.T) {
	t.Parallel()
	ctx := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1},
	}))
	for _, headers := range []string{`[]`, `null`, `{`} {
		options := executor.TaskOptions{Headers: json.RawMessage(headers)}
		require.ErrorContains(t, otelworker.Inject(ctx, &options), "are not a JSON object")
		require.Equal(t, headers, string(options.Headers))
	}
}

// If a task has no trace parent or a malformed one, its span is a child of the span in which the middleware is called.
func TestMiddleware_IsAroundTheSpanThatItIsCalledIn(t *testing.T) {
	t.Parallel()
	for _, headers := range []string{`{}`, `{"traceparent": 7}`, `{"traceparent": "nonsense"}`, `[`} {
		for _, parent := range []bool{false, true} {
			l := &lab{t: t, ended: make(chan sdktrace.ReadOnlySpan, 10)}
			l.tracer = newTracer(l.ended)
			m, err := otelworker.Middleware(otelworker.Config{TracerProvider: l.tracer, Parent: parent})
			require.NoError(t, err)
			w, err := worker.New(nil, worker.Config{})
			require.NoError(t, err)
			worker.Handle(w, "traced", succeed, worker.With(m))
			worker.Handle(w, "untraced", succeed)

			ctx, around := l.tracer.Tracer("test").Start(t.Context(), "a message of a broker")
			for _, handler := range []string{"untraced", "traced"} {
				_, err = inner.Of(w).Do(ctx, nil, gen.ClaimedStep{Handler: handler, StepUUID: uuid.New(), Headers: json.RawMessage(headers)})
				require.NoError(t, err)
			}
			step := l.span()
			require.Equal(t, "process traced", step.Name)
			require.Equal(t, around.SpanContext().SpanID(), step.Parent.SpanID(), headers)
			require.Empty(t, step.Links)
			around.End()
			require.NoError(t, l.tracer.Shutdown(t.Context()))
		}
	}
}
