// Package migrate brings a database to this version's schema and back, over the caller's pgxpool.
//
//	err := migrate.Up(ctx, pool)
//
// It applies the migrations that are compiled in (package db), each in a transaction of its own,
// and notes them as the dbmate command-line tool does with
// "--migrations-table tasker_meta.schema_migrations": the two can take turns. A migration that fails
// leaves nothing behind, nor does a first migration leave dbmate's table.
//
//	Up ── lock ──> pg_try_advisory_xact_lock until it is taken, on a connection of its own
//	   ── find ──> the files, and the versions in the table
//	   ── each ──> begin; migration; insert version; commit    on one of the pool's connections
//
// Processes that start at the same time may all call Up: one migrates, the others wait for it and find
// nothing to do. Each needs one more connection than its pool has, for the lock. The pool itself may have
// only one. All of it works through a pooler in transaction mode that has two connections to the server.
//
// The role that migrates must be able to create schemas in the database and roles in the cluster (or
// find the roles there, and be a member of tasker_owner).
package migrate
