package executor_test

import (
	"context"
	"errors"
	"log/slog"
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

// watching is a WatchTask that runs until it ends by itself or the test ends.
type watching struct {
	t    *testing.T
	seen chan sight
}

// sight is what a watcher receives: a task, an error, or neither at the end.
type sight struct {
	task *executor.TaskDetail
	err  error
}

func watch(t *testing.T, pool *pgxpool.Pool, task uuid.UUID, config executor.WatchConfig) watching {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(t.Context())
	w := watching{t: t, seen: make(chan sight, 100)}
	left := make(chan struct{})
	go func() {
		defer close(left)
		for task, err := range direct.New(pool).WatchTask(ctx, task, config) {
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

// connections counts the connections that a Connect opened, and can cut the newest.
type connections struct {
	pool   *pgxpool.Pool
	opened chan uint32
}

func countConnections(pool *pgxpool.Pool) connections {
	return connections{pool: pool, opened: make(chan uint32, 100)}
}

func (c connections) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connectTo(c.pool)(ctx)
	if err == nil {
		c.opened <- conn.PgConn().PID()
	}
	return conn, err
}

// waitListening waits until the session with that process ID listens, is marked as sleeping, and waits.
func waitListening(t *testing.T, pool *pgxpool.Pool, pid uint32) {
	t.Helper()
	require.Eventually(t, func() bool {
		var idle bool
		err := pool.QueryRow(t.Context(), `
			select coalesce(bool_or(a.state = 'idle' and a.query ~ 'open_writers'), false)
			  from pg_stat_activity as a where a.pid = $1`, int32(pid)).Scan(&idle)
		return err == nil && idle
	}, time.Minute, 2*time.Millisecond)
}

const longer = time.Hour // longer than any test: only notifications can wake the watcher

func TestWaitForTask_ReturnsTheTaskWhenItHasEnded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	c := countConnections(pool)
	cancelled := make(chan error, 1)
	go func() {
		waitListening(t, pool, <-c.opened)
		_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
		cancelled <- err
	}()
	detail, err := direct.New(pool).WaitForTask(t.Context(), task, executor.WatchConfig{Connect: c.connect, PollInterval: longer})
	require.NoError(t, err)
	require.NoError(t, <-cancelled)
	require.Equal(t, state.TaskCancelled, detail.State)
	require.True(t, detail.Complete)
	require.Equal(t, task, detail.TaskUUID)
}

func TestWaitForTask_OfAnEndedTaskReturnsAtOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	detail, err := direct.New(pool).WaitForTask(t.Context(), task, executor.WatchConfig{
		Connect: func(context.Context) (*pgx.Conn, error) { panic("connects") },
	})
	require.NoError(t, err)
	require.Equal(t, state.TaskCancelled, detail.State)
}

func TestWaitForTask_RefusesATaskThatIsNotThere(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := direct.New(pool).WaitForTask(t.Context(), executor.NewTaskUUID(), executor.WatchConfig{})
	require.ErrorIs(t, err, executor.ErrNotFound)
}

func TestWaitForTask_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	for _, connect := range []executor.Connect{nil, connectTo(pool)} {
		for timeout := 50 * time.Millisecond; ; timeout *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			detail, err := direct.New(pool).WaitForTask(ctx, task, executor.WatchConfig{Connect: connect})
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

func TestWatchTask_DeliversEachChange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := direct.New(pool)
	task, top := startTask(t, pool)
	c := countConnections(pool)
	w := watch(t, pool, task, executor.WatchConfig{Connect: c.connect, PollInterval: longer})
	require.Equal(t, state.TaskStepsInProcess, w.next())
	waitListening(t, pool, <-c.opened)

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

func TestWatchTask_ConnectsAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	c := countConnections(pool)
	w := watch(t, pool, task, executor.WatchConfig{Connect: c.connect, PollInterval: longer})
	require.Equal(t, state.TaskStepsInProcess, w.next())
	for range 3 {
		pid := <-c.opened
		waitListening(t, pool, pid)
		_, err := pool.Exec(t.Context(), `select pg_terminate_backend($1)`, int32(pid))
		require.NoError(t, err)
	}
	waitListening(t, pool, <-c.opened)
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.Equal(t, state.TaskCancelled, w.next())
	w.requireEnd()
}

// The watcher's login has one connection left, which its listener holds.
func TestWatchTask_ItsListenerGivesWay(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	login := faultproxy.Login(t, pool, "tasker_operator")
	own := faultproxy.Postgres(t, pool).PoolOf(t, login, func(c *pgxpool.Config) { c.MaxConns = 1 })
	c := countConnections(own)
	w := watch(t, own, task, executor.WatchConfig{Connect: c.connect, PollInterval: longer})
	require.Equal(t, state.TaskStepsInProcess, w.next())
	waitListening(t, pool, <-c.opened)
	faultproxy.LeaveOneBesides(t, pool, own, login)
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.Equal(t, state.TaskCancelled, w.next())
	w.requireEnd()
}

func TestWatchTask_SeesWhatChangedWhileItWasNotConnected(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	asked, let := make(chan struct{}), make(chan struct{})
	w := watch(t, pool, task, executor.WatchConfig{PollInterval: longer, Connect: func(ctx context.Context) (*pgx.Conn, error) {
		close(asked)
		<-let
		return connectTo(pool)(ctx)
	}})
	require.Equal(t, state.TaskStepsInProcess, w.next())
	<-asked
	_, err := direct.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	close(let)
	require.Equal(t, state.TaskCancelled, w.next())
}

func TestWatchTask_PollsWhenANotificationIsLost(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	_, err := direct.New(pool).SetSetting(t.Context(), "notify", new("off"))
	require.NoError(t, err)
	var all []watching
	for _, connect := range []executor.Connect{
		connectTo(pool), nil,
		func(context.Context) (*pgx.Conn, error) { return nil, errors.New("no server") },
	} {
		w := watch(t, pool, task, executor.WatchConfig{Connect: connect, PollInterval: 10 * time.Millisecond})
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

func TestWatchTask_LooksAgainWhenTheServerWasGone(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task, _ := startTask(t, pool)
	f := flaky{pool, new(atomic.Int32)}
	f.down.Store(3)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	config := executor.WatchConfig{PollInterval: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	for detail, err := range direct.New(f).WatchTask(ctx, task, config) {
		require.NoError(t, err)
		require.Equal(t, state.TaskStepsInProcess, detail.State)
		break // Leaving the loop ends the watching.
	}
	require.NoError(t, ctx.Err())
	require.Negative(t, f.down.Load())
}
