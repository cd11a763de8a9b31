package racetest

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// keptRange returns ended tasks of a range past its retention, which are kept longer than the range.
func keptRange(t *testing.T, pool *pgxpool.Pool, tasks int) (uuids []string) {
	t.Helper()
	for _, sql := range []string{
		"select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days')", "select tasker.note_objects()",
		"select tasker.set_retention('test', 'old', '1 year')",
	} {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	for range tasks {
		uuids = append(uuids, ask(t, pool, "select tasker_test.make_old_task('41 days')::text"))
	}
	return uuids
}

// ask returns the only value of a query as text.
func ask(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (value string) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&value), sql)
	return value
}

const (
	applyRetention = "select coalesce(string_agg(r.outcome || ' ' || r.detail, ', '), 'nothing') from tasker.apply_retention() as r"
	// moveBatch copies at most three tasks, as apply_retention copies 1,000.
	moveBatch = `select coalesce(string_agg(o.outcome, ', '), 'none') from tasker.partition_ranges as r cross join lateral tasker.move_kept(r, tasker.kept_templates(r), 3) as o where r.ends_at < '2050-01-30' and r.kept = '{}' and tasker.kept_templates(r) <> '{}'`
)

// An erasure begins before its task is copied and ends after that. The copy that replaces the range has the effect of the
// erasure.
func TestRetention_AMoveHasWhatOpenTransactionsChange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	tasks := keptRange(t, pool, 2)
	require.Equal(t, "moving begun", ask(t, pool, applyRetention))

	erasure, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = erasure.Exec(t.Context(), erase, tasks[0])
	require.NoError(t, err)
	require.Contains(t, ask(t, pool, applyRetention), "busy", "the copies are made, and the erasure has not ended")
	require.Equal(t, "2", ask(t, pool, "select m.tasks::text from tasker.kept_moves as m"))
	require.NoError(t, erasure.Commit(t.Context()))

	_, err = pool.Exec(t.Context(), "update tasker.partition_ranges set retry_at = null")
	require.NoError(t, err)
	require.Equal(t, "moved 2 tasks moved to partitions _p20500117_e1", ask(t, pool, applyRetention))
	require.Equal(t, "1", ask(t, pool, "select count(*)::text from tasker.tasks as t where t.erased_at is not null and t.task_uuid::text = $1", tasks[0]))
	require.Equal(t, "1", ask(t, pool, "select count(*)::text from tasker.tasks as t where t.erased_at is null"))
}

// An erasure waits for the end of a move, and erases the task at its new place.
func TestRetention_AnErasureWaitsForTheEndOfAMove(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	tasks := keptRange(t, pool, 2)
	require.Equal(t, "moving begun", ask(t, pool, applyRetention))
	require.NoError(t, meet(t, pool, tasks[0], applyRetention+" where $1::text is not null", erase))
	require.Equal(t, "p20500117_e1", ask(t, pool, "select r.suffix from tasker.partition_ranges as r where r.kept <> '{}'"))
	require.Equal(t, "1", ask(t, pool, "select count(*)::text from tasker.tasks as t where t.erased_at is not null"))
}

// If a batch is rolled back, as after a crash, it has copied nothing, and the move continues.
func TestRetention_AMoveSurvivesACrash(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	tasks := keptRange(t, pool, 5)
	var moved int
	for outcome := ""; outcome != "moved"; moved++ {
		require.Less(t, moved, 20)
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "set local role tasker_owner")
		require.NoError(t, err)
		require.NoError(t, tx.QueryRow(t.Context(), moveBatch).Scan(&outcome))
		if moved%2 == 0 {
			require.NoError(t, tx.Rollback(t.Context()))
			outcome = "rolled back"
			continue
		}
		require.NoError(t, tx.Commit(t.Context()))
	}
	require.Equal(t, fmt.Sprint(len(tasks)), ask(t, pool, "select count(*)::text from tasker.tasks"))
	require.Equal(t, "0", ask(t, pool, "select count(*)::text from tasker.tasks as t, lateral tasker_test.violations(t.task_uuid)"))
}

// While a range is moved, sessions erase, cancel and reset its tasks. No effect of these calls is lost, and no task is lost.
func TestRetention_AMoveBesideErasuresAndResets(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	tasks := keptRange(t, pool, 24)
	calls := []string{erase, "select from tasker.create_dlq_entry($1::text::uuid, 'manual_dlq')"}
	answers := make(chan error)
	for _, call := range calls {
		go func() {
			for _, task := range tasks[:16] {
				_, err := pool.Exec(t.Context(), call, task)
				answers <- err
			}
		}()
	}
	outcomes := make(chan string)
	go func() {
		defer close(outcomes)
		for range 500 {
			var outcome string
			tx, err := pool.Begin(t.Context())
			if err == nil {
				_, err = tx.Exec(t.Context(), "set local role tasker_owner")
			}
			if err == nil {
				_, err = tx.Exec(t.Context(), "update tasker.partition_ranges set retry_at = null where retry_at is not null")
			}
			if err == nil {
				err = tx.QueryRow(t.Context(), moveBatch).Scan(&outcome)
			}
			if err == nil {
				err = tx.Commit(t.Context())
			}
			if err != nil {
				outcome = err.Error()
			}
			outcomes <- outcome
			if outcome != "moving" && outcome != "busy" {
				return
			}
		}
	}()
	for range len(calls) * 16 {
		require.NoError(t, <-answers)
	}
	last := ""
	for last = range outcomes {
	}
	require.Equal(t, "moved", last)
	for _, c := range []struct{ what, sql, n string }{
		{"tasks", "select count(*)::text from tasker.tasks", "24"},
		{"erased tasks", "select count(*)::text from tasker.tasks as t where t.erased_at is not null", "16"},
		{"erasures", "select count(*)::text from tasker.erasures", "16"},
		{"steps", "select count(*)::text from tasker.workflow_steps", "24"},
		{"violations", "select count(*)::text from tasker.tasks as t, lateral tasker_test.violations(t.task_uuid)", "0"},
		{"copies", "select count(*)::text from tasker.kept_moves", "0"},
	} {
		require.Equal(t, c.n, ask(t, pool, c.sql), c.what)
	}
}
