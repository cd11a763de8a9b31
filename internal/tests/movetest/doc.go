// Package movetest moves systems at work to other servers with the commands of docs/backups.md: by a dump, from a base
// backup to a point in time, by pg_upgrade, and by logical replication to a newer PostgreSQL. Afterwards work goes on,
// and no step runs again whose result had been recorded.
package movetest
