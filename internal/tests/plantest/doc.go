// Package plantest holds the engine to plans that cannot flip.
//
// PostgreSQL plans by statistics, and those of a queue are wrong most of the
// time: taken while it was empty, used while it is full. So the package drives
// the engine through everything that workers and orchestrators do, under
// statistics of every kind of wrongness, and reads the plan of each statement
// that ran, nested ones included:
//
//	fill, analyze, drain … ─→ claim, complete, fail, … ─→ auto_explain ─→ plans ─→ flaws
//
// A flaw is what costs the more the larger a table is: a sequential scan of a
// run table, an index that is read from end to end, a hash or a merge join, a
// node that was planned although it is switched off. A statement without flaws
// costs what its keys cost; that calls stay within a bound of buffers for each
// step says the same from the other side.
package plantest
