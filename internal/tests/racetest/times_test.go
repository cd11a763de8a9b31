package racetest

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A call that began first and had to wait writes last. Its rows have the time at which they are written, so that in the log of
// the task they follow the rows that the other session wrote meanwhile.
func TestTimes_FollowTheOrderOfTheLogsAndNotThatOfTheCalls(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	replayed(t, pool)
	ctx := t.Context()
	_, err := pool.Exec(ctx, `select tasker.register_task_template(
		'{"namespace": "test", "name": "two", "steps": [{"name": "a"}, {"name": "b"}, {"name": "c", "dependencies": ["a"]}, {"name": "d", "dependencies": ["b"]}]}')`)
	require.NoError(t, err)
	var task uuid.UUID
	require.NoError(t, pool.QueryRow(ctx, "select c.task_uuid from tasker.create_task('test', 'two', '{}') as c").Scan(&task))
	_, err = pool.Exec(ctx, "select from tasker.claim_steps('{test}', gen_random_uuid(), 2)")
	require.NoError(t, err)
	const complete = `select a.answer
		  from tasker.workflow_steps as s
		 cross join lateral tasker.complete_steps(array[s.workflow_step_uuid], array[s.claim_no]) as a
		 where s.task_uuid = $1 and s.name = $2`

	first, err := pool.Begin(ctx)
	require.NoError(t, err)
	_, err = first.Exec(ctx, "select from tasker.tasks as t where t.task_uuid = $1 for update", task)
	require.NoError(t, err)
	second, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer second.Release()
	answered := make(chan error, 1)
	var answer string
	go func() { answered <- second.QueryRow(ctx, complete, task, "b").Scan(&answer) }()
	pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
	var other string
	require.NoError(t, first.QueryRow(ctx, complete, task, "a").Scan(&other))
	require.NoError(t, first.Commit(ctx))
	require.NoError(t, <-answered)
	require.Equal(t, []string{"completed", "completed"}, []string{other, answer})

	var backwards int
	require.NoError(t, pool.QueryRow(ctx, `
		select count(*)
		  from (
		    select l.created_at < lag(l.created_at) over (partition by l.step_no order by l.sort_key) as back
		      from tasker.workflow_step_transition_log as l where l.task_uuid = $1
		    union all
		    select l.created_at < lag(l.created_at) over (order by l.sort_key)
		      from tasker.task_transition_log as l where l.task_uuid = $1
		  ) as l
		 where l.back`, task).Scan(&backwards))
	require.Zero(t, backwards)
	var follows bool
	require.NoError(t, pool.QueryRow(ctx, `
		select min(l.created_at) filter (where l.step_no = 2) >= min(l.created_at) filter (where l.step_no = 1)
		  from tasker.workflow_step_transition_log as l
		 where l.task_uuid = $1 and l.event = 'Complete'`, task).Scan(&follows))
	require.True(t, follows, "the call that had to wait is dated when it wrote")
}
