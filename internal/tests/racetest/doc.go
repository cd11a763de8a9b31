// Package racetest runs two sessions of the engine against each other. The first session has called a function in a transaction
// that is still open. Then the second session calls a function.
//
//	actions_test.go  the eight actions on a task, and the task on which they act
//	pairs_test.go    each pair of actions: which session waits, and the outcome
//	signals_test.go  each pair of events that end a wait
//	rerun_test.go    a repeated run of a step, against results, cancellations and resets
//	busy_test.go     another session locks a task or a step, and its transaction stays open
//
// Package modeltest has the random form with many sessions.
package racetest
