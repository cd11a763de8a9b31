package state_test

import (
	"fmt"

	"github.com/pgtasker/pgtasker/state"
)

// What a state means, without asking the database.
func ExampleTaskState_IsTerminal() {
	for _, s := range []state.TaskState{state.TaskComplete, state.TaskError, state.TaskBlockedByFailures} {
		fmt.Println(s, s.IsTerminal())
	}
	// Output:
	// complete true
	// error true
	// blocked_by_failures false
}

// The states of a step after which the steps that depend on it may run.
func ExampleStepStates() {
	for _, s := range state.StepStates() {
		if s.SatisfiesDependencies() {
			fmt.Println(s)
		}
	}
	// Output:
	// complete
	// resolved_manually
}
