package ui

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
)

// A state that the page does not know looks idle.
func TestLooks_KnowEveryState(t *testing.T) {
	t.Parallel()
	for _, s := range state.TaskStates() {
		require.Contains(t, looks, string(s), "add the task state %s to looks in internal/ui/look.go", s)
	}
	for _, s := range state.StepStates() {
		require.Contains(t, looks, string(s), "add the step state %s to looks in internal/ui/look.go", s)
	}
}

// A browser shows nothing for a shape that is not drawn, and no colour for a class without one.
func TestLooks_HaveADrawnShapeAndAColour(t *testing.T) {
	t.Parallel()
	shapes, err := htmlFiles.ReadFile("html/symbols.html")
	require.NoError(t, err)
	style, err := staticFiles.ReadFile("static/style.css")
	require.NoError(t, err)
	for state, l := range looks {
		if !regexp.MustCompile(`<symbol id="i-` + l.Icon + `"`).Match(shapes) {
			t.Errorf("state %s: internal/ui/html/symbols.html has no symbol i-%s", state, l.Icon)
		}
		if !regexp.MustCompile(`\.` + l.Class + ` \{ --c: `).Match(style) {
			t.Errorf("state %s: internal/ui/static/style.css has no class %s that sets --c", state, l.Class)
		}
	}
}
