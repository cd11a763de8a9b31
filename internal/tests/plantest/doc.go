// Package plantest checks that the plans of the engine do not flip.
//
// PostgreSQL plans by statistics. The statistics of a queue are wrong most of the time, because they were taken while the queue
// was empty and are used while it is full. The package therefore makes the engine do all the work of workers and orchestrators
// under statistics that are wrong in every way. It reads the plan of each statement that ran, including nested statements:
//
//	fill, analyze, drain … ─→ claim, complete, fail, … ─→ auto_explain ─→ plans ─→ flaws
//
// A flaw is a part of a plan whose cost grows with the table: a sequential scan of a run table, an index that is read from end
// to end, a hash or a merge join, or a node that was planned although its kind is disabled. The cost of a statement without
// flaws depends only on its keys. A second test checks the cost itself: calls touch a limited number of buffers for each step.
package plantest
