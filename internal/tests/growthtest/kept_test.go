package growthtest_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A drop costs the same for many tasks as for few. A move costs a share for each kept task, and nothing for the tasks that it
// leaves behind. docs/howto/retention.md has the figures (go test -v).
func TestKept_AMoveCostsByKeptTasks(t *testing.T) {
	t.Parallel()
	dropFew, _ := retainOne(t, 300, 0)
	dropMany, _ := retainOne(t, 3000, 0)
	moveFew, _ := retainOne(t, 300, 300)
	moveOfMany, calls := retainOne(t, 3000, 300)
	moveMany, _ := retainOne(t, 3000, 3000)
	t.Logf("bytes of WAL: a drop %d to %d; a move of 300 tasks of 7 steps %d to %d, each %d bytes; of 3,000 tasks %d, each %d bytes",
		dropFew, dropMany, moveFew, moveOfMany, (moveOfMany-dropMany)/300, moveMany, (moveMany-dropMany)/3000)
	require.Less(t, dropMany, dropFew*2, "a drop does not depend on the tasks")
	require.Less(t, moveOfMany, moveFew*2, "tasks that are left behind, ten times as many, cost nothing") // The server may vacuum beside.
	require.Greater(t, moveMany, moveFew*3, "kept tasks cost")
	require.Equal(t, 2, calls, "few tasks are moved in a call to begin and one to end")
	_, calls = retainOne(t, 2500, 2500)
	require.Equal(t, 1+3, calls, "a batch has 1,000 tasks")
}

// retainOne applies retention to a range of ended tasks, of which some are kept longer, until it is dropped or moved. It returns
// the bytes of WAL, and how many calls it took.
func retainOne(t *testing.T, tasks, kept int) (wal, calls int) {
	t.Helper()
	pool := pgtest.New(t)
	e := direct.New(pool)
	makeOldRanges(t, pool, 1, tasks)
	if kept > 0 {
		exec(t, pool, `select tasker_test.register('kept', 'only')`)
		exec(t, pool, `select tasker.set_retention('test', 'kept', '1 year')`)
		exec(t, pool, `alter table tasker.tasks disable trigger tasks_refuse_key_update`)
		exec(t, pool, `update tasker.tasks set named_task_uuid = (select k.named_task_uuid from tasker.named_tasks as k where k.name = 'kept')
			where task_uuid in (select t.task_uuid from tasker.tasks as t order by t.task_uuid limit $1)`, kept)
		exec(t, pool, `alter table tasker.tasks enable always trigger tasks_refuse_key_update`)
	}
	// Pages are written to the log whole after a checkpoint, which would count the tasks' pages.
	exec(t, pool, `checkpoint`)
	before := lsn(t, pool)
	begun := time.Now()
	for {
		outcomes, err := e.ApplyRetention(t.Context())
		require.NoError(t, err)
		require.NotEmpty(t, outcomes)
		o := outcomes[len(outcomes)-1]
		if o.Outcome != "busy" {
			calls++
		}
		if o.Outcome == "dropped" || o.Outcome == "moved" {
			wal = lsn(t, pool) - before
			require.Equal(t, kept, scan[int](t, pool, `select count(*)::int from tasker.tasks`))
			t.Logf("%d tasks, %d kept: %d bytes of WAL, %d calls, %s", tasks, kept, wal, calls, time.Since(begun))
			return wal, calls
		}
	}
}

func lsn(t *testing.T, pool *pgxpool.Pool) int {
	t.Helper()
	return scan[int](t, pool, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint`)
}
