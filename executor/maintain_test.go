package executor_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
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
	registry := (*executor.FunctionRegistry)(executor.NewClient(pool))
	counts, err := registry.SystemHealth().GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.Nil(t, counts.RolledUpUntil, "maintenance has not run")
	require.EqualValues(t, 2, counts.CompleteTasks, "tasks that ended since then are counted as well")
	require.EqualValues(t, 1, counts.StepsInProcessTasks)

	_, err = registry.Analytics().RefreshAnalytics(t.Context())
	require.NoError(t, err)
	counts, err = registry.SystemHealth().GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, counts.CompleteTasks)
	require.EqualValues(t, 1, counts.ErrorTasks)
	metrics, err := registry.Analytics().GetAnalyticsMetrics(t.Context(), time.Time{})
	require.NoError(t, err)
	require.InDelta(t, counts.HealthScore(), metrics.SystemHealthScore, 0.05, "the scores are equal, apart from connections opened in between")
}

func TestRunMaintenance_OneSessionWorks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	duty, ran, err := direct.New(tx).RunMaintenance(t.Context(), "rollups")
	require.NoError(t, err)
	require.True(t, ran)
	require.Equal(t, "rollups", duty.Duty)
	require.Nil(t, duty.LastError)

	_, ran, err = e.RunMaintenance(t.Context(), "")
	require.NoError(t, err)
	require.False(t, ran, "another session runs the job")
	require.NoError(t, tx.Rollback(t.Context()))

	// The instance has died: its work is rolled back and its lock is free.
	duties, err := e.ListMaintenanceDuties(t.Context())
	require.NoError(t, err)
	for _, duty := range duties {
		require.Zero(t, duty.Runs, duty.Duty)
	}
	all, err := e.Maintain(t.Context())
	require.NoError(t, err)
	var done []string
	for _, duty := range all {
		require.Nil(t, duty.LastError, duty.Duty)
		if duty.Duty != "statistics" || !slices.Contains(done, duty.Duty) { // one row for each table
			done = append(done, duty.Duty)
		}
	}
	require.Equal(t,
		[]string{
			"partitions", "rollups", "staleness", "analytics", "retention", "identities", "archives", "statistics", "schedules",
			"incidents", "mass_actions",
		}, done)
	_, _, err = e.RunMaintenance(t.Context(), "nothing of the kind")
	require.ErrorIs(t, err, executor.ErrNotFound)
}

// Each old range is dropped in a transaction of its own. A call that is cancelled in the middle leaves the rest to the next.
func TestMaintain_GoesOnWhereADeadInstanceStopped(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
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
	require.Eventually(t, func() bool { // the dead session keeps its locks until the server notices
		var free bool
		err := pool.QueryRow(t.Context(), "select tasker.try_turn('maintenance')").Scan(&free)
		return err == nil && free
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, before-1, expired(), "what it had begun is undone")

	_, err = e.Maintain(t.Context())
	require.NoError(t, err)
	require.Zero(t, expired(), "the interrupted job and the jobs after it are done")
}

func TestMaintain_InstancesShareTheWork(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(5))
	e := direct.New(pool)
	exec(t, pool, "select tasker_test.start_year('2050-03-06 12:00+00', '7 days', '21 days')")
	exec(t, pool, "select tasker_test.pass('60 days')")
	exec(t, pool, "update tasker.maintenance_duties set runs = 0, last_finished_at = null")

	rows := make([][]gen.MaintenanceDuty, 4)
	failed := make([]error, len(rows))
	var instances sync.WaitGroup
	for i := range rows {
		instances.Go(func() { rows[i], failed[i] = e.Maintain(t.Context()) })
	}
	instances.Wait()
	require.NoError(t, errors.Join(failed...))
	rest, err := e.Maintain(t.Context()) // the last call leaves work if another one held the lock
	require.NoError(t, err)

	runs := map[string]int64{}
	for _, duty := range slices.Concat(append(rows, rest)...) {
		require.Nil(t, duty.LastError, duty.Duty)
		runs[duty.Duty]++
	}
	duties, err := e.ListMaintenanceDuties(t.Context())
	require.NoError(t, err)
	for _, duty := range duties {
		require.Equal(t, runs[duty.Duty], duty.Runs, duty.Duty)
		require.False(t, duty.MoreDue, duty.Duty)
	}
	require.EqualValues(t, 1, runs["rollups"], "an instance does not repeat a job of another instance")
	require.EqualValues(t, 1, runs["analytics"])
}

// A transaction that commits after a rollup has passed its time must not be lost.
func TestRollups_CountWhatWasCommittedLate(t *testing.T) {
	t.Parallel()
	t.Run("alone", func(t *testing.T) {
		t.Parallel()
		countsWhatWasCommittedLate(t, pgtest.New(t))
	})
	t.Run("beside an older transaction", func(t *testing.T) {
		t.Parallel()
		pool := pgtest.New(t)
		older, err := pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = older.Exec(t.Context(), "select pg_current_xact_id()")
		require.NoError(t, err)
		countsWhatWasCommittedLate(t, pool)
		require.NoError(t, older.Rollback(t.Context()))
	})
}

func countsWhatWasCommittedLate(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	e := direct.New(pool)
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
	require.EqualValues(t, 2, complete(), "the row that was written ten minutes ago is counted")
	// After two hours it is settled, even if other transactions are open on the server: the first of them settles what was
	// written before its minute.
	for range 15 {
		pass(t, pool, 10*time.Minute)
		require.EqualValues(t, 2, complete(), "later rollups do not count it again")
	}
	var settled int64
	require.NoError(t, pool.QueryRow(t.Context(), "select sum(completed) from tasker.task_totals where settled").Scan(&settled))
	require.EqualValues(t, 2, settled)
	totals, err := e.GetWorkTotals(t.Context(), true)
	require.NoError(t, err)
	require.EqualValues(t, 8, totals[0].StepResults)
}
