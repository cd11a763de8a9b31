package ui

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

func TestVerdict_SaysAFewHandlersThatNoWorkerHas(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for handlers, said := range map[int]int{0: 0, 1: 1, 3: 3, 4: 4, 5: 4, 100: 4} {
		var v verdict
		v.note(make([]executor.UnservedStep, handlers), noon)
		require.Len(t, v.Notes, said, handlers)
		if handlers == 100 {
			require.Equal(t, finding{"97 more handlers have ready steps but no running worker.", "/ui/workers"}, v.Notes[3])
		}
	}
}
