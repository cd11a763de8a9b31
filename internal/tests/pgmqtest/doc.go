// Package pgmqtest compares this project's pgmq with the real one, and tries
// both under concurrent use.
//
//	              ┌─ database with pgtasker's own pgmq ─┐
//	random calls ─┤                                     ├─ same results, same errors, same tables?
//	              └─ database with the extension ───────┘
//
// The comparison needs a server that has the extension, which tools/pgmq.sh
// makes:
//
//	PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go test ./internal/tests/pgmqtest
//
// Elsewhere it is skipped; the other tests run over whichever pgmq the server
// gives.
//
// What ours does differently on purpose is left out of the comparison: read and
// pop take what has been visible longest, where the extension takes the lowest
// id (so the batch is made large enough that both take the same set), and names
// that the extension should refuse are refused.
package pgmqtest
