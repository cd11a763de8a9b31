package crashtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/state"
)

// Every function that is declared stable or immutable and granted to a role works on a hot standby, and so does every view.
func TestStandby_ServesEveryFunctionThatReads(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	f := newFleet(t, pool, pool.Config().ConnString(), "plain")
	f.create(pool, 3, false)
	claimed, err := direct.New(pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1})
	require.NoError(t, err)
	_, err = direct.New(pool).CompleteSteps(t.Context(), []direct.StepResult{{
		StepClaim: claimsOf(claimed)[0], Results: json.RawMessage(`{"a": 1}`),
	}})
	require.NoError(t, err)
	standby := followed(t, pool, server)

	calls := readingCalls(t, pool, f.tasks[0])
	require.Greater(t, len(calls), 80)
	for _, call := range calls {
		want, err := countRows(t, pool, call)
		requireKnown(t, err, call)
		have, err := countRows(t, standby, call)
		requireKnown(t, err, call)
		// A standby reports one more line about itself.
		if err == nil && !strings.Contains(call, "check_installation") {
			require.Equal(t, want, have, call)
		}
	}
}

// Every function that is declared volatile refuses to write with 25006, or refuses its arguments. It never fails with the error of
// an unlogged table that it reads first.
func TestStandby_FunctionsThatWriteRefuse(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	f := newFleet(t, pool, pool.Config().ConnString(), "plain")
	f.create(pool, 1, false)
	standby := followed(t, pool, server)

	rows, err := pool.Query(t.Context(), `
		select format('select * from %s(%s)', p.oid::regproc,
		  (select string_agg(format('%I => null::%s', a.name, format_type(p.proargtypes[a.no - 1], null)), ', ' order by a.no)
		     from unnest(p.proargnames) with ordinality as a (name, no)
		    where a.no <= p.pronargs))
		  from pg_proc as p
		 where p.pronamespace = 'tasker'::regnamespace
		   and p.provolatile = 'v'
		   and p.prokind = 'f'
		   and p.prosecdef
		   and exists (select from aclexplode(p.proacl) as a where a.grantee <> p.proowner)`)
	require.NoError(t, err)
	calls, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(calls), 80)
	worker, known := uuid.New(), f.tasks[0]
	calls = append(calls,
		fmt.Sprintf("select * from tasker.claim_steps(null, '%s', 1)", worker),
		fmt.Sprintf("select * from tasker.exchange_steps('%s', p_limit => 1)", worker),
		fmt.Sprintf("select * from tasker.claim_step(tasker.step_uuid('%s', 1), '%s')", known, worker),
		fmt.Sprintf("select * from tasker.claim_delivered_steps(array[tasker.step_uuid('%s', 1)], '%s')", known, worker),
		fmt.Sprintf("select * from tasker.mark_sleeping('%s', '{x}')", worker),
		fmt.Sprintf("select * from tasker.mark_awake('%s', '{x}')", worker),
		fmt.Sprintf("select * from tasker.register_worker('%s', 'w')", worker),
		fmt.Sprintf("select * from tasker.cancel_task('%s')", known),
		fmt.Sprintf("select * from tasker.add_steps('%s', '[{\"name\": \"x\"}]')", known),
		"select * from tasker.fire_due_timers()", "select * from tasker.do_duties()", "select * from tasker.run_maintenance()",
	)
	for _, call := range calls {
		_, err := standby.Exec(t.Context(), call)
		var pgErr *pgconn.PgError
		if errors.As(err, &pgErr) && pgErr.Code != "25006" && !strings.HasPrefix(pgErr.Code, "TK") {
			t.Errorf("%s: %s %s", call, pgErr.Code, pgErr.Message)
		}
		if strings.Contains(call, worker.String()) || strings.Contains(call, known.String()) {
			require.ErrorAs(t, err, &pgErr, call)
			require.Equal(t, "25006", pgErr.Code, call+": "+pgErr.Message)
		}
	}
}

// followed returns the database of pool on a hot standby that has replayed all its changes.
func followed(t *testing.T, pool *pgxpool.Pool, server *pgserver.Server) *pgxpool.Pool {
	t.Helper()
	standby, err := server.StartStandby(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	following, err := pgxpool.New(t.Context(), onServer(t, pool.Config().ConnString(), standby))
	require.NoError(t, err)
	t.Cleanup(following.Close)
	return following
}

// readingCalls returns a query for each function that reads and each view that is no row type, with arguments that fit their names and types.
func readingCalls(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		select format('select * from %s(%s)', p.oid::regproc,
		  (select string_agg(format('%I => %s', a.name, case
		      when a.name = 'p_task_uuid' then quote_literal($1::uuid) || '::uuid'
		      when a.type::regtype::text = 'uuid' then quote_literal(tasker.step_uuid($1::uuid, 1)) || '::uuid'
		      when a.name = 'p_namespace' then '''plain'''
		      when a.name in ('p_queue_name', 'p_name') then '''crash'''
		      when a.name like '%state' then '''pending'''
		      when a.type::regtype::text = 'text' then '''a'''
		      when a.type::regtype::text in ('integer', 'bigint', 'numeric', 'double precision') then '1'
		      when a.type::regtype::text = 'boolean' then 'true'
		      when a.type::regtype::text like 'timestamp%' then 'now() - interval ''1 day'''
		      when a.type::regtype::text = 'uuid[]' then 'array[' || quote_literal($1::uuid) || '::uuid]'
		      when a.type::regtype::text = 'jsonb' then '''{}'''
		      else 'null' end), ', ' order by a.position)
		     from unnest(p.proargtypes::oid[]) with ordinality as t (type, position)
		    cross join lateral (select coalesce(p.proargnames[t.position], '') as name, t.type, t.position) as a
		    where t.position <= p.pronargs - p.pronargdefaults))
		  from pg_proc as p
		 where p.pronamespace in ('tasker'::regnamespace, 'tasklib'::regnamespace)
		   and p.provolatile <> 'v'
		   and p.prokind = 'f'
		   and exists (select from aclexplode(p.proacl) as g join pg_roles as r on r.oid = g.grantee where r.rolname <> 'tasker_owner' and r.rolname like 'task%')
		union all
		select format('select * from %s', c.oid::regclass)
		  from pg_class as c
		 where c.relnamespace in ('tasker'::regnamespace, 'tasklib'::regnamespace)
		   and c.relkind in ('v', 'm')
		   and pg_get_viewdef(c.oid) !~ '\sWHERE false;$'
		 order by 1`, task)
	require.NoError(t, err)
	calls, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return calls
}

func countRows(t *testing.T, pool *pgxpool.Pool, sql string) (count int, err error) {
	t.Helper()
	err = pool.QueryRow(t.Context(), "select count(*) from ("+sql+") as rows").Scan(&count)
	return count, err
}

// requireKnown accepts the refusal of an argument.
func requireKnown(t *testing.T, err error, call string) {
	t.Helper()
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &refused) && strings.HasPrefix(refused.Code, "TK") {
		return
	}
	require.NoError(t, err, call)
}

// On a standby health and doctor report it. A client that waits for a task polls, since LISTEN does not work there.
func TestStandby_SaysThatItIsOneAndIsPolled(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	f := newFleet(t, pool, pool.Config().ConnString(), "plain")
	f.create(pool, 1, false)
	standby := followed(t, pool, server)
	on := direct.New(standby)

	counts, err := on.GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.True(t, counts.Standby)
	findings, err := on.CheckInstallation(t.Context())
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(findings, func(f gen.InstallationFinding) bool {
		return f.Name == "standby" && strings.Contains(f.Message, "behind its primary")
	}), findings)
	counts, err = direct.New(pool).GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.False(t, counts.Standby)
	require.Nil(t, counts.StandbyLagSeconds)

	var states []state.TaskState
	for task, err := range executor.NewClient(standby).Tasks().Watch(t.Context(), f.tasks[0], executor.WaitOptions{PollInterval: 10 * time.Millisecond}) {
		require.NoError(t, err)
		states = append(states, task.State)
		if len(states) == 1 {
			_, err := direct.New(pool).CancelTask(t.Context(), f.tasks[0], "", "")
			require.NoError(t, err)
		}
	}
	require.Equal(t, []state.TaskState{state.TaskStepsInProcess, state.TaskCancelled}, states)
}
