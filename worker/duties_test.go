package worker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// runs returns how often each duty has run.
func (s *shop) runs() map[string]int64 {
	s.t.Helper()
	duties, err := s.ListMaintenanceDuties(s.t.Context())
	require.NoError(s.t, err)
	runs := map[string]int64{}
	for _, duty := range duties {
		runs[duty.Duty] = duty.Runs
		require.Nil(s.t, duty.LastError, duty.Duty)
	}
	return runs
}

func TestRun_DoesThePeriodicDutiesThatDeleteNothing(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	_, err := s.pool.Exec(t.Context(), "update tasker.maintenance_duties set last_finished_at = null, runs = 0")
	require.NoError(t, err)
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", nothing)
	start(t, w)
	s.wait(s.create("job", `{}`), state.TaskComplete)
	until(t, func() bool {
		runs := s.runs()
		return runs["partitions"] > 0 && runs["rollups"] > 0 && runs["statistics"] > 0
	}, func() string { return fmt.Sprint(s.runs()) })
	runs := s.runs()
	for _, duty := range []string{"staleness", "analytics", "retention", "identities", "archives"} {
		require.Zero(t, runs[duty], duty)
	}
}
