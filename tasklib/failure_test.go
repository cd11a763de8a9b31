package tasklib_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	osexec "os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

func TestFailure_AKilledWorkersTaskIsRunByAnother(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "block", func(context.Context, numbers) (string, error) { return "done", nil }, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)

	program, err := os.Executable()
	require.NoError(t, err)
	victim := osexec.CommandContext(t.Context(), program)
	victim.Env = append(os.Environ(), workerURL+"="+pgtest.URL(pool))
	victim.Stderr = os.Stderr
	output, err := victim.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, victim.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "running\n", line)
	require.NoError(t, victim.Process.Kill())
	require.Error(t, victim.Wait())

	start(t, client, tasklib.WorkerConfig{})
	require.Equal(t, tasklib.StateRunning, awaitState(t, client, s.ID, tasklib.StateRunning).State, "nobody knows yet")
	exec(t, pool, "select tasker_test.pass('10 minutes')")
	d := awaitState(t, client, s.ID, tasklib.StateCompleted)
	require.Equal(t, int32(1), d.RetryCount, "the run counts")

	runs, err := client.Functions().ListTaskRuns(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	require.Equal(t, "lost", runs[0].Outcome)
	require.Equal(t, "victim", runs[0].WorkerID)
	require.Equal(t, "completed", runs[1].Outcome)
}

// TestFailure_AKilledPostgreSQLLosesNothing has a server of its own: a killed backend takes all of it down, and with it
// what the shared server, whose commits do not wait for the log, has just committed.
func TestFailure_AKilledPostgreSQLLosesNothing(t *testing.T) {
	pool, _ := pgtest.NewPrivate(t)

	const count = 400
	client := newClient(t, pool, tasklib.Config{Lease: 2 * time.Second})
	ran := make(chan struct{}, 100*count)
	task := tasklib.MustRegister(client, "work", func(context.Context, numbers) (int, error) {
		ran <- struct{}{}
		return 1, nil
	}, tasklib.Options{MaxRetries: 100})
	require.NoError(t, client.Sync(t.Context()))
	_, err := task.SubmitMany(t.Context(), pool, make([]numbers, count))
	require.NoError(t, err)

	// The worker runs one job at a time, so that kills find work under way.
	start(t, client, tasklib.WorkerConfig{Concurrency: 1})
	for kills := 0; kills < 3; {
		for range 20 {
			<-ran
		}
		err := killBackend(t.Context(), pool)
		if err == nil {
			kills++
		}
	}
	await(t, "all are completed", func() bool {
		var n int
		err := pool.QueryRow(t.Context(), "select count(*) from tasklib.tasks where state = 'completed'").Scan(&n)
		return err == nil && n == count
	})
	require.Equal(t, 0, query[int](t, pool, "select count(*) from tasklib.tasks where state <> 'completed'"))
}

// killBackend kills the process of one of the pool's connections, and with it the server's other sessions. It returns an error
// while the server is down, and for a connection whose process an earlier kill has ended.
func killBackend(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err := conn.Ping(ctx); err != nil {
		return err
	}
	return syscall.Kill(int(conn.Conn().PgConn().PID()), syscall.SIGKILL)
}

// network is how a pool reaches its server; it can be cut.
type network struct {
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

// newNetwork returns a pool on the same database, over a network of its own.
func newNetwork(t *testing.T, pool *pgxpool.Pool) (*network, *pgxpool.Pool) {
	t.Helper()
	config, err := pgxpool.ParseConfig(pgtest.URL(pool))
	require.NoError(t, err)
	n := &network{dial: config.ConnConfig.DialFunc}
	config.ConnConfig.DialFunc = n.connect
	other, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(other.Close)
	return n, other
}

func (n *network) connect(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cut {
		return nil, errors.New("the network is cut")
	}
	conn, err := n.dial(ctx, network, address)
	if err == nil {
		n.conns = append(n.conns, conn)
	}
	return conn, err
}

func (n *network) set(cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut = cut
	if cut {
		for _, conn := range n.conns {
			_ = conn.Close()
		}
		n.conns = nil
	}
}

func TestFailure_ACutOffWorkerComesTooLate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	net, far := newNetwork(t, pool)
	cutOff := newClient(t, far, tasklib.Config{WorkerID: "cut off"})
	task, running, release, _ := blocking(t, cutOff, tasklib.Options{})
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	_, stop := start(t, cutOff, tasklib.WorkerConfig{})
	<-running

	net.set(true)
	exec(t, pool, "select tasker_test.pass('10 minutes')")
	near := newClient(t, pool, tasklib.Config{WorkerID: "near"})
	tasklib.MustRegister(near, "block", func(context.Context, numbers) (string, error) { return "by another", nil }, tasklib.Options{})
	start(t, near, tasklib.WorkerConfig{})
	awaitState(t, near, s.ID, tasklib.StateCompleted)

	close(release) // it finishes while it is cut off
	net.set(false)
	stop()
	_, result, err := task.Get(t.Context(), pool, s.ID)
	require.NoError(t, err)
	require.Equal(t, "by another", result)
	runs, err := near.Functions().ListTaskRuns(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "lost", runs[0].Outcome)
	require.Equal(t, "near", runs[1].WorkerID)
	require.Len(t, runs, 2)
}

func TestFailure_AWorkerWaitsForADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	net, far := newNetwork(t, pool)
	net.set(true)
	client := newClient(t, far, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	_, stop := start(t, client, tasklib.WorkerConfig{})

	net.set(false)
	await(t, "the worker has registered its task", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.registered_tasks") == 1
	})
	for range 3 {
		s, err := task.Submit(t.Context(), pool, numbers{1, 2})
		require.NoError(t, err)
		await(t, "it is completed", func() bool {
			return query[string](t, pool, "select state::text from tasklib.tasks where id = $1", s.ID) == "completed"
		})
		net.set(true)
		net.set(false)
	}
	stop()
}

type refusal struct{ reason error }

func (r *refusal) Error() string { return "refused: " + r.reason.Error() }

func TestFailure_AFunctionThatEndsItsGoroutineOrReturnsANilPointerHasFailed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "break", func(_ context.Context, n numbers) (int, error) {
		switch n.A {
		case 1:
			runtime.Goexit()
		case 2:
			var none *refusal
			return 0, none
		}
		return n.A, nil
	}, tasklib.Options{MaxRetries: tasklib.NoRetries})
	require.NoError(t, client.Sync(t.Context()))
	many, err := task.SubmitMany(t.Context(), pool, []numbers{{1, 0}, {2, 0}, {1, 0}, {3, 0}})
	require.NoError(t, err)
	_, stop := start(t, client, tasklib.WorkerConfig{Concurrency: 1})
	awaitState(t, client, many[3].ID, tasklib.StateCompleted)
	for i, text := range []string{"the function ended its goroutine", "an error of type *tasklib_test.refusal panicked", "the function ended"} {
		require.Contains(t, *awaitState(t, client, many[i].ID, tasklib.StateFailed).Error, text)
	}
	stop()
}

// A function of the schema that is missing for a moment, as during a migration by hand, is no reason to lose a result.
func TestFailure_AResultWaitsForARepairedInstallation(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	log := &syncBuffer{}
	client := tasklib.NewClient(pool, tasklib.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	ran := 0
	task := tasklib.MustRegister(client, "add", func(ctx context.Context, n numbers) (int, error) {
		ran++
		_, err := pool.Exec(ctx, `do $$ begin execute 'alter function ' || 'tasklib.complete_tasks'::regproc::oid::regprocedure || ' rename to away'; end $$`)
		return n.A, err
	}, tasklib.Options{MaxRetries: tasklib.NoRetries})
	require.NoError(t, client.Sync(t.Context()))
	s, err := task.Submit(t.Context(), pool, numbers{A: 7})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{})
	await(t, "the report has failed", func() bool { return strings.Contains(log.String(), "tasklib.complete_tasks") })
	exec(t, pool, `do $$ begin execute 'alter function ' || 'tasklib.away'::regproc::oid::regprocedure || ' rename to complete_tasks'; end $$`)
	awaitState(t, client, s.ID, tasklib.StateCompleted)
	require.Equal(t, 1, ran)
	require.NotContains(t, log.String(), "unreachable", "the database answered")
}

// A trigger of the program's own raises P0001: no repair of the installation is in sight, and the other results do not wait for one.
func TestFailure_AResultThatATriggerRefusesFailsItsRunOnly(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{MaxRetries: tasklib.NoRetries})
	require.NoError(t, client.Sync(t.Context()))
	exec(t, pool, `create function refuse() returns trigger language plpgsql as $$ begin raise 'thirteen is refused'; end $$`)
	exec(t, pool, `create trigger refuse before update on tasklib.tasks for each row when (new.result = '{"value": 13}') execute function refuse()`)
	many, err := task.SubmitMany(t.Context(), pool, []numbers{{13, 0}, {1, 0}, {2, 0}})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{Concurrency: 1})
	for _, s := range many[1:] {
		awaitState(t, client, s.ID, tasklib.StateCompleted)
	}
	require.Contains(t, *awaitState(t, client, many[0].ID, tasklib.StateFailed).Error, "thirteen is refused")
}

// An internal error may come from one damaged row. The other results are recorded, and claims go on.
func TestFailure_AnInternalErrorOfOneResultHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{MaxRetries: tasklib.NoRetries})
	require.NoError(t, client.Sync(t.Context()))
	exec(t, pool, `create function damaged() returns trigger language plpgsql as $$ begin raise 'page is damaged' using errcode = 'XX000'; end $$`)
	exec(t, pool, `create trigger damaged before update on tasklib.tasks for each row when (new.result = '{"value": 13}') execute function damaged()`)
	many, err := task.SubmitMany(t.Context(), pool, []numbers{{13, 0}, {1, 0}, {2, 0}})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{Concurrency: 3})
	for _, s := range many[1:] {
		awaitState(t, client, s.ID, tasklib.StateCompleted)
	}
	later, err := task.Submit(t.Context(), pool, numbers{3, 0})
	require.NoError(t, err)
	awaitState(t, client, later.ID, tasklib.StateCompleted)
	exec(t, pool, `drop trigger damaged on tasklib.tasks`)
	awaitState(t, client, many[0].ID, tasklib.StateCompleted)
}

func TestWorker_RefusesAnIDThatTheDatabaseDoesNotTake(t *testing.T) {
	t.Parallel()
	client := newClient(t, pgtest.New(t), tasklib.Config{WorkerID: strings.Repeat("ä", 201)})
	tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.ErrorContains(t, client.NewWorker(tasklib.WorkerConfig{}).Run(t.Context()), "Config.WorkerID is longer than 200 characters")
}

// TestFailure_AResultThatIsTooDeepFailsForItsDepth has results nested a little less and a little more than a value may be.
func TestFailure_AResultThatIsTooDeepFailsForItsDepth(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "nest", func(_ context.Context, n numbers) (json.RawMessage, error) {
		return json.RawMessage(strings.Repeat("[", n.A) + strings.Repeat("]", n.A)), nil
	}, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	start(t, client, tasklib.WorkerConfig{})
	fits, err := task.Submit(t.Context(), pool, numbers{A: 1000})
	require.NoError(t, err)
	deep, err := task.Submit(t.Context(), pool, numbers{A: 1001})
	require.NoError(t, err)
	awaitState(t, client, fits.ID, tasklib.StateCompleted)
	failed := awaitState(t, client, deep.ID, tasklib.StateFailed)
	require.Equal(t, "the result is nested deeper than 1000 levels", *failed.Error)
	require.Zero(t, failed.RetryCount, "it fails for good at once")
}

// A lock ends while the server is away. Its worker has the time of that lock to extend it, counted from the return of the server.
func TestFailure_ALockDoesNotEndWhileTheServerIsAway(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]func(*pgserver.Server, context.Context) error{
		"clean restart":  (*pgserver.Server).Restart,
		"immediate stop": (*pgserver.Server).RestartImmediately,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, server := pgtest.NewPrivate(t)
			url := pool.Config().ConnString()
			// The fixtures say that the server has always been up. Delete that.
			exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
			exec(t, pool, "truncate tasklib.lock_clock")
			client := newClient(t, pool, tasklib.Config{})
			task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
			require.NoError(t, client.Sync(t.Context()))
			s, err := task.Submit(t.Context(), pool, numbers{1, 2})
			require.NoError(t, err)
			claim := func(worker string) []gen.ClaimedTask {
				t.Helper()
				tasks, err := tasklib.NewFunctions(pool).ClaimTasks(t.Context(), gen.ClaimTasksParams{
					Names: []string{"add"}, WorkerID: worker, MaxTasks: 1,
				})
				require.NoError(t, err)
				return tasks
			}
			require.Len(t, claim("owner"), 1)

			pool.Close()
			require.NoError(t, restart(server, t.Context()))
			pool, err = pgxpool.New(t.Context(), url)
			require.NoError(t, err)
			defer pool.Close()
			exec(t, pool, "select tasker_test.pass('10 minutes')")
			require.Empty(t, claim("other"), "the owner could not extend its lock")
			outcomes, err := tasklib.NewFunctions(pool).CompleteTasks(t.Context(), gen.CompleteTasksParams{
				WorkerID: "owner", Ids: []uuid.UUID{s.ID}, ClaimNos: []int32{1}, Results: []json.RawMessage{[]byte("3")},
			})
			require.NoError(t, err)
			require.Equal(t, "completed", outcomes[0].Outcome, "the function ran once")
		})
	}
}
