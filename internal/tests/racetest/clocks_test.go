package racetest

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// held is a statement that waits for a lock of the test before it calls a function. The time of the statement's clock stays the
// same during the wait.
type held struct {
	done chan error
	free func()
}

// hold begins a statement that waits, and returns when the statement waits. The statement's clock is then older than all
// later events. No function takes the lock for which it waits, so the call itself begins when free is called.
func hold(t *testing.T, pool *pgxpool.Pool, call string) held {
	t.Helper()
	ctx := t.Context()
	first, err := pool.Acquire(ctx)
	require.NoError(t, err)
	second, err := pool.Acquire(ctx)
	require.NoError(t, err)
	_, err = first.Exec(ctx, "select pg_advisory_lock(4711)")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		defer second.Release()
		_, err := second.Exec(ctx, "with x as materialized (select pg_advisory_lock(4711)) select "+call+" from x")
		done <- err
	}()
	pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
	return held{done: done, free: func() {
		_, err := first.Exec(ctx, "select pg_advisory_unlock(4711)")
		require.NoError(t, err)
		first.Release()
		require.NoError(t, <-done)
	}}
}

const everySecond = `select from tasker.register_task_template(
	'{"namespace": "test", "name": "t", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`

// ticked waits until the schedule has fired a tick, and returns the number of its entries.
func ticked(t *testing.T, pool *pgxpool.Pool, more int64) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := pool.Exec(t.Context(), "select tasker.fire_due_timers()")
		require.NoError(t, err)
		var count int64
		require.NoError(t, pool.QueryRow(t.Context(), "select tick_count from tasker.schedules").Scan(&count))
		return count >= more
	}, 20*time.Second, 20*time.Millisecond)
}

// takenTwice counts the ticks that occur more than once in the history, and the schedules whose next tick is not after their
// last tick.
func takenTwice(t *testing.T, pool *pgxpool.Pool) (again, back int) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `
		select count(*) - count(distinct k.tick_at) filter (where k.cause = 'tick'),
		       (select count(*) from tasker.schedules as s where s.next_tick_at <= s.last_tick_at)
		  from tasker.schedule_ticks as k
		 where k.cause = 'tick'`).Scan(&again, &back))
	return again, back
}

// The duty began before the tick and locks the schedule after the tick. The duty's time is then older than the time in
// the row.
func TestClocks_TheDutyDoesNotPutBackATickThatWasFiredMeanwhile(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	ctx := t.Context()
	_, err := pool.Exec(ctx, everySecond)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, "select from tasker.set_schedule('test', 's', 't', p_every_seconds => 1, p_overlap => 'queue_one')")
	require.NoError(t, err)

	duty := hold(t, pool, "tasker.check_schedules()")
	ticked(t, pool, 1)
	duty.free()
	_, back := takenTwice(t, pool)
	require.Zero(t, back, "the next tick is one that was taken")
	ticked(t, pool, 2)
	again, back := takenTwice(t, pool)
	require.Zero(t, again, "ticks taken twice")
	require.Zero(t, back)
}

// If the ticks of a schedule are changed while it ticks, it continues after the last tick, although the change began before
// that tick.
func TestClocks_AChangedScheduleGoesOnAfterWhatHasTicked(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]string{
		"set":    "tasker.set_schedule('test', 's', 't', p_every_seconds => 1, p_starts_at => '2001-01-01', p_overlap => 'queue_one')",
		"resume": "tasker.resume_schedule('test', 's')",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t, pgtest.MaxConns(6))
			_, err := pool.Exec(t.Context(), everySecond)
			require.NoError(t, err)
			_, err = pool.Exec(t.Context(), "select from tasker.set_schedule('test', 's', 't', p_every_seconds => 1, p_overlap => 'queue_one')")
			require.NoError(t, err)
			change := hold(t, pool, call)
			ticked(t, pool, 2)
			_, err = pool.Exec(t.Context(), "select tasker.pause_schedule('test', 's')")
			require.NoError(t, err)
			change.free()
			_, back := takenTwice(t, pool)
			require.Zero(t, back)
		})
	}
}

// A claim of tasklib that waits for the row of a limited name starts its runs when it has the row.
func TestClocks_RunsOfTasklibBeginAfterTheWaitForTheName(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	ctx := t.Context()
	_, err := pool.Exec(ctx, `select from tasklib.register_task('mail', '{"concurrency_limit": 1}')`)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, "select from tasklib.submit_task('mail', '{}')")
	require.NoError(t, err)

	first, err := pool.Begin(ctx)
	require.NoError(t, err)
	_, err = first.Exec(ctx, "select from tasklib.task_limits as l where l.name = 'mail' for update")
	require.NoError(t, err)
	second, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer second.Release()
	claimed := make(chan error, 1)
	go func() {
		_, err := second.Exec(ctx, `select from tasklib.claim_tasks('{mail}', 'w', 1) as c
			 cross join lateral tasklib.complete_tasks('w', array[c.id], array[c.claim_no], null)`)
		claimed <- err
	}()
	pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
	var before time.Time
	require.NoError(t, pool.QueryRow(ctx, "select clock_timestamp()").Scan(&before))
	require.NoError(t, first.Commit(ctx))
	require.NoError(t, <-claimed)
	var after, ordered bool
	require.NoError(t, pool.QueryRow(ctx, `select r.started_at >= $1, r.ended_at >= r.started_at from tasklib.task_runs as r`, before).Scan(&after, &ordered))
	require.True(t, after, "the run began before the claim had the name's row")
	require.True(t, ordered, "the run ended before it began")
}

// The lease that a checkpoint takes counts from the time at which the step was locked.
func TestClocks_ACheckpointsLeaseCountsFromTheLock(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	ctx := t.Context()
	_, err := pool.Exec(ctx, everySecond)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, "select from tasker.create_task('test', 't', '{}'), tasker.claim_steps('{test}', gen_random_uuid(), 1)")
	require.NoError(t, err)
	checkpoint := hold(t, pool, `(select tasker.checkpoint_step(s.workflow_step_uuid, s.claim_no, '1', 7) from tasker.workflow_steps as s)`)
	var before time.Time
	require.NoError(t, pool.QueryRow(ctx, "select clock_timestamp()").Scan(&before))
	checkpoint.free()
	var until time.Time
	require.NoError(t, pool.QueryRow(ctx, "select s.lease_until from tasker.workflow_steps as s").Scan(&until))
	require.False(t, until.Before(before.Add(7*time.Second)), "the lease counts from the beginning of the statement")
}
