package racetest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const (
	claimLimited    = "select count(*) from tasker.claim_steps('{shop}', gen_random_uuid(), 10)"
	completeLimited = `select count(*) from (select array_agg(tasker.step_uuid(q.task_uuid, q.step_no)) as steps, array_agg(q.claim_no) as claims
		from tasker.step_queue as q where q.lane = 'running') as c cross join lateral tasker.complete_steps(c.steps, c.claims) as a where a.answer = 'completed'`
)

// limitedShop has so many steps that wait for a limit with one place.
func limitedShop(t *testing.T, concurrency, steps int) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique",
		"steps": [{"name": "charge", "limit": "stripe"}]}')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select tasker.set_limit('shop', 'stripe', $1)", concurrency)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select from tasker.create_tasks('shop', 'pay', array_fill('{}'::jsonb, array[$1::integer]))", steps)
	require.NoError(t, err)
	return pool
}

type rowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func counted(t *testing.T, db rowQuerier, sql string) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

func begin(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	return tx
}

// A completion that has not committed looks, to a claim, like a place that is taken; the claim closes the line.
func TestLimits_APlaceThatIsFreedWhileAClaimCountsIsNotLost(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 1, 3)
	require.Equal(t, 1, counted(t, pool, claimLimited))
	completer := begin(t, pool)
	require.Equal(t, 1, counted(t, completer, completeLimited))
	require.Zero(t, counted(t, pool, claimLimited), "the place is not free before the commit")
	require.NoError(t, completer.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "its note opens the line")
}

func TestLimits_TwoClaimsNeverGetTheSamePlace(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 2, 5)
	require.Equal(t, 2, counted(t, pool, claimLimited))
	require.Equal(t, 2, counted(t, pool, completeLimited))
	first := begin(t, pool)
	require.Equal(t, 2, counted(t, first, claimLimited))
	require.Zero(t, counted(t, pool, claimLimited), "the second skips the key that the first holds, and does not wait")
	var due bool
	require.NoError(t, pool.QueryRow(t.Context(), "select tasker.next_due_at() <= clock_timestamp()").Scan(&due))
	require.True(t, due, "and is told to look again")
	require.NoError(t, first.Rollback(t.Context()))
	require.Equal(t, 2, counted(t, pool, claimLimited), "what was rolled back is free")
}

func TestLimits_AChangeIsSeenByTheClaimAfterIt(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 0, 2)
	require.Zero(t, counted(t, pool, claimLimited), "the key is there, the line closed")
	_, err := pool.Exec(t.Context(), "select from tasker.create_task('shop', 'pay')")
	require.NoError(t, err)
	slow := begin(t, pool)
	require.Zero(t, counted(t, slow, claimLimited), "it folds the note, and closes the line by the old bounds")
	_, err = pool.Exec(t.Context(), "select tasker.set_limit('shop', 'stripe', 2)")
	require.NoError(t, err)
	require.NoError(t, slow.Commit(t.Context()))
	require.Equal(t, 2, counted(t, pool, claimLimited), "the line is older than the change")
}

func TestLimits_AStepThatJoinsTheLineWhileAClaimEmptiesItIsNotLost(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 5, 1)
	creator := begin(t, pool)
	_, err := creator.Exec(t.Context(), "select from tasker.create_task('shop', 'pay')")
	require.NoError(t, err)
	require.Equal(t, 1, counted(t, pool, claimLimited), "the line is empty then, and deleted")
	require.NoError(t, creator.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the step's note makes a new one")
}

// exchangeLimited completes one of the steps that run and that no other transaction is completing, and claims one.
const exchangeLimited = `with held as materialized (
		select q.task_uuid, q.step_no, q.claim_no from tasker.step_queue as q where q.lane = 'running' limit 1 for update skip locked
	)
	select (select count(*) from tasker.exchange_steps(gen_random_uuid(), array[tasker.step_uuid(h.task_uuid, h.step_no)], array[h.claim_no],
	  p_namespaces => '{shop}', p_limit => 1) as e where e.answer is null) from held as h`

// Two workers end their steps at the same time. The second waits until the first has taken its place, and takes the other one: no third
// worker has to wake for it.
func TestLimits_AWorkerWaitsForTheKeyOfThePlaceThatItGaveBack(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 2, 4)
	_, err := pool.Exec(t.Context(), "alter function tasker.await_limit_key(text[], text[]) set lock_timeout = '1min'")
	require.NoError(t, err)
	require.Equal(t, 2, counted(t, pool, claimLimited))
	first, second := begin(t, pool), begin(t, pool)
	require.Equal(t, 1, counted(t, first, exchangeLimited))
	came := make(chan int)
	go func() {
		n := -1
		_ = second.QueryRow(t.Context(), exchangeLimited).Scan(&n)
		came <- n
	}()
	pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
	require.NoError(t, first.Commit(t.Context()))
	require.Equal(t, 1, <-came)
	require.NoError(t, second.Commit(t.Context()))
	require.Equal(t, 2, counted(t, pool, "select count(*) from tasker.step_queue where lane = 'running'"))
}

func TestLimits_AWorkerDoesNotWaitLongForAKey(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 2, 4)
	require.Equal(t, 2, counted(t, pool, claimLimited))
	holder := begin(t, pool)
	require.Equal(t, 1, counted(t, holder, exchangeLimited))
	require.Zero(t, counted(t, pool, exchangeLimited), "the result is recorded, and nothing claimed")
	require.NoError(t, holder.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "its note opens the line")
}

// Another transaction moves a step of the line and holds its row: the claim takes the other steps and does not wait.
func TestLimits_AClaimSkipsAStepThatAnotherSessionHolds(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 5, 2)
	_, err := pool.Exec(t.Context(), "select tasker.fire_due_timers()")
	require.NoError(t, err)
	holder := begin(t, pool)
	require.Equal(t, 1, counted(t, holder, `select count(*) from (select from tasker.step_queue as q where q.lane = 'limited' limit 1 for update) as q`))
	claimer := begin(t, pool)
	_, err = claimer.Exec(t.Context(), "set local statement_timeout = '20s'")
	require.NoError(t, err)
	require.Equal(t, 1, counted(t, claimer, claimLimited))
	require.NoError(t, claimer.Commit(t.Context()))
	require.NoError(t, holder.Rollback(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the step that was held is claimed next")
}
