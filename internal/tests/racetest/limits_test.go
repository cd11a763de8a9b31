package racetest

import (
	"context"
	"strings"
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

// limitedShop creates this number of steps, which wait for a limit.
func limitedShop(t *testing.T, concurrency, steps int) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	replayed(t, pool)
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

// For a claim, the place of an uncommitted completion is still taken, so the claim marks the limit as full.
func TestLimits_APlaceThatIsFreedWhileAClaimCountsIsNotLost(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 1, 3)
	require.Equal(t, 1, counted(t, pool, claimLimited))
	completer := begin(t, pool)
	require.Equal(t, 1, counted(t, completer, completeLimited))
	require.Zero(t, counted(t, pool, claimLimited), "the place is not free before the commit")
	require.NoError(t, completer.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the note of the freed place opens the line")
}

func TestLimits_TwoClaimsNeverGetTheSamePlace(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 2, 5)
	require.Equal(t, 2, counted(t, pool, claimLimited))
	require.Equal(t, 2, counted(t, pool, completeLimited))
	first := begin(t, pool)
	require.Equal(t, 2, counted(t, first, claimLimited))
	require.Zero(t, counted(t, pool, claimLimited), "the second claim skips the key that the first one holds")
	var due bool
	require.NoError(t, pool.QueryRow(t.Context(), "select tasker.next_due_at() <= clock_timestamp()").Scan(&due))
	require.True(t, due, "the second worker is told to claim again")
	require.NoError(t, first.Rollback(t.Context()))
	require.Equal(t, 2, counted(t, pool, claimLimited), "the rollback frees both places")
}

func TestLimits_AChangeIsSeenByTheClaimAfterIt(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 0, 2)
	require.Zero(t, counted(t, pool, claimLimited), "the key exists and its line is closed")
	_, err := pool.Exec(t.Context(), "select from tasker.create_task('shop', 'pay')")
	require.NoError(t, err)
	slow := begin(t, pool)
	require.Zero(t, counted(t, slow, claimLimited), "the slow claim closes the line by the old bounds")
	_, err = pool.Exec(t.Context(), "select tasker.set_limit('shop', 'stripe', 2)")
	require.NoError(t, err)
	require.NoError(t, slow.Commit(t.Context()))
	require.Equal(t, 2, counted(t, pool, claimLimited), "a line that is older than the change is opened by the new bounds")
}

func TestLimits_AStepThatJoinsTheLineWhileAClaimEmptiesItIsNotLost(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 5, 1)
	creator := begin(t, pool)
	_, err := creator.Exec(t.Context(), "select from tasker.create_task('shop', 'pay')")
	require.NoError(t, err)
	require.Equal(t, 1, counted(t, pool, claimLimited), "the claim empties and deletes the line")
	require.NoError(t, creator.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the note of the new step creates a new line")
}

func TestLimits_ABoundOfAKeyIsSeenByTheClaimAfterIt(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"set":     "select from tasker.set_limit_key('shop', 'stripe', '', 2)",
		"dropped": "select tasker.drop_limit_key('shop', 'stripe', '')",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := limitedShop(t, 2, 2)
			_, err := pool.Exec(t.Context(), "select from tasker.set_limit_key('shop', 'stripe', '', 0)")
			require.NoError(t, err)
			require.Zero(t, counted(t, pool, claimLimited), "the key exists and its line is closed")
			_, err = pool.Exec(t.Context(), "select from tasker.create_task('shop', 'pay')")
			require.NoError(t, err)
			slow := begin(t, pool)
			require.Zero(t, counted(t, slow, claimLimited), "the slow claim closes the line by the old bounds")
			_, err = pool.Exec(t.Context(), change)
			require.NoError(t, err)
			require.NoError(t, slow.Commit(t.Context()))
			require.Equal(t, 2, counted(t, pool, claimLimited), "the note of the change opens the line")
		})
	}
}

// The row of the limit is locked only for key share. So another transaction may change the bounds of the limit, and claims may
// insert new keys, without waiting.
func TestLimits_BoundsOfKeysDelayNoClaimAndNoChange(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 1, 2)
	setter := begin(t, pool)
	require.Equal(t, 1, counted(t, setter, "select count(*) from tasker.set_limit_key('shop', 'stripe', 'ann', 2)"))
	other := begin(t, pool)
	_, err := other.Exec(t.Context(), "set local statement_timeout = '20s'")
	require.NoError(t, err)
	require.Equal(t, 1, counted(t, other, claimLimited))
	_, err = other.Exec(t.Context(), "select tasker.set_limit('shop', 'stripe', 3); select tasker.set_limit_key('shop', 'stripe', 'bob', 2)")
	require.NoError(t, err)
	require.NoError(t, other.Commit(t.Context()))
	require.NoError(t, setter.Commit(t.Context()))
	require.Equal(t, 2, counted(t, pool, "select count(*) from tasker.list_limit_keys('shop', 'stripe') as k where k.own_bounds"))
}

// Two tasks are created at the same time with different bounds of their key, beside a claim. Neither creation waits. The bound with the
// later number holds, in whatever order the transactions commit.
func TestLimits_TwoInputsBoundOneKeyBesideAClaim(t *testing.T) {
	t.Parallel()
	for name, firstCommitsLast := range map[string]bool{"in order": false, "the first commits last": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			replayed(t, pool)
			_, err := pool.Exec(t.Context(), `select tasker.register_task_template('{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique",
				"steps": [{"name": "charge", "limit": "stripe", "limit_bound": "$.places", "limit_bound_max": 9}]}')`)
			require.NoError(t, err)
			create := func(places int) pgx.Tx {
				tx := begin(t, pool)
				_, err := tx.Exec(t.Context(), "set local statement_timeout = '20s'")
				require.NoError(t, err)
				_, err = tx.Exec(t.Context(), "select tasker.create_tasks('shop', 'pay', array_fill(jsonb_build_object('places', $1::integer), array[2]))", places)
				require.NoError(t, err)
				return tx
			}
			require.NoError(t, create(1).Commit(t.Context()))
			require.Equal(t, 1, counted(t, pool, claimLimited))
			three, two := create(3), create(2)
			slow := begin(t, pool)
			require.Zero(t, counted(t, slow, claimLimited), "a claim goes by the bound that is committed, and closes the line")
			if firstCommitsLast {
				three, two = two, three
			}
			require.NoError(t, three.Commit(t.Context()))
			require.NoError(t, two.Commit(t.Context()))
			require.NoError(t, slow.Commit(t.Context()))
			require.Equal(t, 1, counted(t, pool, claimLimited), "the later number is 2, and its note opens the line")
			require.Equal(t, 2, counted(t, pool, "select input_bound from tasker.list_limit_keys('shop', 'stripe')"))
			require.NoError(t, create(4).Commit(t.Context()))
			require.Equal(t, 1, counted(t, pool, "select count(*) from tasker.limit_input_bounds"), "the next change deletes the bounds of both")
			require.Equal(t, 2, counted(t, pool, claimLimited))

			rolled := create(9)
			require.NoError(t, rolled.Rollback(t.Context()))
			require.Zero(t, counted(t, pool, claimLimited), "a rolled back creation bounds nothing")
		})
	}
}

// exchangeLimited completes a running step that no other transaction is completing, and claims a step.
const exchangeLimited = `with held as materialized (
		select q.task_uuid, q.step_no, q.claim_no from tasker.step_queue as q where q.lane = 'running' limit 1 for update skip locked
	)
	select (select count(*) from tasker.exchange_steps(gen_random_uuid(), array[tasker.step_uuid(h.task_uuid, h.step_no)], array[h.claim_no],
	  p_namespaces => '{shop}', p_limit => 1) as e where e.answer is null) from held as h`

// Two workers complete their steps at the same time. The second worker waits until the first worker has taken its place, and
// takes the other place. No third worker has to be woken for that place.
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
	require.Zero(t, counted(t, pool, exchangeLimited), "the exchange records the result and claims nothing")
	require.NoError(t, holder.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the note of the freed place opens the line")
}

// Another worker holds the key of the released place. A worker that claims in another namespace does not wait for this key.
func TestLimits_AWorkerDoesNotWaitForAKeyOfAnotherNamespace(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 2, 4)
	for _, statement := range []string{
		"alter function tasker.await_limit_key(text[], text[]) set lock_timeout = '1min'",
		"select tasker.register_namespace('office')",
	} {
		_, err := pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Equal(t, 2, counted(t, pool, claimLimited))
	holder, other := begin(t, pool), begin(t, pool)
	require.Equal(t, 1, counted(t, holder, exchangeLimited))
	_, err := other.Exec(t.Context(), "set local statement_timeout = '20s'")
	require.NoError(t, err)
	require.Zero(t, counted(t, other, strings.Replace(exchangeLimited, "{shop}", "{office}", 1)))
	require.NoError(t, other.Commit(t.Context()))
	require.NoError(t, holder.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the place that was given back is free")
}

// Another transaction moves a step of the line and holds its row. The claim takes the other steps and does not wait.
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

// A message names the step to claim. Another session holds its key of the limit, but not the other keys.
func TestLimits_AClaimOfOneStepDoesNotWaitForItsKey(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, statement := range []string{
		`select tasker.register_task_template('{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique",
		  "steps": [{"name": "charge", "limit": "stripe", "limit_key": "$.customer"}]}')`,
		"select tasker.set_limit('shop', 'stripe', 5)",
		`select from tasker.create_tasks('shop', 'pay', array['{"customer": "ann"}', '{"customer": "bob"}']::jsonb[])`,
		claimLimited,
		`select from tasker.create_task('shop', 'pay', '{"customer": "ann"}')`,
	} {
		_, err := pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Equal(t, 2, counted(t, pool, "select count(*) from tasker.limit_keys"))
	holder, claimer := begin(t, pool), begin(t, pool)
	require.Equal(t, 1, counted(t, holder, `select count(*) from (select from tasker.limit_keys as k where k.limit_key like '%ann%' for update) as k`))
	_, err := claimer.Exec(t.Context(), "set local statement_timeout = '20s'")
	require.NoError(t, err)
	const claim = `select count(*) from tasker.step_queue as q
		cross join lateral tasker.claim_step(tasker.step_uuid(q.task_uuid, q.step_no), gen_random_uuid()) as c where q.lane <> 'running'`
	require.Zero(t, counted(t, claimer, claim))
	require.NoError(t, claimer.Rollback(t.Context()))
	require.NoError(t, holder.Rollback(t.Context()))
	require.Equal(t, 1, counted(t, pool, claim), "the step is claimed when its key is free")
}

// If another transaction has changed the limit and is still open, housekeeping skips the limit's keys this time.
func TestLimits_ForgettingKeysWaitsForNoLimit(t *testing.T) {
	t.Parallel()
	pool := limitedShop(t, 1, 1)
	require.Equal(t, 1, counted(t, pool, claimLimited))
	require.Equal(t, 1, counted(t, pool, completeLimited))
	require.Equal(t, 1, counted(t, pool, "select count(*) from tasker.limit_keys"))
	holder, keeper := begin(t, pool), begin(t, pool)
	_, err := holder.Exec(t.Context(), "select tasker.set_limit('shop', 'stripe', 2)")
	require.NoError(t, err)
	_, err = keeper.Exec(t.Context(), "set local statement_timeout = '20s'")
	require.NoError(t, err)
	const forget = "select tasker.forget_limit_keys(100)"
	require.Zero(t, counted(t, keeper, forget))
	require.NoError(t, keeper.Rollback(t.Context()))
	require.NoError(t, holder.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, forget))
}
