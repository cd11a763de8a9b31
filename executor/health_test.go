package executor_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestSystemHealthCounts_HealthScore(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		counts gen.SystemHealthCounts
		score  float64
		heavy  bool
	}{
		"no tasks":              {gen.SystemHealthCounts{MaxConnections: 100, ActiveConnections: 50}, 1, false},
		"all complete":          {gen.SystemHealthCounts{TotalTasks: 10, CompleteTasks: 10, MaxConnections: 100}, 1, false},
		"all failed":            {gen.SystemHealthCounts{TotalTasks: 10, ErrorTasks: 10, MaxConnections: 100}, 0.2, true},
		"half and half":         {gen.SystemHealthCounts{TotalTasks: 4, CompleteTasks: 2, MaxConnections: 100, ActiveConnections: 50}, 0.65, false},
		"no connection is left": {gen.SystemHealthCounts{TotalTasks: 1, CompleteTasks: 1, MaxConnections: 10, ActiveConnections: 12}, 0.8, true},
		"a fifth failed":        {gen.SystemHealthCounts{TotalTasks: 5, CompleteTasks: 4, ErrorTasks: 1, MaxConnections: 100}, 0.84, false},
		"connections unknown":   {gen.SystemHealthCounts{TotalTasks: 1, CompleteTasks: 1}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := executor.SystemHealthCounts{SystemHealthCounts: test.counts}
			require.InDelta(t, test.score, counts.HealthScore(), 1e-9)
			require.Equal(t, test.heavy, counts.IsUnderHeavyLoad())
		})
	}
}

func TestGetSystemHealthCounts_ScoresAsTheDatabaseDoes(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, state := range []string{"complete", "complete", "error", "steps_in_process"} {
		makeTaskIn(t, pool, state)
	}
	registry := executor.NewFunctionRegistry(pool)
	counts, err := registry.SystemHealth().GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.Nil(t, counts.RolledUpUntil, "nothing is counted before maintenance has run")
	require.Zero(t, counts.CompleteTasks)
	require.EqualValues(t, 1, counts.StepsInProcessTasks)

	_, err = registry.Analytics().RefreshAnalytics(t.Context())
	require.NoError(t, err)
	counts, err = registry.SystemHealth().GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, counts.CompleteTasks)
	require.EqualValues(t, 1, counts.ErrorTasks)
	require.EqualValues(t, 1, counts.OpenTasks())
	metrics, err := registry.Analytics().GetAnalyticsMetrics(t.Context(), nil)
	require.NoError(t, err)
	require.InDelta(t, counts.HealthScore(), metrics.SystemHealthScore, 0.05, "but for connections that came or went")
}

func TestRunMaintenance_OneSessionWorks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	job, ran, err := executor.New(tx).RunMaintenance(t.Context(), "rollups")
	require.NoError(t, err)
	require.True(t, ran)
	require.Equal(t, "rollups", job.Job)
	require.Nil(t, job.LastError)

	_, ran, err = e.RunMaintenance(t.Context(), "")
	require.NoError(t, err)
	require.False(t, ran, "the other session is at it")
	require.NoError(t, tx.Rollback(t.Context()))

	// It died: the work is undone and the lock is free.
	jobs, err := e.ListMaintenanceJobs(t.Context())
	require.NoError(t, err)
	for _, job := range jobs {
		require.Zero(t, job.Runs, job.Job)
	}
	var done []string
	for {
		job, ran, err := e.RunMaintenance(t.Context(), "")
		require.NoError(t, err)
		if !ran {
			break
		}
		require.Nil(t, job.LastError, job.Job)
		done = append(done, job.Job)
	}
	require.Equal(t, []string{"partitions", "rollups", "staleness", "analytics"}, done)
	_, _, err = e.RunMaintenance(t.Context(), "nothing of the kind")
	require.ErrorIs(t, err, executor.ErrNotFound)
}

// A transaction that commits after a rollup has passed its time must not be lost.
func TestRollups_CountWhatWasCommittedLate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	require.NoError(t, freeze(t, pool, time.Date(2026, 11, 21, 10, 0, 30, 0, time.UTC)))

	makeTaskIn(t, pool, "complete")
	late, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.ErrorIs(t, late.Rollback(t.Context()), pgx.ErrTxClosed) }()
	_, err = late.Exec(t.Context(), "select tasker_test.make_task_in('complete')")
	require.NoError(t, err)

	complete := func() int64 {
		t.Helper()
		_, err := e.RefreshAnalytics(t.Context())
		require.NoError(t, err)
		counts, err := e.GetSystemHealthCounts(t.Context())
		require.NoError(t, err)
		return counts.CompleteTasks
	}
	require.EqualValues(t, 1, complete())
	pass(t, pool, 10*time.Minute)
	require.EqualValues(t, 1, complete())
	require.NoError(t, late.Commit(t.Context()))
	require.EqualValues(t, 2, complete(), "it was written ten minutes ago")
	for range 3 {
		pass(t, pool, 10*time.Minute)
		require.EqualValues(t, 2, complete(), "and is counted once, whatever is settled")
	}
	var settled int64
	require.NoError(t, pool.QueryRow(t.Context(), "select sum(completed) from tasker.task_totals where settled").Scan(&settled))
	require.EqualValues(t, 2, settled)
	totals, err := e.GetWorkTotals(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 8, totals[0].StepResults)
}
