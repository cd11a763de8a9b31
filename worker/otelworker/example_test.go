package otelworker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

// A request creates a task, and a worker runs a step of it. The two traces are linked: the second points to the first.
func Example() {
	ctx := context.Background()
	spans := tracetest.NewInMemoryExporter()
	tracer := trace.NewTracerProvider(trace.WithSyncer(spans))

	// The program that creates the task.
	ctx, request := tracer.Tracer("shop").Start(ctx, "POST /orders")
	task := executor.TaskRequest{Namespace: "shop", Name: "order"}
	if err := otelworker.Inject(ctx, &task.TaskOptions); err != nil {
		panic(err)
	}
	request.End() // after executor.New(tx).CreateTask(ctx, task)

	// The program that runs its steps; this one was claimed without a running worker.
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		panic(err)
	}
	if err := otelworker.Instrument(w, otelworker.Config{TracerProvider: tracer}); err != nil {
		panic(err)
	}
	worker.Handle(w, "charge", func(context.Context, *worker.Job[json.RawMessage]) (string, error) {
		return "", worker.Permanent(errors.New("nothing to pay"))
	})
	_, err = inner.Of(w).Do(context.Background(), nil, gen.ClaimedStep{
		Handler: "charge", StepUUID: uuid.New(), Namespace: "shop", Headers: task.Headers,
	})
	if err != nil {
		panic(err)
	}

	seen := spans.GetSpans()
	fmt.Println(seen[0].Name)
	fmt.Println(seen[1].Name, seen[1].SpanKind, seen[1].Status.Code, seen[1].Status.Description)
	fmt.Println(seen[1].Links[0].SpanContext.SpanID() == seen[0].SpanContext.SpanID())
	// Output:
	// POST /orders
	// process charge consumer Error nothing to pay
	// true
}
