package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
)

// A state that the page does not know looks idle.
func TestLooks_KnowEveryState(t *testing.T) {
	t.Parallel()
	for _, s := range state.TaskStates() {
		require.Contains(t, looks, string(s), "a task's")
	}
	for _, s := range state.StepStates() {
		require.Contains(t, looks, string(s), "a step's")
	}
}
