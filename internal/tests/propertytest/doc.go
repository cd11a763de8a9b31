// Package propertytest compares the database with a plain model: for random graphs in random states, a simple implementation in
// Go must agree with PostgreSQL.
//
//	graph.go      a random graph: shapes that people draw, and other shapes
//	model.go      levels, depths, ancestors, cycles, readiness: loops over slices and maps
//	database.go   writes graphs as tasks, many in one statement
//	*_test.go     the comparison
//
// A failure prints the seed. PGTASKER_SEED=<n> repeats that run, PGTASKER_SOAK=1 tries thousands of graphs instead of hundreds.
package propertytest
