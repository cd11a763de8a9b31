package tasklib_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

func claimParams(worker string, n int32) gen.ClaimTasksParams {
	return gen.ClaimTasksParams{Names: []string{"echo"}, WorkerID: worker, MaxTasks: n}
}

// session is a connection that another one can be seen to wait for.
func session(t *testing.T, pool *pgxpool.Pool) *pgxpool.Conn {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	return conn
}

func TestClaims_AtOnceGetDifferentTasksAndNeverWait(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasklib.register_task('echo'), tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[10]))")
	tx, err := session(t, pool).Begin(t.Context())
	require.NoError(t, err)
	first, err := tasklib.NewFunctions(tx).ClaimTasks(t.Context(), claimParams("a", 6))
	require.NoError(t, err)
	require.Len(t, first, 6)

	second, err := tasklib.NewFunctions(pool).ClaimTasks(t.Context(), claimParams("b", 6))
	require.NoError(t, err)
	require.Len(t, second, 4, "the second claim gets the tasks that the first one has not locked")
	require.NoError(t, tx.Rollback(t.Context()))
	third, err := tasklib.NewFunctions(pool).ClaimTasks(t.Context(), claimParams("b", 10))
	require.NoError(t, err)
	require.Len(t, third, 6, "the tasks of the rolled-back claim are claimed")
}

func TestClaims_AtOnceKeepToTheConcurrencyLimit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, `select tasklib.register_task('echo', '{"concurrency_limit": 3}'), tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[10]))`)
	tx, err := session(t, pool).Begin(t.Context())
	require.NoError(t, err)
	first, err := tasklib.NewFunctions(tx).ClaimTasks(t.Context(), claimParams("a", 2))
	require.NoError(t, err)
	require.Len(t, first, 2)

	other := session(t, pool)
	claimed := make(chan int, 1)
	go func() {
		second, err := tasklib.NewFunctions(other).ClaimTasks(t.Context(), claimParams("b", 10))
		if err != nil {
			t.Error(err)
		}
		claimed <- len(second)
	}()
	pgtest.WaitBlocked(t, pool, other.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, 1, <-claimed, "it sees what the first one took")
}

func TestSubmissions_AtOnceWithOneKeyMakeOneTask(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{true, false} {
		pool := pgtest.New(t)
		exec(t, pool, "select tasklib.register_task('echo')")
		key := "k"
		params := gen.SubmitTaskParams{Name: "echo", Kwargs: json.RawMessage("{}"), DedupKey: &key}
		tx, err := session(t, pool).Begin(t.Context())
		require.NoError(t, err)
		first, err := tasklib.NewFunctions(tx).SubmitTask(t.Context(), params)
		require.NoError(t, err)

		other := session(t, pool)
		submitted := make(chan gen.TaskSubmission, 1)
		go func() {
			second, err := tasklib.NewFunctions(other).SubmitTask(t.Context(), params)
			if err != nil {
				t.Error(err)
			}
			submitted <- second
		}()
		pgtest.WaitBlocked(t, pool, other.Conn().PgConn().PID())
		if commits {
			require.NoError(t, tx.Commit(t.Context()))
			require.Equal(t, gen.TaskSubmission{Position: 1, ID: first.ID, Created: false}, <-submitted)
		} else {
			require.NoError(t, tx.Rollback(t.Context()))
			second := <-submitted
			require.True(t, second.Created)
			require.NotEqual(t, first.ID, second.ID)
		}
		require.Equal(t, 1, query[int](t, pool, "select count(*) from tasklib.tasks"))
	}
}

func TestSchedules_FiredAtOnceMakeOneTaskATick(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(10))
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	exec(t, pool, "select tasklib.register_task('echo'), tasklib.schedule_task('s', 'echo', '* * * * *')")
	for minute := range 10 {
		exec(t, pool, "select tasker_test.pass('1 minute')")
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				if _, err := tasklib.NewFunctions(pool).FireSchedules(t.Context(), 10); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		require.Equal(t, minute+1, query[int](t, pool, "select count(*) from tasklib.tasks"))
	}
	require.Equal(t, 10, query[int](t, pool, "select count(distinct tags ->> 'tick') from tasklib.tasks"))
}

func TestCancel_WaitsForAReportAndComesTooLate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasklib.register_task('echo'), tasklib.submit_task('echo')")
	claimed, err := tasklib.NewFunctions(pool).ClaimTasks(t.Context(), claimParams("a", 1))
	require.NoError(t, err)
	task := claimed[0]
	tx, err := session(t, pool).Begin(t.Context())
	require.NoError(t, err)
	_, err = tasklib.NewFunctions(tx).CompleteTasks(t.Context(), gen.CompleteTasksParams{
		WorkerID: "a", Ids: []uuid.UUID{task.ID}, ClaimNos: []int32{task.ClaimNo},
	})
	require.NoError(t, err)

	other := session(t, pool)
	cancelled := make(chan bool, 1)
	go func() {
		did, err := tasklib.NewFunctions(other).CancelTask(t.Context(), task.ID, nil)
		if err != nil {
			t.Error(err)
		}
		cancelled <- did
	}()
	pgtest.WaitBlocked(t, pool, other.Conn().PgConn().PID())
	require.NoError(t, tx.Commit(t.Context()))
	require.False(t, <-cancelled)
	require.Equal(t, "completed", query[string](t, pool, "select state::text from tasklib.tasks"))
}
