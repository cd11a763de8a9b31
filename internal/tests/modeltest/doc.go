// Package modeltest compares the engine with a plain model. It makes random graphs with random outcomes, and the executor
// runs them as workers, orchestrators and operators would.
//
//	template.go         a random template: graph, joins, conditions, attempts, failure policy
//	model.go            a task, and the consequences when one of its steps moves: loops over slices
//	operations.go       the effect of each function of the engine on a task, and its answer
//	function.go         the kept results and the waits of durable functions
//	sql.go              steps that are functions of the database, alone in a call or not, and the effects of a call without a record
//	wait.go, event.go   the ends of waits: signals, times, and events, which come to many tasks in later transactions
//	single_test.go      one session and random calls: the task and its steps are compared after each call
//	undo_test.go        one session, tasks with maps, waits and child tasks that are undone and forked, with and without p_cancel, and their forks
//	families_test.go    families of tasks that start tasks, some under a limit: the laws between them, after each call
//	graphs_test.go      one session, graphs with maps and waits: the expected outcome of each map, and the arrays that claims hand out
//	tree.go             a task with maps, waits and child tasks
//	tree_settle.go      the consequences when a step of such a task moves
//	tree_fire.go        due work: maps, waits, tasks that start and end
//	tree_calls.go       the calls of workers and operators
//	tree_test.go        one session, a task and its descendants: every step and instance compared after each call
//	run.go              the lines of tasks that run by key: places, orders, further requests, sequences, pauses, changes
//	run_test.go         one session, trees in the lines of two keys, with start_within, snoozed steps and limit_hold: run
//	concurrent_test.go  many sessions: the parts that do not depend on the order are compared in the end
//
// No model has a handler that extends its time-out, since only the worker knows the time-out, and the engine sees only renewed
// leases. The tests of package worker check such handlers.
//
// A failure prints the seed. PGTASKER_SEED=<n> repeats the run with this seed. PGTASKER_SOAK=1 runs thousands of graphs instead
// of dozens.
package modeltest
