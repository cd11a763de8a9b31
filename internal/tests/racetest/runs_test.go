package racetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const (
	request = "select task_uuid::text from tasker.create_task('shop', 'import')"
	running = "select count(*) from tasker.runs as r where r.state = 'running'"
)

// keyed registers a template of which one task runs at once.
func keyed(t *testing.T, further string) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	replayed(t, pool)
	_, err := pool.Exec(t.Context(), fmt.Sprintf(`select tasker.register_task_template('{"namespace": "shop", "name": "import", "identity_strategy": "always_unique",
		"runs": {"further": %q}, "steps": [{"name": "load"}]}')`, further))
	require.NoError(t, err)
	return pool
}

func TestRuns_TwoRequestsAtOnceNeitherWaitNorBothRun(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{true, false} {
		pool := keyed(t, "wait")
		first, second := begin(t, pool), begin(t, pool)
		_, err := first.Exec(t.Context(), request)
		require.NoError(t, err)
		_, err = second.Exec(t.Context(), "set local statement_timeout = '20s'; "+request)
		require.NoError(t, err, "the second request does not wait for the key")
		require.NoError(t, second.Commit(t.Context()))
		if commits {
			require.NoError(t, first.Commit(t.Context()))
		} else {
			require.NoError(t, first.Rollback(t.Context()))
		}
		require.Eventually(t, func() bool { return counted(t, pool, claimAll) == 1 }, 20*time.Second, 20*time.Millisecond, "a claim starts one of them")
		require.Zero(t, counted(t, pool, claimAll))
		require.Equal(t, 1, counted(t, pool, running))
	}
}

func TestRuns_AnEndThatIsNotCommittedKeepsItsPlace(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{true, false} {
		pool := keyed(t, "wait")
		text(t, pool, request)
		require.Equal(t, 1, counted(t, pool, claimAll))
		worker := begin(t, pool)
		require.Equal(t, 1, counted(t, worker, completeAll))
		text(t, pool, request)
		require.Zero(t, counted(t, pool, claimAll), "the place is not free before the commit")
		if commits {
			require.NoError(t, worker.Commit(t.Context()))
			require.Eventually(t, func() bool { return counted(t, pool, claimAll) == 1 }, 20*time.Second, 20*time.Millisecond, "the next task starts")
		} else {
			require.NoError(t, worker.Rollback(t.Context()))
			require.Zero(t, counted(t, pool, claimAll))
		}
		require.Equal(t, 1, counted(t, pool, running))
	}
}

// A request that may be skipped waits for the transaction that has the key.
func TestRuns_ARequestThatMayBeSkippedWaitsForTheKey(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{true, false} {
		pool := keyed(t, "skip")
		first, second := begin(t, pool), begin(t, pool)
		var task string
		require.NoError(t, first.QueryRow(t.Context(), request).Scan(&task))
		answer := async(t, second, request)
		pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
		if commits {
			require.NoError(t, first.Commit(t.Context()))
			require.Equal(t, outcome{text: task}, <-answer, "the first task stands for it")
		} else {
			require.NoError(t, first.Rollback(t.Context()))
			o := <-answer
			require.NoError(t, o.err)
			require.NotEqual(t, task, o.text)
		}
		require.NoError(t, second.Commit(t.Context()))
		require.Equal(t, 1, counted(t, pool, running))
	}
}
