// Package pgmqtest compares this project's pgmq with the real pgmq, and tests both under concurrent use.
//
//	              ┌─ database with pgtasker's own pgmq ─┐
//	random calls ─┤                                     ├─ same results, same errors, same tables?
//	              └─ database with the extension ───────┘
//
// The comparison needs a server that has the extension, which tools/pgmq.sh builds:
//
//	PGTASKER_TEST_PGBIN=$(tools/pgmq.sh) go test ./internal/tests/pgmqtest
//
// On other servers the comparison is skipped. The other tests use the pgmq of the server.
//
// The comparison leaves out two intended differences. Our functions read and pop take the message that has been visible
// longest, and the functions of the extension take the message with the lowest id. Batches are so large that both take the same
// messages. Our pgmq refuses names that the extension should refuse.
package pgmqtest
