// Package growthtest tests the functions that keep the run tables from growing, in cases that need several sessions: with and
// without pg_partman, while other sessions work, and over a simulated year.
//
// The tests of pg_partman run on servers that have it, as tools/servers.sh builds them: make test-partman.
package growthtest
