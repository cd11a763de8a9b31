// Package tasklib is a task queue in one PostgreSQL table, for work that needs no graph. A program registers functions by name and submits
// tasks in its own transaction. Workers run the tasks.
//
//	client := tasklib.NewClient(pool, tasklib.Config{})
//	sendEmail := tasklib.MustRegister(client, "send_email",
//		func(ctx context.Context, args Email) (Receipt, error) { … },
//		tasklib.Options{MaxRetries: 5, Timeout: 30 * time.Second})
//
//	// where something happens:            // in a worker process:
//	sendEmail.Submit(ctx, tx, Email{…})    client.NewWorker(tasklib.WorkerConfig{Concurrency: 10}).Run(ctx)
//
// The database decides which task is due, which worker gets it, when it is retried, when a worker counts as lost. This package transports
// arguments and results:
//
//	Submit ──▶ submit_tasks ─▶ pending ──▶ claim_tasks ─▶ running ──▶ complete_tasks ─▶ completed
//	                              ▲                          │
//	                              └── fail_tasks, lock ended ┴─ retries used up ──────▶ failed
//
// A [Worker] claims as many tasks as it can start. The context of each function ends at its timeout, when the task is cancelled and when
// the worker stops. The worker reports results in batches, and extends the locks of long tasks. Delivery is at least once: if a worker
// dies, its tasks run again when their locks end. The database refuses a report that comes too late, so that one result stands. The writes
// of a function of [RegisterTx] in the transaction of its result happen exactly once.
//
// docs/tasklib.md is the guide. [Functions] has a method for every SQL function of schema tasklib.
package tasklib
