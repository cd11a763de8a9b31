package movetest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// laterPaths has the statements of a migration that adds a path on which a step's result counts, and a path on which
// a step fails.
const laterPaths = `
	insert into tasker.step_state_machine (from_state, event, to_state, position)
	values ('enqueued_for_orchestration', 'Park', 'suspended', 2), ('enqueued_as_error_for_orchestration', 'Park', 'suspended', 1);
	alter domain tasker.step_path drop constraint step_path_check;
	alter domain tasker.step_path add constraint step_path_check
	  check (value between 1 and 78 or value between 1001 and 1011) not valid;
	insert into tasker.step_log_paths (path, position, after, start_state, from_state, event, to_state)
	values
	  (78, 1, 1, 'in_progress', 'in_progress', 'EnqueueForOrchestration', 'enqueued_for_orchestration'),
	  (78, 2, 0, 'in_progress', 'enqueued_for_orchestration', 'Park', 'suspended'),
	  (1011, 1, 1, 'in_progress', 'in_progress', 'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration'),
	  (1011, 2, 0, 'in_progress', 'enqueued_as_error_for_orchestration', 'Park', 'suspended');`

// logged writes a row of each new path, as rows of a step whose number no template has. This test is not about the guards of rows.
const logged = `
	set local session_replication_role = replica;
	insert into tasker.step_log (task_uuid, step_no, sort_key, path, metadata)
	select t.task_uuid, n.no, 2, n.path, '{"error": "parked"}'
	  from (select t.task_uuid from tasker.tasks as t order by t.task_uuid limit 1) as t
	 cross join (values (1001, 78), (1002, 1011)) as n (no, path);`

// unfolded digests the transitions of all steps and tasks, in order.
func unfolded(t *testing.T, pool *pgxpool.Pool) (digest string) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `
		select md5(
		  (select string_agg(l::text, ';' order by l.task_uuid, l.step_no, l.sort_key) from tasker.workflow_step_transition_log as l)
		  || (select string_agg(l::text, ';' order by l.task_uuid, l.sort_key) from tasker.task_transition_log as l)
		)`).Scan(&digest))
	return digest
}

// TestDump_KeepsPathsAndAdmitsLaterOnes dumps logs and restores them, adds a good and a failing path in one transaction that also
// uses them, and dumps and restores again. In a dump a domain's constraint that is not validated comes after the data.
func TestDump_KeepsPathsAndAdmitsLaterOnes(t *testing.T) {
	t.Parallel()
	pool, server, database := private(t)
	_, err := pool.Exec(t.Context(), `
		select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [
		  {"name": "first"}, {"name": "second", "dependencies": ["first"]}]}');
		select tasker.create_tasks('shop', 'order', array_fill('{}'::jsonb, array[20]))`)
	require.NoError(t, err)
	for _, sql := range []string{
		`select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from tasker.claim_steps(null, gen_random_uuid(), 100) as c`,
		`select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from tasker.claim_steps(null, gen_random_uuid(), 10) as c`,
		`select tasker.fail_steps(
		   array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('broken'::text), array_agg(true)
		 )
		   from tasker.claim_steps(null, gen_random_uuid(), 10) as c`,
	} {
		_, err = pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	copyOf := func(from, to string) *pgxpool.Pool {
		shell(t, `psql -q -c "create database $NAME" "$SERVER" && pg_dump "$OLD" | psql -qX -v ON_ERROR_STOP=1 "$NEW" >/dev/null`,
			path(server), "NAME="+to, "SERVER="+server.URL, "OLD="+addressOf(t, server, from), "NEW="+addressOf(t, server, to))
		return at(t, server, to)
	}
	refuses := func(pool *pgxpool.Pool, paths ...int) {
		for _, path := range paths {
			_, err := pool.Exec(t.Context(), `select $1::integer::smallint::tasker.step_path`, path)
			require.ErrorContains(t, err, "step_path_check", "path %d", path)
		}
	}

	before := unfolded(t, pool)
	first := copyOf(database, "first")
	require.Equal(t, before, unfolded(t, first))
	refuses(first, 78, 1000, 1011)

	tx, err := first.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), laterPaths+logged)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	refuses(first, 0, 79, 1000, 1012)
	require.NotEqual(t, before, unfolded(t, first))

	for _, pool := range []*pgxpool.Pool{first, copyOf("first", "second")} {
		rows := ""
		require.NoError(t, pool.QueryRow(t.Context(), `
			select string_agg(format('%s %s %s %s', l.step_no, l.sort_key, l.event, l.to_state), ', ' order by l.step_no, l.sort_key)
			  from tasker.workflow_step_transition_log as l
			 where l.step_no > 1000`).Scan(&rows))
		require.Equal(t, "1001 1 EnqueueForOrchestration enqueued_for_orchestration, 1001 2 Park suspended, "+
			"1002 1 EnqueueForOrchestration enqueued_as_error_for_orchestration, 1002 2 Park suspended", rows)
		require.NoError(t, pool.QueryRow(t.Context(), `
			select string_agg(format('%s %s %s', a.step_no, a.sort_key, a.success), ', ' order by a.step_no)
			  from tasker.workflow_step_result_audit as a
			 where a.step_no > 1000`).Scan(&rows))
		require.Equal(t, "1001 1 t, 1002 1 f", rows, "a result fails on the paths from 1,000 on")
		require.Equal(t, unfolded(t, first), unfolded(t, pool))
		refuses(pool, 79, 1012)
		_, err = pool.Exec(t.Context(), "alter domain tasker.step_path validate constraint step_path_check")
		require.NoError(t, err)
	}
}
