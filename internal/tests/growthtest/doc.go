// Package growthtest tests what keeps the run tables from growing where one session is not enough: with
// pg_partman and without, among working connections, over a simulated year.
//
// The tests of pg_partman run on servers that have it (tools/servers.sh makes such): make test-partman.
package growthtest
