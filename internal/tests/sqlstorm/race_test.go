package sqlstorm

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
)

// open makes a step whose function writes a row, and then waits for the row of table gate, which the test holds.
func open(t *testing.T, step string) (pool *pgxpool.Pool, task uuid.UUID, gate pgx.Tx) {
	pool = pgtest.New(t, pgtest.MaxConns(10)) // Each call keeps a connection until the test ends.
	pgtest.StepsRole(t, pool)
	_, err := pool.Exec(t.Context(), `
		create table public.gate (id integer); insert into public.gate values (1);
		create table public.effects (n integer);
		grant select, update, insert on public.gate, public.effects to pgtest_steps;
		create function public.step(p_input jsonb) returns jsonb language plpgsql as $$
		begin
		  insert into public.effects values (1);
		  perform from public.gate for update;
		  return '{}';
		end;
		$$;
		create function public.sleep(p_input jsonb) returns jsonb language plpgsql as $$
		begin
		  insert into public.effects values (1);
		  perform pg_sleep(60);
		  return '{}';
		end;
		$$;
		select tasker.register_namespace('race');
		select tasker.bind_sql_role('race', 'pgtest_steps');`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select tasker.register_task_template($1)", `{"namespace": "race", "name": "race", "steps": [`+step+`]}`)
	require.NoError(t, err)
	require.NoError(t, pool.QueryRow(t.Context(), "select task_uuid from tasker.create_task('race', 'race')").Scan(&task))
	gate, err = pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = gate.Exec(t.Context(), "select from public.gate for update")
	require.NoError(t, err)
	t.Cleanup(func() { _ = gate.Rollback(context.WithoutCancel(t.Context())) })
	return pool, task, gate
}

// runs runs SQL steps in the background, as a driver does, and sends the outcome of the call.
func runs(t *testing.T, pool *pgxpool.Pool, alone bool) (conn *pgxpool.Conn, done chan gen.SQLRun) {
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	done = make(chan gen.SQLRun, 1)
	go func() {
		var did gen.SQLRun
		_ = pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) (err error) {
			e := executor.New(tx)
			if alone {
				if _, err := e.BeginSQLStep(t.Context(), nil); err != nil {
					return err
				}
			}
			did, err = e.RunSQLSteps(t.Context(), 10, nil)
			return err
		})
		done <- did
	}()
	return conn, done
}

func effects(t *testing.T, pool *pgxpool.Pool) (n int) {
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from public.effects").Scan(&n))
	return n
}

func state(t *testing.T, pool *pgxpool.Pool, task uuid.UUID) (state, lastError string) {
	require.NoError(t, pool.QueryRow(t.Context(),
		"select s.state, coalesce(s.last_error, '') from tasker.workflow_steps as s where s.task_uuid = $1", task).Scan(&state, &lastError))
	return state, lastError
}

const timed = `{"name": "a", "sql": "public.step", "timeout_seconds": 600}`

func TestRace_CancelWaitsForTheStepsOfACall(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, `{"name": "a", "sql": "public.step"}`)
	conn, done := runs(t, pool, false)
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())

	cancelled := make(chan error, 1)
	canceller, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer canceller.Release()
	go func() {
		_, err := executor.New(canceller).CancelTask(t.Context(), task, "", "")
		cancelled <- err
	}()
	pgtest.WaitBlocked(t, pool, canceller.Conn().PgConn().PID())
	require.NoError(t, gate.Commit(t.Context()))
	require.EqualValues(t, 1, (<-done).Completed)
	<-cancelled
	was, _ := state(t, pool, task)
	require.Equal(t, "complete", was)
	require.Equal(t, 1, effects(t, pool))
}

func TestRace_ACancelledStepThatIsAloneHasNoEffect(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, timed)
	_, done := runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).PutOff)
	conn, done := runs(t, pool, true)
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	_, err := executor.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err, "a step that is alone does not hold its task")
	require.NoError(t, gate.Commit(t.Context()))
	require.Zero(t, (<-done).Completed)
	was, _ := state(t, pool, task)
	require.Equal(t, "cancelled", was)
	require.Zero(t, effects(t, pool))
}

func TestRace_AStepThatIsAloneAndLostItsClaimHasNoEffect(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, timed)
	_, done := runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).PutOff)
	conn, done := runs(t, pool, true)
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	_, err := pool.Exec(t.Context(), `
		select tasker.release_steps(array[s.workflow_step_uuid], array[s.claim_no]) from tasker.workflow_steps as s`)
	require.NoError(t, err)
	was, _ := state(t, pool, task)
	require.Equal(t, "enqueued", was, "its claim has ended")
	require.NoError(t, gate.Commit(t.Context()))
	require.Zero(t, (<-done).Completed)
	require.Zero(t, effects(t, pool))
	was, _ = state(t, pool, task)
	require.Equal(t, "enqueued", was)
}

const failing = `{"name": "broken", "handler": "broken", "retry": {"retryable": false}}, `

// fails lets step broken of the task fail for good.
func fails(t *testing.T, pool *pgxpool.Pool) {
	_, err := pool.Exec(t.Context(), `
		select f.answer
		  from tasker.claim_steps('{race}', gen_random_uuid(), 1, p_handlers => '{broken}') as c
		 cross join lateral tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{broken}') as f`)
	require.NoError(t, err)
}

func sqlState(t *testing.T, pool *pgxpool.Pool) (state string) {
	require.NoError(t, pool.QueryRow(t.Context(), "select s.state from tasker.list_steps((select t.task_uuid from tasker.tasks as t)) as s where s.name = 'a'").Scan(&state))
	return state
}

func TestRace_ResetWaitsForTheStepsOfACall(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, failing+`{"name": "a", "sql": "public.step"}`)
	fails(t, pool)
	conn, done := runs(t, pool, false)
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	operator, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer operator.Release()
	reset := make(chan error, 1)
	go func() {
		_, err := operator.Exec(t.Context(), "select tasker.reset_task($1)", task)
		reset <- err
	}()
	pgtest.WaitBlocked(t, pool, operator.Conn().PgConn().PID())
	require.NoError(t, gate.Commit(t.Context()))
	require.EqualValues(t, 1, (<-done).Completed)
	require.NoError(t, <-reset)
	require.Equal(t, "complete", sqlState(t, pool))
	require.Equal(t, 1, effects(t, pool))
	_, done = runs(t, pool, true)
	require.Zero(t, (<-done).Completed, "a finished step stays finished")
	require.Equal(t, 1, effects(t, pool))
}

func TestRace_ResetDoesNotTouchAStepThatIsAlone(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, failing+timed)
	fails(t, pool)
	_, done := runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).PutOff)
	conn, done := runs(t, pool, true)
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	_, err := pool.Exec(t.Context(), "select tasker.reset_task($1)", task)
	require.NoError(t, err, "a step that is alone does not hold its task")
	require.NoError(t, gate.Commit(t.Context()))
	require.EqualValues(t, 1, (<-done).Completed)
	require.Equal(t, "complete", sqlState(t, pool))
	require.Equal(t, 1, effects(t, pool))
}

// A role is bound while the namespace gets a broker, in both orders. One of the two calls is refused.
func TestRace_ARoleIsNotBoundBesideABroker(t *testing.T) {
	t.Parallel()
	const bind, broker = "select tasker.bind_sql_role('race', 'pgtest_steps')", "select tasker.register_namespace('race', p_transport => 'broker')"
	for _, order := range [][2]string{{bind, broker}, {broker, bind}} {
		pool, _, _ := open(t, timed)
		_, err := pool.Exec(t.Context(), "select tasker.unbind_sql_role('race')")
		require.NoError(t, err)
		first, err := pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = first.Exec(t.Context(), order[0])
		require.NoError(t, err)
		second, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		refused := make(chan error, 1)
		go func() {
			_, err := second.Exec(t.Context(), order[1])
			refused <- err
		}()
		pgtest.WaitBlocked(t, pool, second.Conn().PgConn().PID())
		require.NoError(t, first.Commit(t.Context()))
		require.ErrorContains(t, <-refused, `a broker cannot carry the steps of namespace "race" while a role is bound for its SQL steps`)
		second.Release()
	}
}

// The lease of a step that is alone ends during its call. Another call claims the step. The result of the first call comes too late, and
// the attempt of the other call stays.
func TestRace_AStepThatIsAloneAndOutlivesItsLeaseHasNoEffect(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, timed)
	_, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	_, done := runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).PutOff)
	conn, done := runs(t, pool, true)
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	_, err = enginetest.Pass(t.Context(), pool, 25*time.Hour)
	require.NoError(t, err)
	_, again := runs(t, pool, false)
	require.EqualValues(t, 1, (<-again).PutOff, "it is claimed again")
	require.NoError(t, gate.Commit(t.Context()))
	require.Zero(t, (<-done).Completed)
	require.Zero(t, effects(t, pool))
	was, _ := state(t, pool, task)
	require.Equal(t, "in_progress", was)
	_, done = runs(t, pool, true)
	require.EqualValues(t, 1, (<-done).Completed)
	was, _ = state(t, pool, task)
	require.Equal(t, "complete", was)
	require.Equal(t, 1, effects(t, pool))
}

func TestRace_ASessionThatIsEndedLeavesNoEffect(t *testing.T) {
	t.Parallel()
	pool, task, gate := open(t, `{"name": "a", "sql": "public.step"}`)
	conn, done := runs(t, pool, false)
	pid := conn.Conn().PgConn().PID()
	pgtest.WaitBlocked(t, pool, pid)
	_, err := pool.Exec(t.Context(), "select pg_terminate_backend($1)", pid)
	require.NoError(t, err)
	<-done
	was, _ := state(t, pool, task)
	require.Equal(t, "enqueued", was)
	require.Zero(t, effects(t, pool))
	require.NoError(t, gate.Commit(t.Context()))

	_, done = runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).PutOff, "its attempt is written before its call")
	_, done = runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).Completed)
	require.Equal(t, 1, effects(t, pool))
}

func TestTimeout_IsThatOfTheStep(t *testing.T) {
	t.Parallel()
	pool, task, _ := open(t, `{"name": "a", "sql": "public.sleep", "timeout_seconds": 1, "retry": {"max_attempts": 1}}`)
	_, done := runs(t, pool, false)
	require.EqualValues(t, 1, (<-done).PutOff)
	_, done = runs(t, pool, true)
	require.EqualValues(t, 1, (<-done).Failed)
	was, lastError := state(t, pool, task)
	require.Equal(t, "error", was)
	require.Equal(t, "57014: its function ran for longer than 1 seconds", lastError)
	require.Zero(t, effects(t, pool))
}
