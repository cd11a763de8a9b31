// Package crashtest kills workers, orchestrators and PostgreSQL with SIGKILL while they work, and looks at
// what is left: every task ends, nothing that was answered is lost, no step's effect is recorded twice.
//
//	child_test.go    a worker or an orchestrator: this test's own binary, started again
//	fleet_test.go    many of them, and the tasks that they work on
//	crash_test.go    the tests
//
// PGTASKER_SOAK=1 makes them larger.
package crashtest
