package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
)

func TestPlain_WritesWhatAPointerPointsTo(t *testing.T) {
	t.Parallel()
	blocked := state.TaskState("blocked_by_failures")
	require.Equal(t, "blocked_by_failures", plain(&blocked))
	require.Equal(t, "blocked_by_failures", plain(blocked))
	require.Equal(t, "<nil>", plain(nil))
	require.NotEqual(t, "idle", functions["look"].(func(any) look)(&blocked).Class, "a state behind a pointer has its own look")
}
