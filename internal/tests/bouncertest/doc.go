// Package bouncertest proves that pgtasker works behind PgBouncer in transaction mode: "make test-pgbouncer".
//
// Every transaction gets another server connection than the transaction before (server_round_robin). The state of a session
// is reset after each transaction (server_reset_query_always), so that code that depends on a session's state must fail.
// Only the test of prepared statements that PgBouncer keeps runs without the second setting.
package bouncertest
