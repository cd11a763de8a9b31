// Package crashtest kills workers, orchestrators and PostgreSQL with SIGKILL while they work. Afterwards every task has ended,
// no acknowledged result is lost, and no step's effect is recorded twice.
//
//	child_test.go    a worker or an orchestrator: this test's own binary, started again
//	fleet_test.go    many of these processes, and the tasks that they work on
//	crash_test.go    the tests
//
// PGTASKER_SOAK=1 makes the tests larger.
package crashtest
