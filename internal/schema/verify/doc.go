// Package verify proves with a server the promises that package schema keeps with text:
//
//	db/schema/schema.sql ── psql -1 ──> database A ─┐
//	each up part ────────── psql -1 ──> database B ─┴─ the same, by catalogue and by pg_dump
//
//	each migration: up, down ──> as before, then up ──> as after the first time
//	all migrations: up, down ──> as an empty database, then up ──> as before
//	dbmate and package migrate, taking turns ──> the same database and the same list of versions
//
// The comparison by pg_dump needs a pg_dump of the server's major or a newer one. Roles are left out, since they
// belong to the cluster and down parts keep them. Leaf partitions, which maintenance makes, and dbmate's own table
// are left out, too.
package verify
