// Package localpg finds the programs of PostgreSQL on this machine and runs a server with them: package pgserver for tests,
// and the command "tasker dev" for a person who tries things out.
//
//	Find ──▶ ServerAccount ──▶ Start ──▶ StartPostmaster
//	PATH, directories          initdb, once for each folder
//	of distributions
//
// PostgreSQL refuses to run as root, so for root the server runs as the user postgres or nobody. A server of [Start] can
// be reached only by its Unix socket, in a directory of mode 0700.
package localpg
