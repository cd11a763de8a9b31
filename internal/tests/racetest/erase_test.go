package racetest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// failedRun returns a task that has failed for good, so that it can be reset, forked and erased.
func failedRun(t *testing.T, pool *pgxpool.Pool) (task string) {
	t.Helper()
	for _, sql := range []string{
		`select tasker.register_task_template('{"namespace": "test", "name": "one", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [{"name": "a", "retry": {"retryable": false}}]}')`,
		`select from tasker.create_task('test', 'one', '{"secret": "MARKER"}')`,
		`select from tasker.claim_steps('{test}', gen_random_uuid(), 100) as c cross join lateral tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{MARKER}') as f`,
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	var state string
	require.NoError(t, pool.QueryRow(t.Context(), `select t.task_uuid::text, t.state::text from tasker.tasks as t order by t.task_uuid desc limit 1`).Scan(&task, &state))
	require.Equal(t, "error", state)
	return task
}

// meet runs first in an open transaction, and second in another session, which waits for the first. Then the first transaction
// commits. meet returns the error of the second call.
func meet(t *testing.T, pool *pgxpool.Pool, task, first, second string) error {
	t.Helper()
	ctx := t.Context()
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, first, task)
	require.NoError(t, err, first)
	other, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer other.Release()
	answer := make(chan error, 1)
	go func() {
		_, err := other.Exec(ctx, second, task)
		answer <- err
	}()
	pgtest.WaitBlocked(t, pool, other.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(ctx))
	return <-answer
}

const erase = "select from tasker.erase_task($1::text::uuid, 'asked for')"

// The second call on a task waits for the first call, and its outcome depends on the effect of the first call.
func TestErase_TheFirstWinsAndTheSecondIsTold(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	reset := "select tasker.reset_task($1::text::uuid, 'again')"
	fork := "select tasker.fork_task($1::text::uuid, 'a')"
	for _, c := range []struct{ name, first, second, refused string }{
		{"erase, reset", erase, reset, "was erased and cannot run again"},
		{"erase, fork", erase, fork, "was erased and cannot run again"},
		{"erase, erase", erase, erase, ""},
		{"reset, erase", reset, erase, "has not ended"},
		{"fork, erase", fork, erase, ""},
	} {
		task := failedRun(t, pool)
		err := meet(t, pool, task, c.first, c.second)
		if c.refused == "" {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, c.refused, c.name)
		}
		var erasures, problems int
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.erasures as e where e.task_uuid = $1::text::uuid`, task).Scan(&erasures))
		require.Equal(t, map[bool]int{true: 0, false: 1}[c.name == "reset, erase"], erasures, c.name)
		require.NoError(t, pool.QueryRow(t.Context(), `select count(*) from tasker.check_integrity()`).Scan(&problems))
		require.Zero(t, problems, c.name)
	}
}

// Retention that drops the range of a task makes the erasure of the task wait. Afterwards there is nothing to erase.
func TestErase_WaitsForRetention(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	var task string
	for _, sql := range []string{
		"select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')", "select tasker.note_objects()",
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	require.NoError(t, pool.QueryRow(t.Context(), "select tasker_test.make_old_task('41 days')::text").Scan(&task))
	err := meet(t, pool, task, "select from tasker.apply_retention() as r where $1::text is not null", erase)
	require.ErrorContains(t, err, "does not exist")
}

// Sessions erase, reset and fork the same tasks at the same time. Erased tasks stay erased, and the other tasks keep their
// data.
func TestErase_ManyAtOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	var tasks []string
	for range 20 {
		tasks = append(tasks, failedRun(t, pool))
	}
	answers := make(chan error)
	calls := []string{
		erase, "select tasker.reset_task($1::text::uuid, 'again')", "select tasker.fork_task($1::text::uuid, 'a')",
		"select tasker.cancel_task($1::text::uuid, 'off')",
	}
	for _, call := range calls {
		go func() {
			for _, task := range tasks {
				_, err := pool.Exec(t.Context(), call, task)
				answers <- err
			}
		}()
	}
	for range len(calls) * len(tasks) {
		if err := <-answers; err != nil {
			require.Regexp(t, "TK409", err.Error())
		}
	}
	for _, c := range []struct{ what, sql string }{
		{"problems", "select count(*) from tasker.check_integrity()"},
		{"erased tasks with their data", "select count(*) from tasker.tasks as t where t.erased_at is not null and t::text like '%MARKER%'"},
		{"erased tasks that run", "select count(*) from tasker.tasks as t where t.erased_at is not null and not t.complete"},
		{"other tasks without their data", "select count(*) from tasker.tasks as t where t.erased_at is null and t.context ->> 'secret' is distinct from 'MARKER'"},
	} {
		var n int
		require.NoError(t, pool.QueryRow(t.Context(), c.sql).Scan(&n))
		require.Zero(t, n, c.what)
	}
}
