// Package verify proves on a server that the schema and the migrations agree. Package schema itself compares only texts. The
// proofs are:
//
//	db/schema/schema.sql ── psql -1 ──> database A ─┐
//	each up part ────────── psql -1 ──> database B ─┴─ the same, by catalogue and by pg_dump
//
//	each migration: up, down ──> as before, then up ──> as after the first time
//	all migrations: up, down ──> as an empty database, then up ──> as before
//	dbmate and package migrate, taking turns ──> the same database and the same list of versions
//
// The comparison needs a pg_dump of the server's major version or of a newer version. It leaves out roles, since they belong to
// the cluster and down parts keep them. It also leaves out leaf partitions, which maintenance makes, and dbmate's own table.
package verify
