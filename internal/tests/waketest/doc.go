// Package waketest tests the promise of the protocol in docs/wakeups.md: a sleeping client misses no work.
//
//	order_test.go    every order of a writer's and a sleeper's statements, in every isolation level
//	notify_test.go   which clients are notified: settings, crashed sleepers, programs that only listen, PREPARE TRANSACTION
//	storm_test.go    clients that fall asleep again and again while transactions of all lengths commit
//
// PGTASKER_STORM=<duration> makes the storm longer (make storm-wakeups).
package waketest
