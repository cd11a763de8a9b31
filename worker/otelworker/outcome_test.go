package otelworker_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

// requireCounted does not wait: an attempt is counted before its span ends.
func requireCounted(l *lab, outcome worker.Outcome, times float64) {
	l.t.Helper()
	values := l.metrics()
	by := fmt.Sprintf("{pgtasker.namespace=shop,pgtasker.step.handler=do_work,pgtasker.step.outcome=%s}", outcome)
	require.InDelta(l.t, times, values["pgtasker.worker.steps"+by], 0, "%v", values)
	require.InDelta(l.t, times, values["pgtasker.worker.step.duration"+by], 0)
	require.InDelta(l.t, 0, values["pgtasker.worker.steps.running{pgtasker.namespace=shop,pgtasker.step.handler=do_work}"], 0)
}

func requireFailed(t *testing.T, span tracetest.SpanStub, outcome worker.Outcome, permanent, retryable bool, text string) {
	t.Helper()
	has := attributes(span)
	require.Equal(t, string(outcome), has[otelworker.OutcomeKey])
	require.Equal(t, string(outcome), has["error.type"])
	require.Equal(t, permanent, has[otelworker.PermanentKey])
	require.Equal(t, retryable, has[otelworker.RetryableKey])
	require.Equal(t, codes.Error, span.Status.Code)
	require.Equal(t, text, span.Status.Description)
	require.Len(t, span.Events, 1)
	require.Equal(t, "exception", span.Events[0].Name)
}

func TestOutcome_Success(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	inside := make(chan trace.SpanContext, 1)
	l.work(worker.Config{}, func(ctx context.Context, _ *worker.Job[none]) (string, error) {
		inside <- trace.SpanContextFromContext(ctx)
		return "done", nil
	})
	task := l.create(t.Context(), "job")
	span := l.span()
	require.Equal(t, "process do_work", span.Name)
	require.Equal(t, trace.SpanKindConsumer, span.SpanKind)
	require.Equal(t, codes.Unset, span.Status.Code)
	require.Empty(t, span.Events)
	require.Equal(t, receive(t, inside), span.SpanContext, "it is the handler's own")

	steps, err := l.ListSteps(t.Context(), task)
	require.NoError(t, err)
	has := attributes(span)
	delete(has, otelworker.CorrelationKey)
	require.Equal(t, map[string]any{
		"messaging.system": "pgtasker", "messaging.operation.type": "process", "messaging.operation.name": "process",
		"messaging.destination.name": "shop", "messaging.message.id": steps[0].WorkflowStepUUID.String(),
		"messaging.message.conversation_id": task.String(),
		"pgtasker.namespace":                "shop", "pgtasker.task.name": "job", "pgtasker.task.version": "2.0.0",
		"pgtasker.task.uuid": task.String(), "pgtasker.step.name": "work", "pgtasker.step.uuid": steps[0].WorkflowStepUUID.String(),
		"pgtasker.step.handler": "do_work", "pgtasker.step.attempt": int64(1), "pgtasker.step.max_attempts": int64(2),
		"pgtasker.step.outcome": "success",
	}, untyped(has))
	requireCounted(l, worker.OutcomeSuccess, 1)
}

// untyped converts the keys of a map of attributes to strings.
func untyped(typed map[attribute.Key]any) map[string]any {
	values := map[string]any{}
	for k, v := range typed {
		values[string(k)] = v
	}
	return values
}

func TestOutcome_AFailureIsTriedAgainUntilTheLastAttempt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.work(worker.Config{}, func(_ context.Context, job *worker.Job[none]) (string, error) {
		return "", fmt.Errorf("the bank is closed (%d)", job.Attempt)
	})
	l.create(t.Context(), "job")
	requireFailed(t, l.span(), worker.OutcomeFailure, false, true, "the bank is closed (1)")
	second := l.span()
	requireFailed(t, second, worker.OutcomeFailure, false, false, "the bank is closed (2)")
	require.Equal(t, int64(2), attributes(second)[otelworker.AttemptKey])
	requireCounted(l, worker.OutcomeFailure, 2)
}

func TestOutcome_PermanentFailure(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.work(worker.Config{}, func(context.Context, *worker.Job[none]) (string, error) {
		return "", fmt.Errorf("order 7: %w", worker.Permanent(errors.New("nothing to pay")))
	})
	l.create(t.Context(), "job")
	requireFailed(t, l.span(), worker.OutcomePermanent, true, false, "order 7: nothing to pay")
	requireCounted(l, worker.OutcomePermanent, 1)
}

func TestOutcome_APanicIsRecordedWithItsStack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.work(worker.Config{}, func(context.Context, *worker.Job[none]) (string, error) { panic("at the disco") })
	l.create(t.Context(), "job")
	span := l.span()
	requireFailed(t, span, worker.OutcomePanic, false, true, "panic: at the disco")
	said := map[string]string{}
	for _, a := range span.Events[0].Attributes {
		said[string(a.Key)] = a.Value.AsString()
	}
	require.Equal(t, "string", said["exception.type"])
	require.Equal(t, "panic: at the disco", said["exception.message"])
	require.Contains(t, said["exception.stacktrace"], "TestOutcome_APanicIsRecordedWithItsStack")
	l.span() // the second attempt
	requireCounted(l, worker.OutcomePanic, 2)
}

func TestOutcome_AHandlerThatEndsItsGoroutineHasFailed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.work(worker.Config{}, func(context.Context, *worker.Job[none]) (string, error) { runtime.Goexit(); return "", nil })
	l.create(t.Context(), "job")
	requireFailed(t, l.span(), worker.OutcomeFailure, false, true, "the handler ended its goroutine")
}

func TestOutcome_Timeout(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.newWorker(worker.Config{}, l.config())
	worker.Handle(w, "do_work", func(ctx context.Context, _ *worker.Job[none]) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}, worker.Timeout(10*time.Millisecond))
	l.start(w)
	l.create(t.Context(), "job")
	requireFailed(t, l.span(), worker.OutcomeTimeout, false, true, "context deadline exceeded")
	l.span()
	requireCounted(l, worker.OutcomeTimeout, 2)
}

// briefly is a lease that is soon renewed, and that a busy machine does not lose.
const briefly = 6 * time.Second

// waiting returns a handler that sends its step and then waits until its context ends.
func waiting(begun chan<- *worker.Step) worker.Handler[none, string] {
	return func(ctx context.Context, job *worker.Job[none]) (string, error) {
		begun <- &job.Step
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
}

// requireCalledOff checks a span that ended without a failure.
func requireCalledOff(t *testing.T, span tracetest.SpanStub, outcome worker.Outcome) {
	t.Helper()
	has := attributes(span)
	require.Equal(t, string(outcome), has[otelworker.OutcomeKey])
	require.NotContains(t, has, otelworker.PermanentKey)
	require.NotContains(t, untyped(has), "error.type")
	require.Equal(t, codes.Unset, span.Status.Code)
	require.Len(t, span.Events, 1, "the span has the handler's event")
}

func TestOutcome_Cancelled(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	begun := make(chan *worker.Step, 1)
	l.work(worker.Config{Lease: briefly}, waiting(begun))
	task := l.create(t.Context(), "job")
	receive(t, begun)
	require.InDelta(t, 1, l.metrics()["pgtasker.worker.steps.running{pgtasker.namespace=shop,pgtasker.step.handler=do_work}"], 0)
	_, err := l.CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	requireCalledOff(t, l.span(), worker.OutcomeCancelled)
	requireCounted(l, worker.OutcomeCancelled, 1)
}

func TestOutcome_Lost(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	begun := make(chan *worker.Step, 1)
	l.work(worker.Config{Lease: briefly}, waiting(begun))
	l.create(t.Context(), "job")
	step := receive(t, begun)
	_, err := l.CompleteStepManually(t.Context(), sqlfn.CompleteStepManuallyParams{StepUUID: step.StepUUID, Results: []byte(`{}`)})
	require.NoError(t, err)
	requireCalledOff(t, l.span(), worker.OutcomeLost)
	requireCounted(l, worker.OutcomeLost, 1)
}

func TestOutcome_StoppedIsHandedBack(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	begun := make(chan *worker.Step, 1)
	stop := l.work(worker.Config{StopTimeout: -1}, waiting(begun))
	task := l.create(t.Context(), "job")
	receive(t, begun)
	stop()
	requireCalledOff(t, l.span(), worker.OutcomeStopped)
	requireCounted(l, worker.OutcomeStopped, 1)

	l.work(worker.Config{}, func(context.Context, *worker.Job[none]) (string, error) { return "", nil })
	require.Equal(t, int64(1), attributes(l.span())[otelworker.AttemptKey], "the attempt did not count")
	ended, err := executor.NewClient(l.pool).Tasks().Wait(t.Context(), task, executor.WaitOptions{PollInterval: 5 * time.Millisecond})
	require.NoError(t, err)
	require.EqualValues(t, "complete", ended.State)
}
