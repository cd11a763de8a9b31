package racetest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// A worker reports in an open transaction that its steps have begun, after their leases have ended. The claim that recovers
// them does not wait for that transaction, and decides by committed data.
func TestAhead_RecoveryDoesNotWaitForTheWorkersLastExchange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	ctx := t.Context()
	_, err := enginetest.Prepare(ctx, pool)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, `select tasker.register_task_template('{"namespace": "test", "name": "two", "steps": [{"name": "a"}, {"name": "b"}]}')`)
	require.NoError(t, err)
	_, err = pool.Exec(ctx, "select from tasker.create_task('test', 'two', '{}')")
	require.NoError(t, err)
	worker := uuid.New()
	_, err = pool.Exec(ctx, "select from tasker.exchange_steps($1, p_namespaces => '{test}', p_limit => 2, p_ahead => 2)", worker)
	require.NoError(t, err)
	_, err = enginetest.Pass(ctx, pool, 2*time.Minute)
	require.NoError(t, err)

	late, err := pool.Begin(ctx)
	require.NoError(t, err)
	_, err = late.Exec(ctx, "select from tasker.exchange_steps($1, p_waiting => '{}')", worker)
	require.NoError(t, err)
	rows, err := pool.Query(ctx, `
		with settings as materialized (select set_config('lock_timeout', '1ms', true))
		select c.lost_count
		  from settings
		 cross join lateral tasker.claim_steps('{test}', gen_random_uuid(), 2) as c`)
	require.NoError(t, err)
	var lost []int
	for rows.Next() {
		var n int
		require.NoError(t, rows.Scan(&n))
		lost = append(lost, n)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []int{0, 0}, lost)
	require.NoError(t, late.Commit(ctx))
}
