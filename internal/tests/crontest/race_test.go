package crontest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// makeDue lets all schedules tick now.
func makeDue(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `
		with due as (
		  update tasker.schedules
		     set starts_at = null, anchor_at = date_trunc('second', tasker.clock()), next_tick_at = date_trunc('second', tasker.clock()),
		         due_at = tasker.clock()
		)
		update tasker.timers set due_at = tasker.clock() where kind = 'fire_schedule'`)
	require.NoError(t, err)
}

// While an operator's open transaction holds the schedule's row, claims continue. The schedule ticks after the transaction has ended.
func TestFireDueTimers_SkipsALockedSchedule(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	makeSchedules(t, pool, 2, 3600)
	makeDue(t, pool)

	held, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = held.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = direct.New(held).PauseSchedule(t.Context(), "storm", "s0000")
	require.NoError(t, err)

	short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	claimed, err := direct.New(pool).ClaimSteps(short, direct.ClaimRequest{
		WorkerUUID: uuid.Must(uuid.NewV7()), Namespaces: []string{"storm"}, Limit: 10,
	})
	require.NoError(t, err, "a claim waits for no schedule")
	require.Len(t, claimed, 1, "the other schedule has ticked")
	require.NoError(t, held.Rollback(t.Context()))

	require.Eventually(t, func() bool {
		claimed, err := direct.New(pool).ClaimSteps(t.Context(), direct.ClaimRequest{
			WorkerUUID: uuid.Must(uuid.NewV7()), Namespaces: []string{"storm"}, Limit: 10,
		})
		return err == nil && len(claimed) == 1
	}, 10*time.Second, 50*time.Millisecond, "the schedule ticks when no session holds it")
}

// The running task ends while a claim checks the queued tick. The claim sees the end now or a second later. In either order of
// the commits exactly one task runs next.
func TestQueueOne_RunsOneTaskIfTheRunningTaskEndsMeanwhile(t *testing.T) {
	t.Parallel()
	for name, endsFirst := range map[string]bool{"the end commits first": true, "the firing commits first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t, pgtest.MaxConns(6))
			e := direct.New(pool)
			makeSchedules(t, pool, 1, 3600)
			must := func(sql string) {
				t.Helper()
				_, err := pool.Exec(t.Context(), sql)
				require.NoError(t, err)
			}
			must("update tasker.schedules set overlap = 'queue_one'")
			fire := func(db executor.DBTX) {
				t.Helper()
				_, err := direct.New(db).FireDueTimers(t.Context(), 10)
				require.NoError(t, err)
			}
			makeDue(t, pool)
			fire(pool)
			must("update tasker.schedules set anchor_at = anchor_at - interval '1 second', next_tick_at = anchor_at - interval '1 second'")
			must("update tasker.timers set due_at = tasker.clock() where kind = 'fire_schedule'")
			fire(pool)
			var queued bool
			require.NoError(t, pool.QueryRow(t.Context(), "select queued_tick_at is not null from tasker.schedules").Scan(&queued))
			require.True(t, queued)
			must("update tasker.timers set due_at = tasker.clock() where kind = 'fire_schedule'")

			claimed, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.Must(uuid.NewV7()), Limit: 1})
			require.NoError(t, err)
			require.Len(t, claimed, 1)
			must("update tasker.timers set due_at = tasker.clock() where kind = 'fire_schedule'")
			ending, err := pool.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = ending.Rollback(context.WithoutCancel(t.Context())) }()
			_, err = direct.New(ending).CompleteSteps(t.Context(), []direct.StepResult{{
				StepClaim: direct.StepClaim{StepUUID: claimed[0].StepUUID, ClaimNo: claimed[0].ClaimNo}, Results: []byte(`{}`),
			}})
			require.NoError(t, err)
			firing, err := pool.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = firing.Rollback(context.WithoutCancel(t.Context())) }()
			if endsFirst {
				require.NoError(t, ending.Commit(t.Context()))
			}
			fire(firing)
			require.NoError(t, firing.Commit(t.Context()))
			if !endsFirst {
				require.NoError(t, ending.Commit(t.Context()))
			}
			for range 3 {
				must("update tasker.timers set due_at = tasker.clock() where kind = 'fire_schedule'")
				fire(pool)
			}
			var tasks, open int
			require.NoError(t, pool.QueryRow(t.Context(), `
				select (select count(*) from tasker.tasks), (select count(*) from tasker.tasks as t where not t.complete)`).Scan(&tasks, &open))
			require.Equal(t, [2]int{2, 1}, [2]int{tasks, open}, "one task has ended and one runs")
		})
	}
}

// set_schedule waits for the claim that fires the schedule, and its tick is neither lost nor doubled.
func TestSetSchedule_WaitsForTheClaimThatFiresIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	makeSchedules(t, pool, 1, 3600)
	makeDue(t, pool)

	firing, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = firing.Rollback(context.WithoutCancel(t.Context())) }()
	fired, err := direct.New(firing).FireDueTimers(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, int32(1), fired)

	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	paused := make(chan error, 1)
	go func() {
		_, err := direct.New(conn).PauseSchedule(t.Context(), "storm", "s0000")
		paused <- err
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	require.NoError(t, firing.Commit(t.Context()))
	require.NoError(t, <-paused)

	var tasks, timers int
	require.NoError(t, pool.QueryRow(t.Context(), `
		select (select count(*) from tasker.tasks), (select count(*) from tasker.timers)`).Scan(&tasks, &timers))
	require.Equal(t, 1, tasks)
	require.Zero(t, timers, "a paused schedule has no timer")
}
