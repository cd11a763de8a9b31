// Package pgtest gives each test a PostgreSQL database of its own.
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
//	func TestClaim_SkipsCancelledTasks(t *testing.T) {
//		t.Parallel()
//		pool := pgtest.New(t)
//		…
//	}
//
// In this order:
//
//	pgtest.New(t)
//	   │ the first time in this process
//	   ├─ server    PGTASKER_TEST_DATABASE_URL, or a private cluster from the
//	   │            binaries on this machine, or Docker        (package pgserver)
//	   ├─ template  migrated, fixtures of pgtap/fixtures loaded, built once for
//	   │            all processes that share the server      (package pgdatabase)
//	   │ each time
//	   ├─ database  create database … template …
//	   └─ cleanup   closes the pool and drops the database
//	pgtest.Main(m)
//	   └─ after the tests: stops the server, then looks for leaked goroutines
//
// go test starts a process per package, and so a server per package, which costs about a second each. make test saves
// this time. go run ./internal/cmd/pgtest run starts one server for a whole command. psql and pgTAP use the same
// databases (go run ./internal/cmd/pgtest psql, … pgtap).
//
// This package imports the root package and migrate. Their tests can use it
// from an external test package (pgtasker_test, migrate_test).
package pgtest
