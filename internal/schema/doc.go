// Package schema keeps the two forms of the database schema in step: db/schema, one readable file per
// object, which people edit, and db/migrations, which ships and never changes after a release.
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
// A schema file's down part is the drop of what it creates. A file that needs another one says so in
// its leading comment block: "-- down: <statement>;", one or more lines, or "-- down: nothing".
//
// # Migrations
//
// A file is copied verbatim between "-- >>> db/schema/tables/kernel/state/tasks.sql" and "-- <<<". A drop stands
// between "-- >>> db/schema/functions/step/old.sql: dropped" and "-- <<<". What people write by hand
// (table changes) stands between "-- >>> hand-written" and "-- <<< hand-written", once in the up part
// and once in the down part, and survives composing again.
//
// Both parts begin by keeping Citus from repeating them on its worker nodes, which have none of the tables. Where there
// is no Citus the setting is a name without meaning, which any role may set, and it ends with the transaction.
//
// At the end of its up part a migration writes into tasker.schema_builds what it was composed of: a line for each file that is
// new or changed, with its digest. executor/build_digest.go has the digest of all of them, so that programs can tell a database of
// another build (package internal/made).
//
// An object that create or replace cannot change is dropped and created again, with all that depends on it: a function with another
// signature, a row type (a view without rows) whose columns are others, any other view. A row type that only gains columns is
// replaced in the up part, and dropped and created again in the down part.
//
// Until the first release the initial migrations are composed again in place (ComposeInitial). After
// it, ComposeNext makes a new migration of what has changed.
package schema
