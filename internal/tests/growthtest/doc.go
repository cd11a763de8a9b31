// Package growthtest tests what keeps the run tables from growing where one session is not enough to test it: with and without
// pg_partman, beside connections that work, and over a simulated year.
//
// The tests of pg_partman run on servers that have it, as tools/servers.sh builds them: make test-partman.
package growthtest
