// Package racetest runs two sessions of the engine against each other: one has called a function in a transaction that is still
// open, and the other calls a function now.
//
//	actions_test.go  the eight things that happen to a task, and the task that they happen to
//	pairs_test.go    each of them against each: who waits, who does not, what comes of it
//	signals_test.go  what ends a wait, each against each
//	rerun_test.go    a step that runs again, against results, cancellations and resets
//	busy_test.go     another session holds a task or a step and stays open
//
// The random form of the same, with many sessions, is internal/tests/modeltest.
package racetest
