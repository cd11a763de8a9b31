// Package upgradetest proves how a database goes from one release to the next.
//
// The migrations of this tree stand for a release. A later migration is composed from edits of db/schema, as "make migration
// name=…" composes a migration from the tree's own edits after the first tag. It is applied to a filled database at work.
//
//	judge           the effects of a migration: rewrites, scans, rows written, locks, and the calls that it removed
//	TestLater_*     planted migrations: each kind that the rules refuse is found, the allowed migrations pass
//	TestUpgrade_*   old and new workers at work while a migration is applied and undone
//
// docs/contributing.md has the rules for people who write a migration.
package upgradetest
