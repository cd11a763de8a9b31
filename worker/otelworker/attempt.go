package otelworker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/pgtasker/pgtasker/worker"
)

// Attributes of spans, beside the attributes of the conventions for messaging. Metrics have the namespace, the
// handler and the outcome.
const (
	namespaceKey   = attribute.Key("pgtasker.namespace")
	taskKey        = attribute.Key("pgtasker.task.name")
	taskVersionKey = attribute.Key("pgtasker.task.version")
	taskUUIDKey    = attribute.Key("pgtasker.task.uuid")
	stepKey        = attribute.Key("pgtasker.step.name")
	stepUUIDKey    = attribute.Key("pgtasker.step.uuid")
	handlerKey     = attribute.Key("pgtasker.step.handler")
	attemptKey     = attribute.Key("pgtasker.step.attempt")
	maxAttemptsKey = attribute.Key("pgtasker.step.max_attempts")
	correlationKey = attribute.Key("pgtasker.correlation_id")
	// outcomeKey is a worker.Outcome: success, failure, permanent, panic, timeout, cancelled, lost, stopped, suspended, rolled_back.
	outcomeKey = attribute.Key("pgtasker.step.outcome")
	// permanentKey is true if the handler has marked the failure as permanent.
	permanentKey = attribute.Key("pgtasker.step.permanent")
	// retryableKey is true if another attempt follows the failure, because the failure is not permanent and the attempt was not the last.
	retryableKey = attribute.Key("pgtasker.step.retryable")
)

// errGoexit is the error of a handler that never returned.
var errGoexit = errors.New("the handler ended its goroutine")

// attempt is one traced and measured attempt at a step.
type attempt struct {
	ctx    context.Context // the context of the handler
	outer  context.Context
	step   *worker.Step
	span   trace.Span
	meters *meters
	start  time.Time
}

func begin(ctx context.Context, config Config, tracer trace.Tracer, m *meters, step *worker.Step) *attempt {
	parent, options := remote(ctx, config, step)
	options = append(options, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		semconv.MessagingSystemKey.String("pgtasker"),
		semconv.MessagingOperationTypeProcess,
		semconv.MessagingOperationName("process"),
		semconv.MessagingDestinationName(step.Namespace),
		semconv.MessagingMessageID(step.StepUUID.String()),
		semconv.MessagingMessageConversationID(step.TaskUUID.String()),
		namespaceKey.String(step.Namespace),
		taskKey.String(step.Task),
		taskVersionKey.String(step.TaskVersion),
		taskUUIDKey.String(step.TaskUUID.String()),
		stepKey.String(step.Name),
		stepUUIDKey.String(step.StepUUID.String()),
		handlerKey.String(step.Handler),
		attemptKey.Int(step.Attempt),
		maxAttemptsKey.Int(step.MaxAttempts),
		correlationKey.String(step.CorrelationID.String()),
	))
	a := &attempt{outer: ctx, step: step, meters: m, start: time.Now()}
	a.ctx, a.span = tracer.Start(parent, "process "+step.Handler, options...)
	m.begin(a)
	return a
}

// end records the outcome of the attempt.
func (a *attempt) end(err error) {
	outcome := worker.OutcomeOf(a.outer, err)
	a.meters.end(a, outcome)
	a.span.SetAttributes(outcomeKey.String(string(outcome)))
	switch outcome {
	case worker.OutcomeSuccess:
	case worker.OutcomeCancelled, worker.OutcomeLost, worker.OutcomeStopped, worker.OutcomeRolledBack:
		// This is no failure: the step was cancelled, lost or handed back, or the handler runs again.
		if err != nil {
			a.span.RecordError(err)
		}
	default:
		permanent := worker.IsPermanent(err)
		a.span.SetAttributes(
			semconv.ErrorTypeKey.String(string(outcome)),
			permanentKey.Bool(permanent),
			retryableKey.Bool(!permanent && a.step.Attempt < a.step.MaxAttempts),
		)
		a.fail(err)
	}
	a.span.End()
}

// fail records an error. The value and the place of a panic are separate attributes.
func (a *attempt) fail(err error) {
	var panicked *worker.PanicError
	if errors.As(err, &panicked) {
		text := fmt.Sprintf("panic: %v", panicked.Value)
		a.span.AddEvent("exception", trace.WithAttributes(
			semconv.ExceptionType(fmt.Sprintf("%T", panicked.Value)),
			semconv.ExceptionMessage(text),
			semconv.ExceptionStacktrace(string(panicked.Stack)),
		))
		a.span.SetStatus(codes.Error, text)
		return
	}
	a.span.RecordError(err)
	a.span.SetStatus(codes.Error, err.Error())
}
