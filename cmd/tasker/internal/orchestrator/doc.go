// Package orchestrator is a loop around tasker.orchestrate(). The function decides and does everything, and the loop only
// decides when to call it.
//
//	announcement (LISTEN) ──▶ event ─────┐
//	next_due_at has come  ──▶ due ───────┼──▶ orchestrate() until nothing is found ──▶ counted by source
//	poll interval is over ──▶ fallback ──┘
//
// At the same time the loop checks every 10 seconds which duties of tasker.run_maintenance() are due, and does them. Once an
// hour these include partitions, retention and garbage.
//
// Workers also do a part of the work of orchestrate() when they claim. The loop is for databases whose tasks need work that no
// worker does (deferred starts and results, requests by message), or that sometimes have no workers. Any number of loops may
// run. The fallback finds only work that no event announced, so its count should stay small.
package orchestrator
