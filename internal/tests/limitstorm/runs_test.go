package limitstorm

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// Two tasks of template pair with the same key run at the same time. Tasks of template line with the same key run one after the
// other, and some fail for good.
const (
	pair = `{"namespace": "storm", "name": "pair", "identity_strategy": "always_unique", "runs": {"key": "$.key", "max": 2},
		"steps": [{"name": "reserve", "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}}, {"name": "charge", "dependencies": ["reserve"],
		 "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}}]}`
	line = `{"namespace": "storm", "name": "line", "identity_strategy": "always_unique", "on_failure": "fail", "runs": {"key": "$.key", "sequence": true},
		"steps": [{"name": "label", "retry": {"max_attempts": 1}}, {"name": "send", "dependencies": ["label"], "retry": {"max_attempts": 1}}]}`
)

func TestStorm_RunsKeepTheirBoundAndTheirOrder(t *testing.T) {
	t.Parallel()
	tasks, crashes := pgtest.Number("PGTASKER_STORM_TASKS", 24), pgtest.Number("PGTASKER_STORM_CRASHES", 0)
	workers := pgtest.Number("PGTASKER_STORM_CLAIMERS", 8)
	pool, server := newPool(t, workers, crashes)
	s := &storm{pool: pool}
	for _, template := range []string{pair, line} {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}
	_, err := pool.Exec(t.Context(), `
		select tasker.set_setting('max_lost', '1000');
		select count(*) from unnest('{pair,line}'::text[]) as n (name) cross join lateral tasker.create_tasks('storm', n.name,
			array(select jsonb_build_object('key', (i % 4)::text, 'fails', n.name = 'line' and i % 6 = 1) from generate_series(1, `+strconv.Itoa(tasks/2)+`) as i))`)
	require.NoError(t, err)

	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	var others sync.WaitGroup
	for range workers {
		others.Go(func() { s.work(working) })
	}
	others.Go(func() { s.terminate(working) })
	others.Go(func() { s.operate(working) })
	ended := func(atLeast int) {
		require.Eventually(t, func() bool {
			var n int
			return pool.QueryRow(ctx, "select count(*) from tasker.tasks where complete").Scan(&n) == nil && n >= atLeast
		}, 5*time.Minute, 20*time.Millisecond, "%d tasks end: none waits for good", atLeast)
	}
	for i := range crashes {
		ended(tasks / 2 * (i + 1) / (crashes + 2))
		require.NoError(t, server.Crash(ctx))
	}
	ended(tasks / 2 * 2)
	done()
	others.Wait()
	pool.Reset()
	_, err = pool.Exec(ctx, `select tasker.skip_blocked_run(r.task_uuid, 'the storm is over') from tasker.list_runs('storm') as r where r.held_by = 'blocked' and r.state = 'running';
		select tasker.fire_due_timers()`)
	require.NoError(t, err)

	count := func(sql string) (n int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(ctx, `with jobs as (
			select p.name, t.context ->> 'key' as key, t.task_uuid, t.state, t.started_at as began, t.completed_at as ended
			  from tasker.tasks as t join tasker.creation_plans as p on p.named_task_uuid = t.named_task_uuid) `+sql).Scan(&n))
		return n
	}
	require.LessOrEqual(t, count(`select max(x.n) from (select sum(e.n) over (partition by j.name, j.key order by e.at, e.n) as n
		from jobs as j cross join lateral (values (j.began, 1), (j.ended, -1)) as e (at, n) where j.name = 'pair') as x`), 2, "tasks of a key that run at once")
	require.Zero(t, count(`select count(*) from jobs as a join jobs as b using (name, key)
		where a.name = 'line' and b.began > a.began and b.began < a.ended`), "tasks of a sequence run one after the other")
	require.Zero(t, count("select count(*) from jobs as a join jobs as b using (name, key) where a.task_uuid < b.task_uuid and a.began > b.began"), "and in their order")
	require.Positive(t, count("select count(*) from jobs as j where j.state = 'error'"), "some held up their sequence")
	require.Zero(t, count("select count(*) from tasker.runs"))
	require.Zero(t, count("select count(*) from tasker.timers as m where m.kind in ('start_task', 'serve_run', 'hold_task')"))
	require.Zero(t, count("select count(*) from tasker.check_integrity()"))
}

// operate skips tasks that hold up their sequence, and pauses, changes and resumes tasks.
func (s *storm) operate(ctx context.Context) {
	for ctx.Err() == nil {
		for _, statement := range []string{
			"select tasker.skip_blocked_run(r.task_uuid, 'storm') from tasker.list_runs('storm') as r where r.held_by = 'blocked' and r.state = 'running' limit 1",
			"select tasker.pause_task(t.task_uuid, 'storm') from tasker.tasks as t where not t.complete order by random() limit 1",
			"select tasker.change_task(t.task_uuid, (random() * 10)::integer) from tasker.tasks as t where not t.complete order by random() limit 1",
			"select tasker.resume_task(m.task_uuid) from tasker.timers as m where m.kind = 'hold_task' limit 1",
		} {
			_, _ = s.pool.Exec(ctx, statement) // the task may have ended since
		}
		time.Sleep(10 * time.Millisecond)
	}
}
