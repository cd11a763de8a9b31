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
