// Package racetest runs two sessions of the engine against each other. The first session has called a function in a transaction
// that is still open. The other session calls a function now.
//
//	actions_test.go  the eight actions on a task, and the task
//	pairs_test.go    each action against each: which session waits, and the outcome
//	signals_test.go  the ends of waits, each against each
//	rerun_test.go    a step that runs again, against results, cancellations and resets
//	busy_test.go     another session holds a task or a step and stays open
//
// internal/tests/modeltest is the random form with many sessions.
package racetest
