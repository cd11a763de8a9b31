// Package floor writes the rows that calls of the engine leave behind, and decides nothing: what the tables, their
// indexes, constraints and partitions cost, which no engine with this history can go below.
//
// A [Recorder] runs the real calls once in a database whose tables note every change, and keeps what each call
// wrote. A [Floor] writes the same rows in another database by the plainest statements (floor.sql), by key for one
// result and one claim and by set for many. [Compare] proves that it does: as many rows inserted, updated and deleted
// in each table, and the same contents but for times and UUIDs.
package floor
