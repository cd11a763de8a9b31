// Package upgradetest tests upgrades of a database from one release to the next.
//
// The migrations of this tree stand for a release. A later migration is composed from edits of db/schema, as "make migration
// name=…" composes a migration from the tree's own edits after the first tag. The tests apply it to a filled database while
// workers run.
//
//	judge           the effects of a migration: rewrites, scans, rows written, locks, and the calls that it removed
//	TestLater_*     planted migrations: the rules refuse each forbidden kind, and accept the allowed kinds
//	TestUpgrade_*   old and new workers at work while a migration is applied and undone
//
// docs/contributing.md has the rules for people who write a migration.
package upgradetest
