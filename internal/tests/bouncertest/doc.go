// Package bouncertest proves that pgtasker works behind PgBouncer in transaction mode: "make test-pgbouncer".
//
// Every transaction gets another server connection than the preceding transaction (server_round_robin). The state of a session
// is reset after each transaction (server_reset_query_always), so that code that depends on a session's state must fail. Only
// one test runs without server_reset_query_always: the test of prepared statements that PgBouncer keeps.
package bouncertest
