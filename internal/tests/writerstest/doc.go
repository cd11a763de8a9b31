// Package writerstest compares two schemas by what their writers leave behind: the same random calls of the public functions in
// two databases, and afterwards all tables, views and readers that both have, row by row.
//
//	templates.go        what is registered: templates of every kind
//	moves.go            the calls: creations, exchanges, waits, what operators do, the time that passes
//	pair.go             the two databases, each call in both, and names for the UUIDs that differ
//	compare.go          all rows that one database has and the other one has not, with the calls that made them
//	writers_test.go     this tree beside itself, beside one that is wrong, and beside a commit
//
// The clock stands still during a call and moves between two calls, so that a row's times name the call that wrote it. What
// the engine decides by chance is decided the same way in both: random() returns 0.5, and UUIDs are ascending.
//
//	make test-writers BASE=92eacbd4                     # this tree beside that commit
//	make test-writers BASE=92eacbd4 MOVES=20000 SEED=7
package writerstest
