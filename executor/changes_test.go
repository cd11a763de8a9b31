package executor_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
)

// watching is a Watch that runs until it ends by itself or the test ends.
type watching struct {
	t    *testing.T
	seen chan sight
}

// sight is what a watcher receives: a task, an error, or neither at the end.
type sight struct {
	task *executor.TaskDetail
	err  error
}

func watch(t *testing.T, db executor.DBTX, task uuid.UUID, interval time.Duration) watching {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := watching{t: t, seen: make(chan sight, 100)}
	left := make(chan struct{})
	go func() {
		defer close(left)
		for task, err := range executor.NewClient(db).Tasks().Watch(ctx, task, executor.WaitOptions{PollInterval: interval}) {
			if err != nil {
				w.seen <- sight{err: err}
				return
			}
			w.seen <- sight{task: &task}
		}
		w.seen <- sight{}
	}()
	t.Cleanup(func() {
		cancel()
		<-left
	})
	return w
}

func (w watching) look() sight {
	w.t.Helper()
	select {
	case s := <-w.seen:
		require.NoError(w.t, s.err)
		return s
	case <-time.After(time.Minute):
		require.FailNow(w.t, "no change came")
		return sight{}
	}
}

// next returns the next state that the watcher receives.
func (w watching) next() state.TaskState {
	w.t.Helper()
	s := w.look()
	require.NotNil(w.t, s.task, "watching has ended")
	return s.task.State
}

func (w watching) requireEnd() {
	w.t.Helper()
	require.Nil(w.t, w.look().task)
}

// waitListening waits until a session other than these listens, is marked as sleeping, and waits, and returns its process ID. A wait that
// joins while the listener begins has it mark itself again. Then the listener's ping is the first sign of its waiting.
func waitListening(t *testing.T, pool *pgxpool.Pool, others ...int32) (pid int32) {
	t.Helper()
	require.Eventually(t, func() bool {
		err := pool.QueryRow(t.Context(), `
			select coalesce(min(a.pid), 0)
			  from pg_stat_activity as a
			 where a.datname = current_database() and a.state = 'idle' and a.query ~ 'open_writers|^-- ping' and a.pid <> all ($1)`,
			append([]int32{}, others...)).Scan(&pid)
		return err == nil && pid > 0
	}, time.Minute, 2*time.Millisecond)
	return pid
}

// gated returns a pool like another one that has a connection. Before it opens any more it asks the gate.
func gated(t *testing.T, pool *pgxpool.Pool, gate func() error) *pgxpool.Pool {
	t.Helper()
	config := pool.Config()
	config.MaxConns, config.MinConns = 1, 0
	var closed atomic.Bool
	config.BeforeConnect = func(context.Context, *pgx.ConnConfig) error {
		if closed.Load() {
			return gate()
		}
		return nil
	}
	own, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(own.Close)
	require.NoError(t, own.Ping(t.Context()))
	closed.Store(true)
	return own
}

// polling is a database that is no pool: nothing can be listened to.
type polling struct{ executor.DBTX }

const longer = time.Hour // longer than any test: only notifications can wake the watcher

func TestTasks_WaitReturnsWhenTheTaskHasEnded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	cancelled := make(chan error, 1)
	go func() {
		waitListening(t, pool)
		_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
		cancelled <- err
	}()
	detail, err := executor.NewClient(pool).Tasks().Wait(t.Context(), task, executor.WaitOptions{PollInterval: longer})
	require.ErrorIs(t, err, executor.ErrCancelled)
	require.NoError(t, <-cancelled)
	require.Equal(t, state.TaskCancelled, detail.State)
	require.True(t, detail.Complete)
	require.Equal(t, task, detail.TaskUUID)
}

func TestTasks_WaitForAnEndedTaskOpensNoConnection(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	detail, err := executor.NewClient(gated(t, pool, func() error { panic("connects") })).Tasks().Wait(t.Context(), task)
	require.ErrorIs(t, err, executor.ErrCancelled)
	require.Equal(t, state.TaskCancelled, detail.State)
}

func TestTasks_WaitRefusesATaskThatIsNotThere(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := executor.NewClient(pool).Tasks().Wait(t.Context(), executor.NewTaskUUID())
	require.ErrorIs(t, err, executor.ErrNotFound)
}

func TestTasks_WaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	for _, db := range []executor.DBTX{polling{pool}, pool} {
		for timeout := 50 * time.Millisecond; ; timeout *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			detail, err := executor.NewClient(db).Tasks().Wait(ctx, task)
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
			if detail.State == state.TaskStepsInProcess {
				break
			}
			require.Less(t, timeout, time.Minute, "it returns the task as it was last seen, not %q", detail.State)
			require.Empty(t, detail.State, "a busy machine had no time to look")
		}
	}
}

func TestTasks_WatchDeliversEachChange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	task, top := startTask(t, pool)
	w := watch(t, pool, task, longer)
	require.Equal(t, state.TaskStepsInProcess, w.next())
	waitListening(t, pool)

	other, _ := startTask(t, pool)
	_, err := e.CancelTask(t.Context(), other, "", "")
	require.NoError(t, err)
	claimed, err := e.ClaimStep(t.Context(), top, uuid.New(), 0)
	require.NoError(t, err)
	_, err = e.FailSteps(t.Context(), []direct.StepResult{{
		StepClaim: direct.StepClaim{StepUUID: top, ClaimNo: claimed.ClaimNo}, Error: "broken", Permanent: true,
	}})
	require.NoError(t, err)
	require.Equal(t, state.TaskBlockedByFailures, w.next())
	_, err = e.RetryStep(t.Context(), top, "", "")
	require.NoError(t, err)
	require.Equal(t, state.TaskStepsInProcess, w.next())
	_, err = e.CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.Equal(t, state.TaskCancelled, w.next())
	w.requireEnd()
}

func TestTasks_WatchConnectsAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	w := watch(t, pool, task, longer)
	require.Equal(t, state.TaskStepsInProcess, w.next())
	var gone []int32
	for range 3 {
		pid := waitListening(t, pool, gone...)
		_, err := pool.Exec(t.Context(), `select pg_terminate_backend($1)`, pid)
		require.NoError(t, err)
		gone = append(gone, pid)
	}
	waitListening(t, pool, gone...)
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.Equal(t, state.TaskCancelled, w.next())
	w.requireEnd()
}

// The watcher's login has one connection left, which its listener holds.
func TestTasks_TheListenerOfAWatchGivesWay(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	login := faultproxy.Login(t, pool, "tasker_operator")
	own := faultproxy.Postgres(t, pool).PoolOf(t, login, func(c *pgxpool.Config) { c.MaxConns = 1 })
	w := watch(t, own, task, longer)
	require.Equal(t, state.TaskStepsInProcess, w.next())
	waitListening(t, pool)
	faultproxy.LeaveOneBesides(t, pool, own, login)
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.Equal(t, state.TaskCancelled, w.next())
	w.requireEnd()
}

func TestTasks_WatchSeesWhatChangedWhileItWasNotConnected(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	asked, let := make(chan struct{}), make(chan struct{})
	w := watch(t, gated(t, pool, func() error {
		close(asked)
		<-let
		return nil
	}), task, longer)
	require.Equal(t, state.TaskStepsInProcess, w.next())
	<-asked
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	close(let)
	require.Equal(t, state.TaskCancelled, w.next())
}

func TestTasks_WatchPollsWhenANotificationIsLost(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	_, err := direct.New(pool).SetSetting(t.Context(), "notify", new("off"))
	require.NoError(t, err)
	var all []watching
	for _, db := range []executor.DBTX{pool, polling{pool}, gated(t, pool, func() error { return errors.New("no server") })} {
		w := watch(t, db, task, 10*time.Millisecond)
		require.Equal(t, state.TaskStepsInProcess, w.next())
		all = append(all, w)
	}
	_, err = direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	for _, w := range all {
		require.Equal(t, state.TaskCancelled, w.next())
		w.requireEnd()
	}
}

// flaky is a pool whose queries fail as if the server were gone.
type flaky struct {
	*pgxpool.Pool
	down *atomic.Int32 // how many queries still fail
}

func (f flaky) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if f.down.Add(-1) >= 0 {
		return failedRow{}
	}
	return f.Pool.QueryRow(ctx, sql, args...)
}

type failedRow struct{}

func (failedRow) Scan(...any) error { return errors.New("connection reset by peer") }

func TestTasks_WatchLooksAgainWhenTheServerWasGone(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	f := flaky{pool, new(atomic.Int32)}
	f.down.Store(3)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for detail, err := range executor.NewClient(f).Tasks().Watch(ctx, task, executor.WaitOptions{PollInterval: 10 * time.Millisecond}) {
		require.NoError(t, err)
		require.Equal(t, state.TaskStepsInProcess, detail.State)
		break // Leaving the loop ends the watching.
	}
	require.NoError(t, ctx.Err())
	require.Negative(t, f.down.Load())
}
