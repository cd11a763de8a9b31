// Package orchestrator is a loop around tasker.orchestrate(), which decides and does everything: it only
// says when to call it.
//
//	announcement (LISTEN) ──▶ event ─────┐
//	next_due_at has come  ──▶ due ───────┼──▶ orchestrate() until nothing is found ──▶ counted by source
//	poll interval is over ──▶ fallback ──┘
//
// Beside that it does the duties of tasker.run_maintenance() that are due, asking every 10 seconds, and once an
// hour sees to partitions, retention and garbage.
//
// Workers do all of the first as well when they claim. A loop of its own is for databases whose tasks wait for
// what no worker does (deferred starts and results, requests by message), or that are without workers at
// times. Any number may run. What the fallback finds, the events missed: its count should stay small.
package orchestrator
