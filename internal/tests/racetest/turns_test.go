package racetest

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestTurns_ATemplateThatStartsItselfStopsNoOtherNamespace lets each task of a template in the namespace alpha start three
// further tasks of the template, until thousands of starts are due. Meanwhile it claims steps in the namespace beta.
func TestTurns_ATemplateThatStartsItselfStopsNoOtherNamespace(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	_, err := pool.Exec(t.Context(), `
		select tasker.set_setting('max_task_tree', '100000');
		select from tasker.register_task_template('{"namespace": "alpha", "name": "bomb", "identity_strategy": "always_unique", "steps": [
			{"name": "k1", "task": {"name": "bomb"}}, {"name": "k2", "task": {"name": "bomb"}}, {"name": "k3", "task": {"name": "bomb"}}]}');
		select from tasker.register_task_template('{"namespace": "beta", "name": "job", "identity_strategy": "always_unique", "steps": [{"name": "work"}]}')`)
	require.NoError(t, err)
	alone := claimBuffers(t, pool)

	var root uuid.UUID
	require.NoError(t, pool.QueryRow(t.Context(), `select task_uuid from tasker.create_task('alpha', 'bomb', '{}')`).Scan(&root))
	for due := 0; due < 1500; {
		_, err := pool.Exec(t.Context(), `select tasker.fire_due_timers(1000)`)
		require.NoError(t, err)
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.timers where kind = 'start_child'`).Scan(&due))
	}
	_, err = pool.Exec(t.Context(), `vacuum analyze tasker.timers`)
	require.NoError(t, err)

	// More than a second old, as in a system that runs.
	_, err = pool.Exec(t.Context(), `update tasker.timers set due_at = due_at - interval '1 minute'`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `vacuum analyze tasker.timers`)
	require.NoError(t, err)
	beside := claimBuffers(t, pool)
	t.Logf("a claim reads %d buffers alone and %d beside the bomb", alone, beside)
	require.LessOrEqual(t, beside, 2*alone)

	// A timer of beta behind all of alpha's.
	_, err = pool.Exec(t.Context(), `
		select from tasker.create_task('beta', 'job', '{}', p_start_at => clock_timestamp() + interval '1 hour');
		update tasker.timers set due_at = clock_timestamp() where namespace = 'beta'`)
	require.NoError(t, err)
	var claimed int
	require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.claim_steps('{beta}', gen_random_uuid())`).Scan(&claimed))
	require.Equal(t, 1, claimed, "the first claim fires it")

	var open int
	require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.tasks where not complete and parent_step_uuid is not null`).Scan(&open))
	_, err = pool.Exec(t.Context(), `select tasker.cancel_task($1)`, root)
	require.NoError(t, err)
	calls := 0
	for left := open; left > 0; calls++ {
		require.Less(t, calls, 10+open/200, "%d of %d tasks are open", left, open)
		_, err := pool.Exec(t.Context(), `select tasker.fire_due_timers(1000)`)
		require.NoError(t, err)
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.tasks where not complete and parent_step_uuid is not null`).Scan(&left))
	}
	t.Logf("%d tasks were cancelled in %d calls", open, calls)
	var more int
	require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.tasks where parent_step_uuid is not null`).Scan(&more))
	require.LessOrEqual(t, more, open, "none was started meanwhile")
}

// claimBuffers returns the buffers that a claim of one step of beta reads, as the median of many claims.
func claimBuffers(t *testing.T, pool *pgxpool.Pool) int64 {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	var counts []int64
	for range 21 {
		_, err := conn.Exec(t.Context(), `select from tasker.create_task('beta', 'job', '{}')`)
		require.NoError(t, err)
		var count int64
		require.NoError(t, conn.QueryRow(t.Context(), `select tasker_test.buffers($1)`,
			`select from tasker.claim_steps('{beta}', '01980000-0000-7000-8000-00000000000b', 1)`).Scan(&count))
		counts = append(counts, count)
	}
	slices.Sort(counts)
	t.Logf("buffers of claims: %v", counts)
	return counts[len(counts)/2]
}
