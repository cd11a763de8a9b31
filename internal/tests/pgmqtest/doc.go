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
// It is skipped on other servers. The other tests run over the pgmq that the server has.
//
// The comparison leaves out two intended differences. Our read and pop take the message that has been visible longest, while
// the extension takes the lowest id, so batches are large enough for both to take the same set. Our pgmq refuses names that
// the extension should refuse.
package pgmqtest
