// Package verify proves with a server the promises that package schema keeps with text:
//
//	db/schema/schema.sql ── psql -1 ──> database A ─┐
//	each up part ────────── psql -1 ──> database B ─┴─ the same, by catalogue and by pg_dump
//
//	each migration: up, down ──> as before;  up ──> as after the first time
//	all migrations: up, down ──> as an empty database;  up ──> as before
//	dbmate and package migrate, taking turns ──> the same database and the same list of versions
//
// pg_dump is asked where one is found whose major is the server's or newer. Roles are left out: they
// belong to the cluster, and down parts keep them. So are leaf partitions, which maintenance makes, and
// dbmate's own table.
package verify
