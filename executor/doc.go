// Package executor calls pgtasker's SQL functions with Go types.
//
// [SqlFunctionExecutor] has one method for each public function of the database schema tasker, with the comment of the
// function. Most are generated: sqlc makes typed queries of queries/ (package gen), and internal/cmd/face the
// methods and row types of this package. Those that are written by hand give a function better types.
// [FunctionRegistry] groups the same methods by what they are about.
//
// An argument that may be left out is a value whose zero means the default. It is a pointer only where zero is another
// request than none.
//
//	          ┌────────────── SqlFunctionExecutor ──────────────┐
//	caller ──▶│ GetCurrentTaskState, TransitionTaskStateAtomic … │──▶ select tasker.function(…)
//	          └───────────── pool, connection or tx ────────────┘
//
// An executor is made for whatever the caller has: a pool, a connection, or the transaction in which
// the caller's own data changes too. It holds no state, starts nothing and decides nothing: PostgreSQL
// does. [SqlFunctionExecutor.WaitForTask], [SqlFunctionExecutor.WatchTask] and [Listen] wait, in the
// caller's goroutine. Errors of the database come back as [*Error], which is one of this package's sentinel errors
// and the [*pgconn.PgError] with its detail and hint at once.
package executor
