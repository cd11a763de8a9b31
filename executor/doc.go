// Package executor calls pgtasker's SQL functions with Go types, in two forms.
//
// [Client] groups the functions by task of a person. A call that changes something for an operator takes a [By] at its end, a
// list is an iterator, and Limit is the word for a bound:
//
//	c := executor.NewClient(pool)
//	changed, err := c.Operate().Cancel(ctx, task, executor.By{Actor: "ada", Reason: "the customer called"})
//	for task, err := range c.Tasks().List(ctx, executor.TaskFilter{State: state.TaskBlockedByFailures}) {…}
//	task, err := c.Tasks().Wait(ctx, id) // an *executor.TaskError if it fails, is cancelled or is blocked
//
// [SqlFunctionExecutor] is the direct form: it has one method for each public function of the database schema tasker, under the
// function's own name, with the function's comment. Most of its methods come from package sqlfn, which is generated.
// Methods that are written by hand give a function better types. An argument that may be left out is a value whose zero
// means the default. The direct form changes with the SQL functions.
//
//	          ┌── Client: Tasks, Operate, Signals … ──┐
//	caller ──▶│                                       │──▶ select tasker.function(…)
//	          └── SqlFunctionExecutor: GetTask …  ────┘
//
// Both are made for whatever the caller has: a pool, a connection, or the transaction in which the caller's own data changes too.
// They decide nothing: PostgreSQL does. The rows that they return are those of package gen, under a name of this package where a
// group returns them: fields may be added to them. Errors of the database come back as [*Error], which is one of this package's
// sentinel errors and the [*pgconn.PgError] with its detail and hint at once.
package executor
