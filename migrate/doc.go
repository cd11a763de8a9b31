// Package migrate migrates a database to this version's schema and back, over the caller's pgxpool.
//
//	err := migrate.Up(ctx, pool)
//
// The package applies the migrations that are compiled in (package db), each in a separate transaction. It records them in the same way as
// the dbmate command-line tool with "--migrations-table tasker_meta.schema_migrations", so both tools can be used in turn. A failed
// migration leaves no changes, and a failed first migration does not leave dbmate's table either.
//
//	Up ── lock ──> pg_try_advisory_xact_lock until it is taken, on a connection of its own
//	   ── find ──> the files, and the versions in the table
//	   ── each ──> begin, migration, insert version, commit    on one of the pool's connections
//
// Processes that start at the same time may all call Up: one process migrates, and the others wait for it and find nothing to do. Each
// process needs one connection beside its pool, for the lock. The pool itself may have a single connection. Migrations also work through a
// pooler in transaction mode that has two connections to the server.
//
// The role that migrates must be able to create schemas in the database and roles in the cluster (or
// find the roles there, and be a member of tasker_owner).
package migrate
