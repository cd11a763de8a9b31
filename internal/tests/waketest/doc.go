// Package waketest holds the protocol of docs/wakeups.md to its promise: no client that sleeps misses work.
//
//	order_test.go    every order of a writer's and a sleeper's statements, in every isolation level
//	notify_test.go   who is notified when: settings, crashed sleepers, programs that only listen, PREPARE TRANSACTION
//	storm_test.go    clients that fall asleep again and again while transactions of all lengths commit
//
// PGTASKER_STORM=<duration> makes the storm longer (make storm-wakeups).
package waketest
