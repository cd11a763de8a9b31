// Package schema keeps the two forms of the database schema in step. db/schema has one readable file per object,
// which people edit. db/migrations ships and never changes after a release.
//
//	db/schema/schema.sql ─┬─ Section ── File ─┐
//	                      └─ Section ── File ─┤ Compose ──> db/migrations/<version>_<name>.sql
//	git tags v* ── Release ───────────────────┘                      │
//	                                 Check <─────────────────────────┘
//
// # The contents page
//
// schema.sql lists the files in the order in which they are loaded, in sections:
//
//	-- migration: 20261121000100_foundation — roles, the schema and its types
//	-- role: none
//	\ir roles.sql
//	\ir tasker.sql
//
// A section is one of the initial migrations. It runs as tasker_owner unless the comment block of its
// heading says "-- role: none".
//
// # Directives
//
// A schema file's down part drops the objects that the file creates. A file that needs another down part has it in
// its leading comment block: "-- down: <statement>;", on one or more lines, or "-- down: nothing".
//
// # Migrations
//
// A file is copied verbatim between "-- >>> db/schema/tables/kernel/state/tasks.sql" and "-- <<<". A drop stands
// between "-- >>> db/schema/functions/step/old.sql: dropped" and "-- <<<". Hand-written statements (table changes)
// stand between "-- >>> hand-written" and "-- <<< hand-written", once in the up part and once in the down part.
// Composing again keeps them.
//
// Both parts of a migration begin with a setting that keeps Citus from repeating the part on its worker nodes, which have none
// of the tables. Without Citus the setting has no effect, and any role may set it. The setting ends with the transaction.
//
// At the end of its up part a migration writes its sources into tasker.schema_builds: a line for each new or changed file, with
// its digest. executor/build_digest.go has the digest of all files, so that programs recognize a database of another build
// (package internal/made).
//
// An object that create or replace cannot change is dropped and created again, with all objects that depend on it. Such an object
// is a function with another signature, a row type (a view without rows) with other columns, or any other view. A row type that
// only gains columns is replaced in the up part, and dropped and created again in the down part.
//
// Until the first release the initial migrations are composed again in place (ComposeInitial). After the first release,
// ComposeNext makes a new migration from the changes.
package schema
