package executor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestAnalytics_FiltersByWhatIsGiven(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeTaskIn(t, pool, "complete")
	analytics := executor.New(pool)
	until, err := analytics.RefreshAnalytics(t.Context())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), until, time.Minute)

	steps, err := analytics.GetSlowestSteps(t.Context(), sqlfn.GetSlowestStepsParams{})
	require.NoError(t, err)
	require.Len(t, steps, 4)
	steps, err = analytics.GetSlowestSteps(t.Context(), sqlfn.GetSlowestStepsParams{
		Since: time.Now().Add(-time.Hour), Limit: 1, Namespace: "test", TaskName: "diamond", Version: "0.1.0",
	})
	require.NoError(t, err)
	require.Len(t, steps, 1)
	tasks, err := analytics.GetSlowestTasks(t.Context(), sqlfn.GetSlowestTasksParams{Namespace: "elsewhere"})
	require.NoError(t, err)
	require.Empty(t, tasks)
	tasks, err = analytics.GetSlowestTasks(t.Context(), sqlfn.GetSlowestTasksParams{})
	require.NoError(t, err)
	require.Len(t, tasks, 1)
	require.EqualValues(t, 1, tasks[0].ExecutionCount)

	hour := time.Hour
	series, err := analytics.GetThroughput(t.Context(), time.Time{}, hour, "")
	require.NoError(t, err)
	require.NotEmpty(t, series)
	_, err = analytics.RebuildAnalytics(t.Context())
	require.NoError(t, err)
}

func TestAudit_ProvesThatNothingIsMissing(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeTaskIn(t, pool, "complete")
	audit := executor.New(pool)
	rows, err := audit.GetAuditByTimeRange(t.Context(), sqlfn.GetAuditByTimeRangeParams{Since: time.Now().Add(-time.Hour)})
	require.NoError(t, err)
	require.Len(t, rows, 4)
	problems, err := audit.CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, problems)
}
