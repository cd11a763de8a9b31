// Package worker runs the handlers of steps.
//
//	w, err := worker.New(pool, worker.Config{})
//	worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[Order]) (Payment, error) {
//		return bank.Charge(ctx, job.Input.Customer, job.Input.Amount, job.StepUUID)
//	})
//	err = w.Run(ctx) // until ctx ends, then stops gracefully
//
// The name is the handler that the template names for a step, which by default is the step's own. The return of a handler
// is the step's result, which the steps after it find with [Result]. An error is a failure, tried again by the template's
// policy unless it is [Permanent].
//
//	         ┌────────── results, at most a few milliseconds old ──────────┐
//	         ▼                                                             │
//	exchange_steps ──▶ claimed steps ──▶ a goroutine each ──▶ middleware ──▶ handler
//	         ▲                               │
//	         │ wake-ups (LISTEN), what       └── leases renewed meanwhile
//	         │ is due, polls
//
// One loop claims for the whole process, only as many steps as can start at once (a few more if handlers are
// faster than claims), and records the results of others in the same call. The database decides everything else: which
// steps are ready, whether a failure is tried again and when, whether a result still counts.
//
// # What to rely on
//
// A step runs at least once. It runs again after its worker was lost, so a handler's effects outside of the database
// should bear repetition: [Step.StepUUID] is the same for all attempts, a good idempotency key. A result is recorded
// once: a claim that was overtaken cannot. A handler of [HandleTx] writes in the transaction that records its result, so
// that its writes in this database happen exactly once.
//
// When the worker is stopped, running handlers have Config.StopTimeout to finish. Interrupted steps are
// handed back, and its attempt does not count. When the database is unreachable, running handlers continue and
// their results wait in memory.
package worker
