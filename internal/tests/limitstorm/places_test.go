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
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// transfer has steps of two units and of one unit under the same limit. The steps of two units hold an account over
// their retries.
const transfer = `{"namespace": "storm", "name": "transfer", "identity_strategy": "always_unique", "steps": [
	{"name": "reserve", "limit": "account", "limit_key": "$.key", "limit_hold": "run", "limits": [{"limit": "bank", "limit_units": 2}, "api"],
	 "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "label", "limit": "bank", "limits": ["api"], "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "charge", "limit": "bank", "dependencies": ["reserve"], "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "send", "limit": "api", "dependencies": ["charge"], "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}}]}`

func TestStorm_StepsTakeAllOfTheirPlacesOrNone(t *testing.T) {
	t.Parallel()
	tasks := pgtest.Number("PGTASKER_STORM_TASKS", 40)
	workers := pgtest.Number("PGTASKER_STORM_CLAIMERS", 12)
	pool := pgtest.New(t, pgtest.MaxConns(int32(workers+8)))
	s := &storm{pool: pool}
	_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(transfer))
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `
		select tasker.set_setting('max_lost', '1000');
		select tasker.set_limit('storm', 'account', 1);
		select tasker.set_limit('storm', 'bank', 5);
		select tasker.set_limit('storm', 'api', 3);
		select from tasker.create_tasks('storm', 'transfer',
			array(select jsonb_build_object('key', (i % 4)::text) from generate_series(1, `+strconv.Itoa(tasks)+`) as i))`)
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
	s.awaitComplete(ctx, t, tasks)
	done()
	others.Wait()
	pool.Reset()

	count := func(sql string) (n int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), sql).Scan(&n))
		return n
	}
	_, err = pool.Exec(t.Context(), `
		create table public.moves as
		select s.name, s.limit_key as key, s.task_uuid, g.created_at as at, case when g.to_state = 'in_progress' then 1 else -1 end as n
		  from tasker.workflow_step_transition_log as g
		  join tasker.workflow_steps as s on s.task_uuid = g.task_uuid and s.step_no = g.step_no
		 where (g.to_state = 'in_progress') <> (g.from_state = 'in_progress')`)
	require.NoError(t, err)
	most := func(units string) int {
		return count(`select max(x.n) from (select sum(m.n * m.units) over (order by m.at, m.n) as n
			from (select m.*, case m.name ` + units + ` else 0 end as units from public.moves as m) as m) as x`)
	}
	require.LessOrEqual(t, most("when 'reserve' then 2 when 'label' then 1 when 'charge' then 1"), 5, "the units of a limit that run")
	require.LessOrEqual(t, most("when 'reserve' then 1 when 'label' then 1 when 'send' then 1"), 3, "the steps of a limit that run")
	require.Zero(t, count(`
		with runs as (select m.key, m.task_uuid, min(m.at) as began, max(m.at) as ended from public.moves as m where m.name = 'reserve' group by m.key, m.task_uuid)
		select count(*) from runs as a join runs as b on b.key = a.key and b.task_uuid <> a.task_uuid and b.began > a.began and b.began < a.ended`),
		"a run has its account alone, from its first claim to its end")
	require.Positive(t, count(`select count(*) from (select from public.moves as m where m.name = 'reserve' and m.n = 1 group by m.task_uuid having count(*) > 1) as r`),
		"some runs had several claims")
	require.Zero(t, count("select count(*) from tasker.step_queue"))
	require.Zero(t, count("select count(*) from tasker.limit_places"))
	require.Zero(t, count("select count(*) from tasker.check_integrity()"))
	require.Positive(t, replaytest.Recorded(t, pool))
}
