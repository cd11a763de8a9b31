package racetest

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const createOpen = `select c.task_uuid::text from tasker.create_task('shop', 'sync', p_identity_key => 'k', p_identity_scope => 'open') as c`

// failedSync returns a failed task whose identity has the scope "open".
func failedSync(t *testing.T) (*pgxpool.Pool, string) {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	replayed(t, pool)
	require.NotEmpty(t, text(t, pool, `select name from tasker.register_task_template('{"namespace": "shop", "name": "sync", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}')`))
	task := text(t, pool, createOpen)
	for _, statement := range []string{
		`select from tasker.claim_steps('{shop}', '01980000-0000-7000-8000-00000000000b') as c
		  cross join lateral tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{no}', '{t}')`,
		`select tasker.give_up_task('` + task + `')`,
	} {
		_, err := pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.Equal(t, "error", text(t, pool, `select state::text from tasker.tasks`))
	return pool, task
}

// A reset that has not committed yet holds the identity. A request that believes the task ended waits, and then finds the
// task open.
func TestIdentity_OfAResetTaskIsNotTakenOver(t *testing.T) {
	t.Parallel()
	pool, task := failedSync(t)
	operator, creator := begin(t, pool), begin(t, pool)
	_, err := operator.Exec(t.Context(), "select tasker.reset_task($1)", task)
	require.NoError(t, err)
	answer := async(t, creator, createOpen)
	pgtest.WaitBlocked(t, pool, creator.Conn().PgConn().PID())
	require.NoError(t, operator.Commit(t.Context()))

	a := <-answer
	require.NoError(t, a.err)
	require.Equal(t, task, a.text)
	require.NoError(t, creator.Commit(t.Context()))
	require.Equal(t, "1", text(t, pool, "select count(*)::text from tasker.tasks where not complete"))
}

// A request takes over the identity and has not committed yet. The reset waits, and is refused.
func TestIdentity_OfAReplacedTaskRefusesTheReset(t *testing.T) {
	t.Parallel()
	pool, task := failedSync(t)
	_, err := pool.Exec(t.Context(), "alter function tasker.reset_task(uuid, text, text) set lock_timeout = '1min'")
	require.NoError(t, err)
	creator, operator := begin(t, pool), begin(t, pool)
	var other string
	require.NoError(t, creator.QueryRow(t.Context(), createOpen).Scan(&other))
	require.NotEqual(t, task, other)
	answer := async(t, operator, "select tasker.reset_task('"+task+"')::text")
	pgtest.WaitBlocked(t, pool, operator.Conn().PgConn().PID())
	require.NoError(t, creator.Commit(t.Context()))

	a := <-answer
	var refused *pgconn.PgError
	require.ErrorAs(t, a.err, &refused)
	require.Equal(t, "TK409", refused.Code)
	require.Equal(t, fmt.Sprintf("task %s cannot be reset: task %s has its identity and is open", task, other), refused.Message)
}

// The wait for an identity ends like the wait for a task, with an error that names the session.
func TestIdentity_ThatIsHeldIsNamedWithItsHolder(t *testing.T) {
	t.Parallel()
	pool, task := failedSync(t)
	for _, function := range []string{"reset_task(uuid, text, text)", "transition_task_state_atomic(uuid, text, text, uuid, jsonb)"} {
		_, err := pool.Exec(t.Context(), "alter function tasker."+function+" set lock_timeout = '100ms'")
		require.NoError(t, err)
	}
	creator := begin(t, pool)
	_, err := creator.Exec(t.Context(), createOpen)
	require.NoError(t, err)
	for _, call := range []string{
		"select tasker.reset_task('" + task + "')",
		"select tasker.transition_task_state_atomic('" + task + "', 'error', 'pending')",
	} {
		_, err = pool.Exec(t.Context(), call)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, "TK409", refused.Code, refused.Message)
		require.Equal(t, fmt.Sprintf("another session holds the identity of task %s", task), refused.Message)
		require.Contains(t, refused.Detail, fmt.Sprintf("Process %d of role", creator.Conn().PgConn().PID()))
	}
	require.Equal(t, "locked", text(t, pool, "select outcome from tasker.reset_tasks('back', 'error')"), "a reset of many does not wait")
}

// Requeueing many dead letters holds their tasks, and a reset holds the identity while it waits for its task. The requeueing
// does not wait for the reset.
func TestIdentity_ThatAResetHoldsIsNotAwaitedWithItsTaskLocked(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	require.NotEmpty(t, text(t, pool, `select name from tasker.register_task_template('{"namespace": "shop", "name": "sync", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}')`))
	task := text(t, pool, createOpen)
	require.NotEmpty(t, text(t, pool, "select tasker.create_dlq_entry('"+task+"', 'manual_dlq', 'odd')::text"))
	_, err := pool.Exec(t.Context(), "alter function tasker.reset_task(uuid, text, text) set lock_timeout = '1min'")
	require.NoError(t, err)

	operator, resetter := begin(t, pool), begin(t, pool)
	_, err = operator.Exec(t.Context(), "select from tasker.tasks for no key update")
	require.NoError(t, err)
	reset := async(t, resetter, "select tasker.reset_task('"+task+"')::text")
	pgtest.WaitBlocked(t, pool, resetter.Conn().PgConn().PID())

	a := <-async(t, operator, "select outcome from tasker.requeue_dlq_entries('the bank is back')")
	require.NoError(t, a.err)
	require.NoError(t, operator.Commit(t.Context()))
	b := <-reset
	require.NoError(t, b.err)
	require.Equal(t, "locked", a.text)
}
