// Package upgradetest proves how a database goes from one release to the next.
//
// The migrations of this tree stand for a release. A later migration is composed from edits of db/schema, as "make migration
// name=…" composes it from the tree's own edits after the first tag, and is applied to a database that is filled and at work.
//
//	judge           what a migration did: rewrites, scans, rows written, locks, and the calls that it took away
//	TestLater_*     planted migrations: each kind that the rules refuse is found, the allowed ones pass
//	TestUpgrade_*   old and new workers at work while a migration is applied and taken back
//
// docs/contributing.md has the rules for people who write a migration.
package upgradetest
