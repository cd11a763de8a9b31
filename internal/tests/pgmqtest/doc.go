// Package pgmqtest compares this project's pgmq with the real one, and tries
// both under concurrent use.
//
//	              ┌─ database with pgtasker's own pgmq ─┐
//	random calls ─┤                                     ├─ same results, same errors, same tables?
//	              └─ database with the extension ───────┘
//
// The comparison needs a server that has the extension, which tools/pgmq.sh builds:
//
//	PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go test ./internal/tests/pgmqtest
//
// It is skipped on other servers. The other tests run over the pgmq of the server, whichever it is.
//
// The comparison leaves out the intended differences: read and pop of ours take the message that has been visible longest,
// while the extension takes the lowest id (so the batch is large enough for both to take the same set), and ours refuses names
// that the extension should refuse.
package pgmqtest
