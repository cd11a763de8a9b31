package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/state"
)

// A state that the tool does not know looks pending.
func TestStepLook_KnowsEveryState(t *testing.T) {
	t.Parallel()
	help := (&app{}).taskShow().Long
	for _, s := range state.StepStates() {
		l := stepLook(s)
		if s != state.StepPending {
			require.NotEqual(t, stepLook(state.StepPending), l, "%s looks pending: add it to stepLook in states.go", s)
		}
		require.Contains(t, help, l.symbol+" ", "the help of task show (task.go) does not explain the symbol of %s", s)
		var b bytes.Buffer
		require.NoError(t, (&term.Output{Writer: &b, ASCII: true}).Print(l.symbol))
		require.Regexp(t, "^[!-~]$", b.String(), "add an ASCII character for the symbol of %s to plainer in internal/term/table.go", s)
	}
}
