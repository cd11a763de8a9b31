// Package faulttest puts all clients of the database behind one proxy that cuts, swallows and delays connections, while a DBA
// revokes and restores rights. It checks the rule of docs/http-workers.md: a worker keeps a finished result until the database
// has accepted or rejected this result.
//
//	site.go      a database, the proxy, the logins, a REST server behind the proxy, the faults and the set-up errors
//	clients.go   the clients: the Go worker and tasklib here, the relay in relay.go, programs in Python and TypeScript, over HTTP and PostgreSQL, in programs.go. Another client
//	             joins with a Client and a line in clients
//	fault_test.go               all clients at once meet each fault, and each set-up error
//	lease_test.go, stop_test.go, idle_test.go   the costs of a lease, a stop and an idle client
//
// Jobs begin before the fault and end during it. Afterwards each finished job is recorded. A job was begun again only if its
// client was cut off for longer than the job's lease. The client's log has the expected words. make test-faults runs the tests
// with the clients in other languages. PGTASKER_FAULT_ROUNDS adds this number of random faults.
package faulttest
