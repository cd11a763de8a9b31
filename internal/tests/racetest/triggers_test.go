package racetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// An event that starts or cancels a task meets another call for the same task. The second call waits for the first call, and
// its outcome depends on the effect of the first call. In either order there is one task for a key.
func TestTriggers_TheFirstWinsAndTheSecondFindsIt(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t, pgtest.MaxConns(4))
	_, err := pool.Exec(ctx, `select tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
		"start_on": {"event": "paid", "context": {"order": "$.order"}}, "cancel_on": {"event": "withdrawn"}, "steps": [{"name": "a"}]}')`)
	require.NoError(t, err)
	const (
		start    = `select from tasker.emit_event('test', 'paid', $1::text, '{"order": 1}')`
		again    = `select from tasker.emit_event('test', 'paid', $1::text, '{"order": 2}')`
		create   = `select from tasker.create_task('test', 'order', '{"order": 1}', p_identity_key => $1::text)`
		both     = `select from tasker.emit_events('test', '{paid,paid}', array[$1::text, $1::text], '{"{\"order\": 3}","{\"order\": 4}"}')`
		withdraw = `select from tasker.emit_event('test', 'withdrawn', $1::text)`
		find     = `(select i.task_uuid from tasker.task_identities as i where i.identity_hash = tasker.task_identity('caller_provided', 'test', 'order', null, null, $1::text))`
		cancel   = `select tasker.cancel_task(` + find + `)`
		erase    = `select from tasker.erase_task(` + find + `, 'asked for')`
		complete = `select from tasker.complete_step_manually(tasker.step_uuid(` + find + `, 1), '{}', 'test')`
	)
	for _, c := range []struct {
		name, first, second string
		exists              bool // before
		state               string
	}{
		{"start, start", start, again, false, "steps_in_process"},
		{"start, create", start, create, false, "steps_in_process"},
		{"start, both", start, both, false, "steps_in_process"},
		{"both, start", both, again, false, "steps_in_process"},
		{"create, start", create, again, false, "steps_in_process"},
		{"withdraw, withdraw", withdraw, withdraw, true, "cancelled"},
		{"withdraw, cancel", withdraw, cancel, true, "cancelled"},
		{"cancel, withdraw", cancel, withdraw, true, "cancelled"},
		{"withdraw, erase", withdraw, erase, true, "cancelled"},
		{"complete, withdraw", complete, withdraw, true, "complete"},
	} {
		if c.exists {
			_, err := pool.Exec(ctx, create, c.name)
			require.NoError(t, err, c.name)
		}
		require.NoError(t, meet(t, pool, c.name, c.first, c.second), c.name)
		var state string
		require.NoError(t, pool.QueryRow(ctx, `select t.state::text from tasker.tasks as t where t.task_uuid = `+find, c.name).Scan(&state), c.name)
		require.Equal(t, c.state, state, c.name)
		_, err := pool.Exec(ctx, withdraw, c.name)
		require.NoError(t, err, c.name)
	}
	var tasks, events, problems int
	require.NoError(t, pool.QueryRow(ctx, `select (select count(*) from tasker.tasks), (select count(*) from tasker.broadcasts), (select count(*) from tasker.check_integrity())`).Scan(&tasks, &events, &problems))
	require.Equal(t, 10, tasks, "one for each key")
	require.Equal(t, 26, events, "no event was refused")
	require.Zero(t, problems)

	// After the rollback neither the event nor the task exists, and the second emitter starts the task.
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, start, "rolled back")
	require.NoError(t, err)
	second, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer second.Release()
	done := make(chan error, 1)
	go func() {
		_, err := second.Exec(ctx, again, "rolled back")
		done <- err
	}()
	pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
	require.NoError(t, tx.Rollback(ctx))
	require.NoError(t, <-done)
	var context string
	require.NoError(t, pool.QueryRow(ctx, `select t.context::text from tasker.tasks as t where t.task_uuid = `+find, "rolled back").Scan(&context))
	require.Equal(t, `{"order": 2}`, context)
}

// Calls that emit the same events in opposite orders wait for each other's idempotency keys, identities and tasks, and none of them
// deadlocks.
func TestTriggers_EventsOfTwoCallsAreLockedInOneOrder(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t, pgtest.MaxConns(4))
	_, err := pool.Exec(ctx, `select tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided",
		"start_on": {"event": "paid"}, "cancel_on": {"event": "withdrawn"}, "steps": [{"name": "a"}]}')`)
	require.NoError(t, err)
	for _, keys := range []string{"null", "array_agg($1 || n order by name %[1]s, n %[1]s)"} {
		for round := range 4 {
			// Withdraws the orders of the round before, and pays those of this round.
			var both errgroup.Group
			for _, order := range []string{"asc", "desc"} {
				both.Go(func() error {
					_, err := pool.Exec(ctx, fmt.Sprintf(`
						select tasker.emit_events('test', array_agg(name order by name %[1]s, n %[1]s), array_agg(key order by name %[1]s, n %[1]s),
						       array_agg('{"order": 1}'::jsonb), `+keys+`)
						  from (select n, 'paid' as name, $1::text || n as key from generate_series(1, 40) as n
						        union all
						        select n, 'withdrawn', $2::text || n from generate_series(1, 40) as n) as e`, order), fmt.Sprint(len(keys), " ", round, " "), fmt.Sprint(len(keys), " ", round-1, " "))
					return err
				})
			}
			require.NoError(t, both.Wait())
		}
	}
	var tasks, open, problems int
	require.NoError(t, pool.QueryRow(ctx, `select (select count(*) from tasker.tasks), (select count(*) from tasker.tasks where not complete),
		(select count(*) from tasker.check_integrity())`).Scan(&tasks, &open, &problems))
	require.Equal(t, 320, tasks)
	require.Equal(t, 80, open, "those of the last rounds")
	require.Zero(t, problems)
}
