package plantest_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestLocks_AreAsManyAsTheDoctorSays counts the locks of calls that move steps, for the first calls of a session, which plan
// their queries, and for later calls.
func TestLocks_AreAsManyAsTheDoctorSays(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	must := func(sql string, args ...any) {
		t.Helper()
		_, err := pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	must("select tasker.register_namespace('locks')")
	must(`select tasker.register_task_template('{"namespace": "locks", "name": "two", "identity_strategy": "always_unique",
		"steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}')`)
	must("select tasker.create_task('locks', 'two') from generate_series(1, 60)")

	for _, premake := range []int{1, 16} {
		must("select tasker.setup_partitioning(p_premake => $1)", premake)
		must("select tasker.ensure_partitions()")
		var each, first int
		var message string
		require.NoError(t, pool.QueryRow(t.Context(), "select message from tasker.check_installation() where name = 'locks'").Scan(&message))
		var sessions, connecting int
		_, err := fmt.Sscanf(message, "room for %d sessions at once, each with %d locks, or for %d that have just connected: the first call of each holds %d",
			&sessions, &each, &connecting, &first)
		require.NoError(t, err, message)

		conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
		require.NoError(t, err)
		for _, want := range []int{first, each} {
			if want == each { // a call that plans statements which the first two calls did not need
				exchange(t, conn)
			}
			held := exchange(t, conn)
			require.InEpsilon(t, want, held, 0.1, "%d made ahead: %s", premake, message)
		}
		require.NoError(t, conn.Close(t.Context()))
	}
}

// exchange claims three steps, and then exchanges their results for others in the same transaction. It returns the number of
// locks that this takes in the server's shared lock table.
func exchange(t *testing.T, conn *pgx.Conn) (held int) {
	t.Helper()
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `
		with c as materialized (
		  select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claims, array_agg('{}'::jsonb) as results
		    from tasker.claim_steps('{locks}', gen_random_uuid(), 3) as c
		)
		select e.* from c cross join lateral tasker.exchange_steps(gen_random_uuid(), c.steps, c.claims, c.results,
		  p_namespaces => '{locks}', p_limit => 3) as e`)
	require.NoError(t, err)
	require.NoError(t, tx.QueryRow(t.Context(), `select count(*) from pg_locks as l
		where l.pid = pg_backend_pid() and l.locktype = 'relation' and not l.fastpath`).Scan(&held))
	require.NoError(t, tx.Commit(t.Context()))
	return held
}
