package cli

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUndoLine_SaysHowFarATaskIs(t *testing.T) {
	t.Parallel()
	for raw, line := range map[string]string{
		``: "",
		`{"phase": "drain", "event": "Cancel", "to_state": "cancelled", "actor": "ann"}`: "Cancel by ann: waits for steps in progress, then for compensations; will be cancelled",
		`{"phase": "undo", "event": "Timeout", "to_state": "error"}`:                     "Timeout: compensations run; will be error",
		`{"phase": "done", "event": "GiveUp", "to_state": "error"}`:                      "GiveUp: all compensations are done, or were given up",
	} {
		require.Equal(t, line, undoLine(json.RawMessage(raw)))
	}
}
