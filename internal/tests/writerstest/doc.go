// Package writerstest compares two schemas by the rows that their writers leave behind. It makes the same random calls of the
// public functions in two databases. Afterwards it compares all tables, views and readers that both have, row by row.
//
//	templates.go        the registered templates, of every kind
//	moves.go            the calls: creations, exchanges, waits, calls of operators, the passing of time
//	pair.go             the two databases, each call in both databases, and names in place of the UUIDs, which differ
//	compare.go          all rows that only one database has, with the calls that made them
//	writers_test.go     this tree compared with itself, with a wrong tree, and with a commit
//
// The clock stands still during a call and moves between two calls, so that a row's times name the call that wrote it.
// Random decisions of the engine are the same in both databases: random() returns 0.5, and UUIDs are ascending.
//
//	make test-writers BASE=92eacbd4                     # compares this tree with that commit
//	make test-writers BASE=92eacbd4 MOVES=20000 SEED=7
package writerstest
