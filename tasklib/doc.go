// Package tasklib is a task queue in one PostgreSQL table, for work that needs no graph: functions are
// registered by name, submitted in the caller's transaction, and run by workers.
//
//	client := tasklib.NewClient(pool, tasklib.Config{})
//	sendEmail := tasklib.MustRegister(client, "send_email",
//		func(ctx context.Context, args Email) (Receipt, error) { … },
//		tasklib.Options{MaxRetries: 5, Timeout: 30 * time.Second})
//
//	// where something happens:            // in a worker process:
//	sendEmail.Submit(ctx, tx, Email{…})    client.NewWorker(tasklib.WorkerConfig{Concurrency: 10}).Run(ctx)
//
// The database decides: which task is due, which worker gets it, when it is retried, when a worker counts as lost. This
// package carries arguments and results:
//
//	Submit ──▶ submit_tasks ─▶ pending ──▶ claim_tasks ─▶ running ──▶ complete_tasks ─▶ completed
//	                              ▲                          │
//	                              └── fail_tasks, lock ended ┴─ retries used up ──────▶ failed
//
// A [Worker] claims for as many tasks as it can start, runs each function with a context that ends at its
// timeout, when the task is cancelled and when the worker stops, gathers results and reports them in batches, and
// extends the locks of what takes long. Delivery is at least once: a worker that dies has its tasks run again
// when their locks end. A report that comes too late is refused by the database, so that one result stands. The writes of
// a function of [RegisterTx] in the transaction of its result happen exactly once.
//
// docs/tasklib.md is the guide. [Functions] has a method for every SQL function of schema tasklib.
package tasklib
