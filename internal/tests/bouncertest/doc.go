// Package bouncertest proves what works behind PgBouncer in transaction mode: "make test-pgbouncer".
//
// Every transaction gets another server connection than the one before (server_round_robin), and the state of a session is
// reset after each (server_reset_query_always), so that nothing that depends on a session's state can pass. Only the test of
// prepared statements that PgBouncer keeps runs without the second setting.
package bouncertest
