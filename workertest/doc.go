// Package workertest runs the handlers of a worker in tests. It starts no goroutines, does not wait, and uses the database connection of
// the test, so that the test can roll everything back.
//
// [Call] calls one handler and needs no database:
//
//	payment, err := workertest.Call(t, charge, workertest.Step{
//		Context: Order{Amount: 1200},
//		Results: map[string]any{"reserve": Reservation{ID: "r1"}},
//	})
//
// [Run] runs a whole task, in a transaction or on a pool. It skips the waits for retries:
//
//	task, err := executor.New(tx).CreateTask(ctx, …)
//	report := workertest.Run(t, tx, w, task.TaskUUID)
//	require.Equal(t, state.TaskComplete, report.State)
//
// If a step has no handler, because a person or another program does the work, Run returns and Report.Waiting names the step. The test then
// does this work and calls Run again.
//
// With [FreezeClock] time stands still until the test moves it. [RunReady] then runs the steps that are ready at that time. [Clock.Run]
// runs a whole task and moves time to each retry.
package workertest
