// Package otelworker traces and measures a worker with OpenTelemetry.
//
//	w, err := worker.New(pool, worker.Config{})
//	err = otelworker.Instrument(w, otelworker.Config{}) // before other middleware, so that it is outermost
//	worker.Handle(w, "charge", charge)
//
// The code that creates a task puts its span's context into the task's headers:
//
//	request := executor.TaskRequest{Namespace: "shop", Name: "order", Context: order}
//	err := otelworker.Inject(ctx, &request.TaskOptions)
//	task, err := executor.New(tx).CreateTask(ctx, request)
//
// # Spans
//
// Each attempt at a step is a span of kind consumer, "process charge" for the handler charge, which is in the
// handler's context. It has the attributes of OpenTelemetry's conventions for messaging (the namespace
// is the destination, the step the message, the task the conversation), those of package-level constants
// here, and the handler's error.
//
// The convention asks for a link to the span that created the message, and allows it as the parent as well.
// The default is the link alone: a task's steps may run for days after its creation, many at the same time
// and some of them many times, so that each attempt is a trace of its own that points back to its cause.
// Config.Parent makes them children, for tasks that end within the time that traces are kept open for.
//
// # Metrics
//
//	pgtasker.worker.steps             counter    attempts, by namespace, handler and outcome
//	pgtasker.worker.step.duration     histogram  seconds of attempts, by the same
//	pgtasker.worker.steps.running     up-down    handlers that run, by namespace and handler
//	pgtasker.worker.exchange.duration histogram  seconds of calls that record results and claim steps
//	pgtasker.worker.exchange.results  histogram  results in each such call
//	pgtasker.worker.exchange.claimed  histogram  steps claimed by each such call
//
// They show the work of this process. The module metrics shows the state of the database.
//
// It is a module of its own, so that users of the library do not get the dependencies.
package otelworker
