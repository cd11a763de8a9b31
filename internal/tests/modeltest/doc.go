// Package modeltest compares the engine with a plain model: random graphs with random outcomes, which the executor runs as
// workers, orchestrators and operators would.
//
//	template.go         a random template: graph, joins, conditions, attempts, failure policy
//	model.go            what a task is, and what follows when one of its steps moves: loops over slices
//	operations.go       what each function of the engine does to a task, and how it answers
//	function.go         what durable functions keep and wait for
//	sql.go              steps that are functions of the database: what is alone in its call, what a call without a record leaves
//	wait.go, event.go   what ends a wait: signals, times, and events, which come to many tasks in later transactions
//	single_test.go      one session, random calls, task and steps compared after each of them
//	undo_test.go        one session, tasks with maps, waits and tasks of their own that are undone and forked, with and without p_cancel, and their forks
//	families_test.go    families of tasks that start tasks, some under a limit: the laws between them, after each call
//	graphs_test.go      the same with maps and waits: what each map must have come to, and the arrays that claims hand out
//	tree.go             what a task with maps, waits and tasks of its own is
//	tree_settle.go      what follows when one of its steps moves
//	tree_fire.go        what is done when it is due: maps, waits, tasks that start and end
//	tree_calls.go       what workers and operators do to it
//	tree_test.go        one session, a task and those below it: every step and instance compared after each call
//	concurrent_test.go  many sessions; what does not depend on the order is compared in the end
//
// A failure prints the seed. PGTASKER_SEED=<n> repeats that run, PGTASKER_SOAK=1 runs thousands of graphs instead of dozens.
package modeltest
