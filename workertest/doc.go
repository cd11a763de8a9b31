// Package workertest runs the handlers of a worker in tests: without goroutines, without waiting, on
// whatever the test has, so that it can all be rolled back.
//
// [Call] is for one handler and needs no database:
//
//	payment, err := workertest.Call(t, charge, workertest.Step{
//		Context: Order{Amount: 1200},
//		Results: map[string]any{"reserve": Reservation{ID: "r1"}},
//	})
//
// [Run] is for a whole task, in a transaction or on a pool. Waits for retries are skipped:
//
//	task, err := executor.New(tx).CreateTask(ctx, …)
//	report := workertest.Run(t, tx, w, task.TaskUUID)
//	require.Equal(t, state.TaskComplete, report.State)
//
// Where a step has no handler, because a person or another program does it, Run returns and Report.Waiting names
// it. The test does their part and calls Run again.
//
// With [FreezeClock] time stands still until the test moves it, [RunReady] runs the steps that are ready at that time,
// and [Clock.Run] a whole task, with time moved to each retry.
package workertest
