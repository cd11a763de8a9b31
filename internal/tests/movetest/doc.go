// Package movetest moves systems at work to other servers with the commands of docs/backups.md: by a dump, from a base backup
// to a point in time, by pg_upgrade, and by logical replication to a newer PostgreSQL. After the move the work continues. A
// step whose result was recorded before the move does not run again.
package movetest
