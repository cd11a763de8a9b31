// Package faulttest puts all clients of the database behind one proxy that cuts, swallows and delays, under a DBA who revokes
// and mends. Its rule is that of docs/http-workers.md: a finished result is owed until the database has judged that very
// result.
//
//	site.go      a database, the proxy, the logins, a REST server behind the proxy; the faults and the set-up errors
//	clients.go   the clients: the Go worker and tasklib here, the relay in relay.go, programs in Python and TypeScript, over HTTP and PostgreSQL, in programs.go. Another client
//	             joins with a Client and a line in clients
//	fault_test.go               all clients at once meet each fault, and each set-up error
//	lease_test.go, stop_test.go, idle_test.go   what a lease, a stop and an idle client cost
//
// Jobs begin before the fault and end during it. Afterwards each finished job is recorded; a job began again only where its client
// was cut off for longer than its lease; and the log has the words. make test-faults runs it with the clients in other languages;
// PGTASKER_FAULT_ROUNDS adds as many random faults.
package faulttest
