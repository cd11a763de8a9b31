package cli

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/worker"
)

// On a terminal each step of the demo takes long enough to be seen; a program that reads its output does not wait.
func TestDemo_RunsSlowlyOnATerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ran := func(context.Context, *worker.Step) (json.RawMessage, error) { return json.RawMessage(`"ran"`), nil }
		for watched, want := range map[bool]time.Duration{true: 300 * time.Millisecond, false: 0} {
			begun := time.Now()
			result, err := slowly(demoPause(watched))(ran)(t.Context(), nil)
			require.NoError(t, err)
			require.JSONEq(t, `"ran"`, string(result))
			require.Equal(t, want, time.Since(begun))
		}
	})
}
