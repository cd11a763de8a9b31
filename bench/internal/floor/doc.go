// Package floor writes the rows that calls of the engine leave behind, without the decisions of an engine. So it measures the
// cost of the tables with their indexes, constraints and partitions. No engine that keeps this history can cost less.
//
// A [Recorder] runs the real calls once in a database whose tables note every change, and keeps the writes of each call. A
// [Floor] writes the same rows in another database by the plainest statements (floor.sql): by key for one result and one claim,
// and by set for many results. [Compare] proves that the rows are the same: each table has as many inserted, updated and
// deleted rows, and the same contents except times and UUIDs.
package floor
