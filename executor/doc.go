// Package executor calls pgtasker's SQL functions with Go types, in two forms.
//
// [Client] groups the functions by the tasks of their users. A call that changes something for an operator takes a [By] as its last
// argument. Methods that list rows return iterators, and Limit always bounds the number of rows:
//
//	c := executor.NewClient(pool)
//	changed, err := c.Operate().Cancel(ctx, task, executor.By{Actor: "ada", Reason: "the customer called"})
//	for task, err := range c.Tasks().List(ctx, executor.TaskFilter{State: state.TaskBlockedByFailures}) {…}
//	task, err := c.Tasks().Wait(ctx, id) // an *executor.TaskError if it fails, is cancelled or is blocked
//
// [SqlFunctionExecutor] is the direct form. It has one method for each public function of the database schema tasker. The method has the
// name and the comment of the function. Most of these methods come from the generated package sqlfn. The other methods are written by hand
// and have more convenient types. The zero value of an optional argument means the default. The direct form changes with the SQL functions.
//
//	          ┌── Client: Tasks, Operate, Signals … ──┐
//	caller ──▶│                                       │──▶ select tasker.function(…)
//	          └── SqlFunctionExecutor: GetTask …  ────┘
//
// Both forms run on a pool, on a connection, or in the transaction in which the caller changes its own data. They contain no rules of the
// engine, since PostgreSQL makes all decisions. They return the row types of package gen. Row types may get more fields in later versions.
// Errors of the database come back as [*Error], which wraps both a sentinel error of this package and the [*pgconn.PgError] with its detail
// and hint.
package executor
