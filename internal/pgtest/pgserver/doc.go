// Package pgserver provides the PostgreSQL server that tests run against, and
// makes sure that it does not outlive them.
//
// [Start] takes the first server that it finds in this order:
//
//	PGTASKER_TEST_DATABASE_URL   a server that is already running
//	PGTASKER_TEST_PGBIN          a private cluster from the binaries in this directory,
//	PATH                         or from the binaries of pg_config --bindir or of postgres,
//	/usr/lib/postgresql/*/bin    or the newest of these
//	Docker                       a container, through the nested module dockerpg
//
// PGTASKER_TEST_SERVER=binaries or =docker skips the other kind.
//
// # A private cluster
//
// All files of a cluster are in one directory of mode 0700, including the Unix socket, which is the only way to
// connect. The directory is in memory (/dev/shm) if there is room, else in the temporary directory. It belongs to the
// current user. If the current user is root, it belongs to "postgres" or "nobody", because PostgreSQL refuses to run
// as root.
//
//	pgtasker-test-1234567/   locked (flock on the directory itself) by the test process
//	  server.lock            locked by the server's processes, who inherit it
//	  server.log
//	  data/                  initdb --no-sync, runs with fsync off
//	  .s.PGSQL.5432          the socket
//
// The first of three events ends the cluster:
//
//   - [Server.Stop] shuts the server down and removes the directory.
//   - When the test process dies, even of SIGKILL, the kernel sends the
//     postmaster SIGQUIT (Pdeathsig, on Linux). Pdeathsig depends on the thread
//     that forked, so a goroutine keeps this thread until the postmaster has ended.
//   - The next [Start] of a user with the rights removes directories without an
//     owner, whose lock can be taken. The file server.lock shows that a directory
//     is a cluster's. If a server still has this file locked, [Start] makes the
//     server quit and waits for its end before it removes the directory.
//
// A container ends when the standard input of the process that started it is closed. The kernel closes it when the
// test process dies.
package pgserver
