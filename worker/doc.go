// Package worker runs the handlers of steps.
//
//	w, err := worker.New(pool, worker.Config{})
//	worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[Order]) (Payment, error) {
//		return bank.Charge(ctx, job.Input.Customer, job.Input.Amount, job.StepUUID)
//	})
//	err = w.Run(ctx) // until ctx ends, then stops gracefully
//
// The name passed to [Handle] is the handler that the template names for a step, by default the name of the step. The return value of a
// handler is the step's result, which later steps read with [Result]. An error is a failure. The step is then tried again as the template's
// retry policy says, unless the error is [Permanent].
//
//	         ┌────────── results, at most a few milliseconds old ──────────┐
//	         ▼                                                             │
//	exchange_steps ──▶ claimed steps ──▶ a goroutine each ──▶ middleware ──▶ handler
//	         ▲                               │
//	         │ wake-ups (LISTEN),            └── leases renewed meanwhile
//	         │ due work, polls
//
// One loop claims for the whole process. It claims only as many steps as can start at once, and a few more if handlers finish faster than
// claims arrive. The call that claims steps also records the results of finished steps. The database decides everything else: which steps
// are ready, whether and when a failed step is tried again, and whether a result still counts.
//
// # Guarantees
//
// A step runs at least once. It runs again if its worker was lost. So it must do no harm if a handler repeats its effects outside of the
// database. [Step.StepUUID] is the same for all attempts and serves as an idempotency key. A result is recorded once: the database refuses
// the result of a claim that is no longer valid. A handler of [HandleTx] writes in the transaction that records its result, so that its
// writes in this database happen exactly once.
//
// When the worker is stopped, running handlers have Config.StopTimeout to finish. Interrupted steps are handed back, and their attempts do
// not count. When the database is unreachable, running handlers continue and their results wait in memory.
package worker
