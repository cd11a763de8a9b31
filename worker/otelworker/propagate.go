package otelworker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
)

// Inject puts the context of ctx's span into the headers of a task that is about to be created, as W3C's traceparent and tracestate. Other
// headers stay. If ctx has no span, Inject changes nothing. If an equal request has already created the task, the task keeps its first
// headers.
func Inject(ctx context.Context, options *executor.TaskOptions) error {
	return InjectWith(ctx, propagation.TraceContext{}, options)
}

// InjectWith is Inject with another propagator, such as a propagator that also carries baggage. The workers need the same propagator in
// their Config.
func InjectWith(ctx context.Context, propagator propagation.TextMapPropagator, options *executor.TaskOptions) error {
	carrier := propagation.MapCarrier{}
	propagator.Inject(ctx, carrier)
	if len(carrier) == 0 {
		return nil
	}
	headers := map[string]json.RawMessage{}
	if len(options.Headers) > 0 {
		if err := json.Unmarshal(options.Headers, &headers); err != nil || headers == nil {
			return fmt.Errorf("otelworker: the headers of the task are not a JSON object: %.80q", options.Headers)
		}
	}
	for key, value := range carrier {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("otelworker: header %q: %w", key, err)
		}
		headers[key] = text
	}
	text, err := json.Marshal(headers)
	if err != nil {
		return fmt.Errorf("otelworker: the headers of the task: %w", err)
	}
	options.Headers = text
	return nil
}

// carrier reads the headers of a task. It skips headers that are not texts.
type carrier map[string]any

var _ propagation.TextMapCarrier = carrier{}

func (c carrier) Get(key string) string {
	text, _ := c[key].(string)
	return text
}

func (c carrier) Set(key, value string) { c[key] = value }

func (c carrier) Keys() []string {
	keys := make([]string, 0, len(c))
	for key := range c {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// remote returns the context to start a step's span in, with the values in the headers of its task, and the link to the span that created
// the task. Unreadable headers are ignored: a trace is no reason for a step to fail.
func remote(ctx context.Context, config Config, step *worker.Step) (context.Context, []trace.SpanStartOption) {
	headers, err := step.Headers()
	if err != nil {
		return ctx, nil
	}
	extracted := config.Propagator.Extract(trace.ContextWithSpanContext(ctx, trace.SpanContext{}), carrier(headers))
	creator := trace.SpanContextFromContext(extracted)
	around := trace.SpanFromContext(ctx)
	if !creator.IsValid() {
		return trace.ContextWithSpan(extracted, around), nil
	}
	link := trace.WithLinks(trace.Link{SpanContext: creator})
	if config.Parent {
		return extracted, []trace.SpanStartOption{link}
	}
	return trace.ContextWithSpan(extracted, around), []trace.SpanStartOption{link}
}
