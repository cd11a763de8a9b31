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
// Each attempt at a step is a span of kind consumer, such as "process charge" for the handler charge. The handler's context has the span.
// The span has the attributes of OpenTelemetry's conventions for messaging (the namespace is the destination, the step the message, the
// task the conversation), the attributes that this package names in constants, and the handler's error.
//
// The convention asks for a link to the span that created the message, and allows this span as the parent as well. The default is only the
// link, because the steps of a task may run days after its creation, many steps at the same time and some steps several times. So each
// attempt is a separate trace that points back to its cause. Config.Parent makes the attempts children of the span that created the task.
// This setting suits tasks that end while their traces are still open.
//
// # Metrics
//
//	pgtasker.worker.steps             counter    attempts, by namespace, handler and outcome
//	pgtasker.worker.step.duration     histogram  seconds of attempts, by the same
//	pgtasker.worker.steps.running     up-down    handlers that run, by namespace and handler
//	pgtasker.worker.results.large     counter    results above half of the setting result_bytes, by namespace and handler
//	pgtasker.worker.exchange.duration histogram  seconds of calls that record results and claim steps
//	pgtasker.worker.exchange.results  histogram  results in each such call
//	pgtasker.worker.exchange.claimed  histogram  steps claimed by each such call
//
// These metrics show the work of this process. The module metrics shows the state of the database.
//
// The package is a separate module, so that users of the library do not get its dependencies.
package otelworker
