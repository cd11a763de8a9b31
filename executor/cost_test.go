package executor_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Discovery and health must cost the same however many tasks have ended. The test compares buffers, which are the same on
// any machine; it has a database of its own, so that dead rows of other tests do not count.
func TestDiscoveryAndHealth_CostTheSameHoweverManyTasksHaveEnded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `
		select tasker_test.register_diamond();
		select count(tasker_test.make_task()) from generate_series(1, 200);
		analyze tasker.tasks, tasker.workflow_steps, tasker.waiting_tasks`)
	require.NoError(t, err)

	for name, query := range map[string]string{
		"discovery": "select * from tasker.get_next_ready_tasks(20)",
		"health":    "select * from tasker.get_system_health_counts()",
		"staleness": "select * from tasker.get_stale_tasks_for_dlq()",
	} {
		finish(t, pool, 1_000) // The first thousand make the indexes a level deeper.
		before := buffers(t, pool, query)
		finish(t, pool, 10_000)
		after := buffers(t, pool, query)
		require.Less(t, float64(after), 1.25*float64(before), "%s: %d buffers, %d before 10,000 more tasks had ended", name, after, before)
	}
}

// finish creates tasks that have ended.
func finish(t *testing.T, pool *pgxpool.Pool, tasks int) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `
		insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id, state, complete, completed_at)
		select u, k.named_task_uuid, u, 'complete', true, tasker.clock()
		  from unnest(tasker.mint_task_uuids($1, tasker.clock() + interval '1 day')) as u
		 cross join (select named_task_uuid from tasker.named_tasks limit 1) as k`, tasks)
	require.NoError(t, err)
}

// buffers returns how many buffers a planned query touches. Planning reads thousands of buffers of the catalogs, and an
// ANALYZE by autovacuum may cause the next call to plan again, so it returns the least of three calls.
func buffers(t *testing.T, pool *pgxpool.Pool, query string) (touched int64) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `
		select min(tasker_test.buffers($1)) from generate_series(1, 3)`, query).Scan(&touched))
	return touched
}

// The cost of a read of the feed depends on what it returns, not on the number of earlier events. It may also read the
// other pages of a range of the BRIN indexes.
func TestReadEvents_CostsWhatItReturns(t *testing.T) {
	t.Parallel()
	pool := newFeed(t, executor.FeedFilter{})
	reader := uuid.MustParse("01980000-0000-7000-8000-00000000000b")
	work := func(tasks int) {
		_, err := pool.Exec(t.Context(), "select tasker.create_task('shop', 'sale', '{}') from generate_series(1, $1)", tasks)
		require.NoError(t, err)
	}
	// The events of earlier tasks have been read, those of 200 new ones have not.
	prepare := func() {
		drain(t, pool, reader, 1000)
		work(200)
		_, err := pool.Exec(t.Context(), "select tasker.summarize_new_pages()")
		require.NoError(t, err)
	}
	read := func(rows int) int64 {
		return buffers(t, pool, fmt.Sprintf("select * from tasker.read_events('all', '%s', %d)", reader, rows))
	}
	work(500)
	prepare()
	few, many := read(40), read(400)
	require.Less(t, many, 15*few, "the cost is linear in the events that it returns")
	work(800)
	prepare()
	later := read(40)
	t.Logf("40 events: %d buffers, 400: %d, 40 behind 800 tasks more: %d", few, many, later)
	require.Less(t, later, few+100, "the cost does not depend on later events")
}
