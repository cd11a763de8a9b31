package conformance

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
)

// requireCause waits until a handler has one incident, of this class and with this number of steps.
func (s *site) requireCause(t *testing.T, handler, class string, steps int64) {
	t.Helper()
	var found []gen.IncidentDetail
	require.Eventually(t, func() bool {
		_, err := s.pool.Exec(t.Context(), "select from tasker.judge_incidents()")
		require.NoError(t, err)
		found, err = s.e.ListIncidents(t.Context(), "", 0)
		require.NoError(t, err)
		found = slices.DeleteFunc(found, func(i gen.IncidentDetail) bool { return i.Subject != handler })
		return len(found) > 0 && found[0].Entries == steps
	}, within, 50*time.Millisecond, "the steps of the handler have one incident")
	require.Len(t, found, 1, "one cause")
	require.Contains(t, found[0].What, " fails: "+class)
}
