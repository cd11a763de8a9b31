package racetest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// startMass makes tasks whose only step has failed, and starts a mass action that resets them without a canary.
func startMass(t *testing.T, pool *pgxpool.Pool, tasks int) (set string) {
	t.Helper()
	ctx := t.Context()
	_, err := enginetest.Prepare(ctx, pool)
	require.NoError(t, err)
	for _, sql := range []string{
		`select tasker.register_task_template('{"namespace": "test", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "a", "retry": {"retryable": false}}]}')`,
		`select from tasker.create_tasks('test', 'one', array_fill('{}'::jsonb, array[$1::integer]))`,
		`select from (select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claims from tasker.claim_steps('{test}', gen_random_uuid(), $1) as c) as c
			cross join lateral tasker.fail_steps(c.steps, c.claims, array_fill('no'::text, array[$1::integer])) as f`,
	} {
		var arguments []any
		if strings.Contains(sql, "$1") {
			arguments = append(arguments, tasks)
		}
		_, err := pool.Exec(ctx, sql, arguments...)
		require.NoError(t, err, sql)
	}
	require.NoError(t, pool.QueryRow(ctx, `select s.selection_uuid::text from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') as s where s.entries = $1`, tasks).Scan(&set))
	_, err = pool.Exec(ctx, "select tasker.start_mass_action($1, 'reset', $2, 'race', p_at_once => true)", set, tasks)
	require.NoError(t, err)
	return set
}

const massRuns = `select count(*)::text || ' of ' || count(distinct h.task)::text
	from (select t.task_uuid as task from tasker.list_tasks('test', p_limit => 1000) as t
	      cross join lateral tasker.get_task_history(t.task_uuid) as h where h.reason like 'race (mass action %' and h.step_no is not null) as h`

// A stop waits for the batch that is under way. After the stop no entry is acted on.
func TestMass_AStopWaitsForTheBatch(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	ctx := t.Context()
	set := startMass(t, pool, 150)

	runner, err := pool.Begin(ctx)
	require.NoError(t, err)
	_, err = runner.Exec(ctx, "select from tasker.run_maintenance('mass_actions')")
	require.NoError(t, err)
	stopper, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer stopper.Release()
	stopped := make(chan error, 1)
	go func() {
		_, err := stopper.Exec(ctx, "select tasker.stop_mass_action($1)", set)
		stopped <- err
	}()
	pgtest.WaitBlocked(t, pool, stopper.Conn().PgConn().PID())
	require.NoError(t, runner.Commit(ctx))
	require.NoError(t, <-stopped)

	var before, after, state string
	require.NoError(t, pool.QueryRow(ctx, massRuns).Scan(&before))
	_, err = pool.Exec(ctx, "select from tasker.run_maintenance('mass_actions')")
	require.NoError(t, err)
	require.NoError(t, pool.QueryRow(ctx, massRuns).Scan(&after))
	require.NoError(t, pool.QueryRow(ctx, "select m.state from tasker.get_mass_action($1) as m", set).Scan(&state))
	require.Equal(t, "stopped", state)
	require.Equal(t, before, after, "nothing was acted on after the stop")
	require.NotEqual(t, "0 of 0", before)
}

// Many sessions run the mass action while operators lock tasks, and a stop is set and lifted. Each entry is acted on once.
func TestMass_EachEntryIsActedOnOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(8))
	ctx := t.Context()
	const tasks = 300
	set := startMass(t, pool, tasks)
	var (
		wait sync.WaitGroup
		held sync.Map
	)
	deadline := time.Now().Add(time.Minute)
	for range 4 {
		wait.Go(func() {
			for time.Now().Before(deadline) {
				// Call the private function, so that the turn of maintenance does not keep the runners apart.
				if _, err := pool.Exec(ctx, "select tasker.run_mass_actions(7)"); err != nil {
					held.Store(err.Error(), true)
					return
				}
				var done bool
				if err := pool.QueryRow(ctx, "select m.state = 'done' from tasker.get_mass_action($1) as m", set).Scan(&done); err != nil || done {
					return
				}
			}
		})
	}
	wait.Go(func() {
		for range 20 {
			_, stop := pool.Exec(ctx, "select tasker.stop_mass_action($1)", set)
			_, resume := pool.Exec(ctx, "select tasker.resume_mass_action($1)", set)
			_, hold := pool.Exec(ctx, "select tasker.reset_task(t.task_uuid, 'by hand') from (select t.task_uuid from tasker.list_tasks('test', p_state => 'blocked_by_failures', p_limit => 1) as t) as t")
			for _, err := range []error{stop, resume, hold} {
				if err != nil {
					held.Store(err.Error(), true)
				}
			}
		}
	})
	wait.Wait()
	held.Range(func(err, _ any) bool { t.Error(err); return true })

	var waits, skipped, open int
	var runs string
	require.NoError(t, pool.QueryRow(ctx, "select m.waits, m.skipped, m.open from tasker.get_mass_action($1) as m", set).Scan(&waits, &skipped, &open))
	require.Zero(t, waits)
	require.Equal(t, tasks, skipped+open, "what an operator had reset by hand was skipped")
	require.NoError(t, pool.QueryRow(ctx, `select count(*) || ' ' || coalesce(max(n.times), 0) from (select count(*) as times
		from tasker.selection_entries as e cross join lateral tasker.get_task_history(e.task_uuid) as h
		where e.selection_uuid = $1 and e.state = 'open' and h.reason like 'race (mass action %' and h.step_no is not null group by e.task_uuid) as n`, set).Scan(&runs))
	require.Equal(t, "1", runs[len(runs)-1:], "no task was reset twice: %s", runs)
}
