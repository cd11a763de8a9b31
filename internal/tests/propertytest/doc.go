// Package propertytest holds the database to a plain model: random graphs in random states, and for
// each of them what Go says, written in the simplest way, against what PostgreSQL says.
//
//	graph.go      a random graph: shapes that people draw, and others
//	model.go      levels, depths, ancestors, cycles, readiness: loops over slices and maps
//	database.go   writes graphs as tasks, many in one statement
//	*_test.go     the comparison
//
// A failure prints the seed. PGTASKER_SEED=<n> runs that one again, PGTASKER_SOAK=1 runs thousands of
// graphs instead of hundreds.
package propertytest
