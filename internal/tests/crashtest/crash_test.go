package crashtest

import (
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// size returns the number of tasks of a burst, and of sessions that are killed.
func size() (tasks, kills int) {
	if os.Getenv("PGTASKER_SOAK") != "" {
		return 400, 60
	}
	return 20, 4
}

func TestCrash_WorkersThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	tasks, kills := size()
	pool := pgtest.New(t)
	f := newFleet(t, pool, pgtest.URL(pool), "plain")
	for range 4 {
		f.start(roleWorker)
	}
	f.create(pool, tasks, false)
	for kill := range kills {
		// Each kill comes later in the run than the kill before.
		f.until("progress", func() bool { return f.progress() >= tasks*stepsPerTask*kill/(kills+1) })
		f.replace(kill % 4)
	}
	f.requireEnd(pool)
}

func TestCrash_APostgreSQLThatIsKilledLosesNothing(t *testing.T) {
	t.Parallel()
	tasks, kills := size()
	server := pgtest.StartPrivate(t)
	schema, err := pgdatabase.Project()
	require.NoError(t, err)
	databases, err := pgdatabase.Open(t.Context(), server.URL, schema)
	require.NoError(t, err)
	name, err := databases.CreateMigrated(t.Context())
	require.NoError(t, err)
	url := databases.URL(name)
	databases.Close()
	connect := func() *pgxpool.Pool {
		pool, err := pgxpool.New(t.Context(), url)
		require.NoError(t, err)
		return pool
	}

	pool := connect()
	f := newFleet(t, pool, url, "plain")
	for range 4 {
		f.start(roleWorker)
	}
	f.create(pool, tasks, false)
	for kill := range kills / 2 {
		f.until("progress", func() bool { return f.progress() >= tasks*stepsPerTask*(kill+1)/(kills/2+2) })
		pool.Close()
		require.NoError(t, server.Crash(t.Context()))
		pool = connect()
	}
	defer func() { pool.Close() }()
	f.requireEnd(pool)
}

func TestMultiInstance_ProcessesThatAreKilledLoseNothing(t *testing.T) {
	t.Parallel()
	tasks, kills := size()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	f := newFleet(t, pool, pgtest.URL(pool), "plain")
	for range 2 {
		f.start(roleOrchestrator)
	}
	for range 4 {
		f.start(roleWorker)
		f.start(roleRecorder)
	}
	for kill := range kills {
		// The holder is killed while it starts tasks and enqueues their steps, or processes results that recorders have recorded.
		// The orchestrators are stopped, so that no other process does this work.
		f.signal(roleOrchestrator, syscall.SIGSTOP)
		holder := f.start(roleHolder)
		f.create(pool, tasks/2, kill%2 == 0)
		holder.await(t, "holding")
		f.kill(holder)
		f.signal(roleOrchestrator, syscall.SIGCONT)
		f.replace(kill % len(f.processes[:10]))
	}
	f.requireEnd(pool)
}

func TestMultiInstance_WorkIsSharedEvenly(t *testing.T) {
	t.Parallel()
	const workers = 8
	tasks, _ := size()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	f := newFleet(t, pool, pgtest.URL(pool), "plain")
	for range 2 {
		f.start(roleOrchestrator)
	}
	for range workers {
		f.start(roleWorker)
	}
	for range 4 {
		f.create(pool, tasks, true)
	}
	f.requireEnd(pool)

	rows, err := executor.New(pool).ListWorkers(t.Context(), 0)
	require.NoError(t, err)
	fair := int64(len(f.tasks) * stepsPerTask / workers)
	for _, w := range rows {
		if w.Name == roleWorker {
			t.Logf("worker %s: %d of %d", w.WorkerUUID, w.ClaimedCount, fair)
			require.Greater(t, w.ClaimedCount, fair/5, "each worker claims at least a fifth of its share")
		}
	}
}
