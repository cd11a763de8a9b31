package racetest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// twoLimits creates steps that need places of two limits, in opposite order, with one place in each.
func twoLimits(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	replayed(t, pool)
	for _, statement := range []string{
		`select tasker.register_task_template('{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique",
		  "steps": [{"name": "charge", "limit": "bank", "limits": ["api"]}]}')`,
		`select tasker.register_task_template('{"namespace": "shop", "name": "refund", "identity_strategy": "always_unique",
		  "steps": [{"name": "refund", "limit": "api", "limits": ["bank"]}]}')`,
		"select tasker.set_limit('shop', 'bank', 1); select tasker.set_limit('shop', 'api', 1)",
		"select from tasker.create_task('shop', 'pay'); select from tasker.create_task('shop', 'refund')",
	} {
		_, err := pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	return pool
}

func TestPlaces_TwoClaimsInOppositeOrderNeitherWaitNorShareAPlace(t *testing.T) {
	t.Parallel()
	pool := twoLimits(t)
	first := begin(t, pool)
	require.Equal(t, 1, counted(t, first, "select count(*) from tasker.claim_steps('{shop}', gen_random_uuid(), 10, p_handlers => '{charge}')"))
	second := begin(t, pool)
	_, err := second.Exec(t.Context(), "set local statement_timeout = '20s'")
	require.NoError(t, err)
	require.Zero(t, counted(t, second, "select count(*) from tasker.claim_steps('{shop}', gen_random_uuid(), 10, p_handlers => '{refund}')"), "it skips the keys that the first claim holds")
	require.NoError(t, second.Commit(t.Context()))
	require.NoError(t, first.Commit(t.Context()))
	require.Zero(t, counted(t, pool, claimLimited), "both places are taken")
	require.Equal(t, 1, counted(t, pool, completeLimited))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the result gives both back")
}

// A claim has put the step into the line of the full limit. Then the place of this limit is released.
func TestPlaces_APlaceOfAFurtherLimitThatIsFreedWhileAClaimCountsIsNotLost(t *testing.T) {
	t.Parallel()
	pool := twoLimits(t)
	require.Equal(t, 1, counted(t, pool, claimLimited))
	completer := begin(t, pool)
	require.Equal(t, 1, counted(t, completer, completeLimited))
	require.Zero(t, counted(t, pool, claimLimited), "the places are not free before the commit")
	require.NoError(t, completer.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the notes of the freed places open the lines")
	require.Equal(t, 1, counted(t, pool, completeLimited))
	require.Zero(t, counted(t, pool, "select count(*) from tasker.limit_places"))
}

// A claim takes the next attempt of a run, while an operator cancels the task of the run. Both need the lock of the task.
func TestPlaces_ACancellationFreesWhatASleepingRunHolds(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, statement := range []string{
		`select tasker.register_task_template('{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique",
		  "steps": [{"name": "charge", "limit": "bank", "limit_hold": "run", "retry": {"base_seconds": 3600}}]}')`,
		"select tasker.set_limit('shop', 'bank', 1)",
		"select from tasker.create_task('shop', 'pay'); select from tasker.create_task('shop', 'pay')",
	} {
		_, err := pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Equal(t, 1, counted(t, pool, claimLimited))
	require.Equal(t, 1, counted(t, pool, `select count(*) from (select array_agg(tasker.step_uuid(q.task_uuid, q.step_no)) as steps, array_agg(q.claim_no) as claims
		from tasker.step_queue as q where q.lane = 'running') as c cross join lateral tasker.fail_steps(c.steps, c.claims, '{once}') as a`))
	require.Zero(t, counted(t, pool, claimLimited), "the run holds its place while it sleeps")
	operator := begin(t, pool)
	_, err := operator.Exec(t.Context(), "select tasker.cancel_task(s.task_uuid) from tasker.workflow_steps as s where s.state = 'waiting_for_retry'")
	require.NoError(t, err)
	require.Zero(t, counted(t, pool, claimLimited), "it still does before the commit")
	require.NoError(t, operator.Commit(t.Context()))
	require.Equal(t, 1, counted(t, pool, claimLimited), "the other run begins")
}
