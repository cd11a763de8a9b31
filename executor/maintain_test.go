package executor_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestSystemHealthCounts_HealthScore(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		counts executor.SystemHealthCounts
		score  float64
		heavy  bool
	}{
		"no tasks":              {executor.SystemHealthCounts{MaxConnections: 100, ActiveConnections: 50}, 1, false},
		"all complete":          {executor.SystemHealthCounts{TotalTasks: 10, CompleteTasks: 10, MaxConnections: 100}, 1, false},
		"all failed":            {executor.SystemHealthCounts{TotalTasks: 10, ErrorTasks: 10, MaxConnections: 100}, 0.2, true},
		"half and half":         {executor.SystemHealthCounts{TotalTasks: 4, CompleteTasks: 2, MaxConnections: 100, ActiveConnections: 50}, 0.65, false},
		"no connection is left": {executor.SystemHealthCounts{TotalTasks: 1, CompleteTasks: 1, MaxConnections: 10, ActiveConnections: 12}, 0.8, true},
		"a fifth failed":        {executor.SystemHealthCounts{TotalTasks: 5, CompleteTasks: 4, ErrorTasks: 1, MaxConnections: 100}, 0.84, false},
		"connections unknown":   {executor.SystemHealthCounts{TotalTasks: 1, CompleteTasks: 1}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := test.counts
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
	require.Nil(t, counts.RolledUpUntil, "maintenance has not run")
	require.EqualValues(t, 2, counts.CompleteTasks, "what has ended since is counted all the same")
	require.EqualValues(t, 1, counts.StepsInProcessTasks)

	_, err = registry.Analytics().RefreshAnalytics(t.Context())
	require.NoError(t, err)
	counts, err = registry.SystemHealth().GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, counts.CompleteTasks)
	require.EqualValues(t, 1, counts.ErrorTasks)
	require.EqualValues(t, 1, counts.OpenTasks())
	metrics, err := registry.Analytics().GetAnalyticsMetrics(t.Context(), time.Time{})
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
	all, err := e.Maintain(t.Context())
	require.NoError(t, err)
	var done []string
	for _, job := range all {
		require.Nil(t, job.LastError, job.Job)
		if job.Job != "statistics" || !slices.Contains(done, job.Job) { // one row for each table
			done = append(done, job.Job)
		}
	}
	require.Equal(t,
		[]string{"partitions", "rollups", "staleness", "analytics", "retention", "identities", "archives", "statistics", "schedules"}, done)
	_, _, err = e.RunMaintenance(t.Context(), "nothing of the kind")
	require.ErrorIs(t, err, executor.ErrNotFound)
}

// Old ranges are dropped in a transaction each: a call that is cancelled in the middle leaves the rest to the next one.
func TestMaintain_GoesOnWhereADeadInstanceStopped(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	exec(t, pool, "select tasker_test.start_year('2050-03-06 12:00+00', '7 days', '21 days')")
	exec(t, pool, "select tasker_test.pass('60 days')")
	expired := func() (n int) {
		require.NoError(t, pool.QueryRow(t.Context(), "select expired from tasker.partition_status()").Scan(&n))
		return n
	}
	before := expired()
	require.Greater(t, before, 2)

	first, ran, err := e.RunMaintenance(t.Context(), "retention")
	require.NoError(t, err)
	require.True(t, ran)
	require.True(t, first.MoreDue)
	require.Equal(t, before-1, expired())

	dying, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	exec(t, dying, "begin")
	exec(t, dying, "select from tasker.run_maintenance('retention')")
	exec(t, pool, "select pg_terminate_backend($1)", dying.Conn().PgConn().PID())
	_, err = dying.Exec(t.Context(), "commit")
	require.Error(t, err)
	dying.Release()
	require.Eventually(t, func() bool { // until the server has noticed, the dead one still has its locks
		var free bool
		err := pool.QueryRow(t.Context(), "select tasker.try_turn('maintenance')").Scan(&free)
		return err == nil && free
	}, 20*time.Second, 10*time.Millisecond)
	require.Equal(t, before-1, expired(), "what it had begun is undone")

	_, err = e.Maintain(t.Context())
	require.NoError(t, err)
	require.Zero(t, expired(), "it was still due, and so was all that it had not come to")
}

func TestMaintain_InstancesShareTheWork(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(5))
	e := executor.New(pool)
	exec(t, pool, "select tasker_test.start_year('2050-03-06 12:00+00', '7 days', '21 days')")
	exec(t, pool, "select tasker_test.pass('60 days')")
	exec(t, pool, "update tasker.maintenance_jobs set runs = 0, last_finished_at = null")

	rows := make([][]executor.MaintenanceJob, 4)
	failed := make([]error, len(rows))
	var instances sync.WaitGroup
	for i := range rows {
		instances.Go(func() { rows[i], failed[i] = e.Maintain(t.Context()) })
	}
	instances.Wait()
	require.NoError(t, errors.Join(failed...))
	rest, err := e.Maintain(t.Context()) // what the last of them left, when it found another at it
	require.NoError(t, err)

	runs := map[string]int64{}
	for _, job := range slices.Concat(append(rows, rest)...) {
		require.Nil(t, job.LastError, job.Job)
		runs[job.Job]++
	}
	jobs, err := e.ListMaintenanceJobs(t.Context())
	require.NoError(t, err)
	for _, job := range jobs {
		require.Equal(t, runs[job.Job], job.Runs, job.Job)
		require.False(t, job.MoreDue, job.Job)
	}
	require.EqualValues(t, 1, runs["rollups"], "what one has done the others do not do again")
	require.EqualValues(t, 1, runs["analytics"])
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
	// In an hour it is settled whatever transactions are open elsewhere on the server.
	for range 9 {
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
