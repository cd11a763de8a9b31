// Package plantest checks that the plans of the engine do not flip.
//
// PostgreSQL plans by statistics, and those of a queue are wrong most of the time: taken while it was empty, used while it is
// full. The package therefore makes the engine do everything that workers and orchestrators do, under statistics that are wrong
// in every way, and reads the plan of each statement that ran, including nested ones:
//
//	fill, analyze, drain … ─→ claim, complete, fail, … ─→ auto_explain ─→ plans ─→ flaws
//
// A flaw is a part of a plan that costs more the larger a table is: a sequential scan of a run table, an index that is read
// from end to end, a hash or a merge join, a node that was planned although its kind is disabled. A statement without flaws
// costs what its keys cost. A second test checks the same from the other side: calls touch a limited number of buffers for each
// step.
package plantest
