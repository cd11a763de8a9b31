package bouncertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/worker"
)

// forgetful makes PgBouncer reset a session after each transaction.
var forgetful = []string{"server_reset_query = discard all", "server_reset_query_always = 1"}

func TestPgBouncer(t *testing.T) {
	t.Parallel()
	for _, program := range programs(t) {
		major, minor := version(t, program)
		keepsStatements := major > 1 || minor >= 21
		t.Run(fmt.Sprintf("%d.%d", major, minor), func(t *testing.T) {
			t.Parallel()
			t.Run("cache_describe", func(t *testing.T) {
				t.Parallel()
				b := startBouncer(t, program, forgetful...)
				t.Run("sessions keep nothing", func(t *testing.T) { sessionsKeepNothing(t, b) })
				everything(t, b, "cache_describe")
			})
			t.Run("cache_statement", func(t *testing.T) {
				t.Parallel()
				if !keepsStatements {
					statementsAreLost(t, startBouncer(t, program))
					return
				}
				b := startBouncer(t, program, "max_prepared_statements = 200")
				everything(t, b, "cache_statement")
			})
		})
	}
}

// everything runs all calls that must work with pools of this exec mode.
func everything(t *testing.T, b *bouncer, mode string) {
	t.Helper()
	for name, scenario := range map[string]func(t *testing.T, straight, pool *pgxpool.Pool){
		"statements hop":           statementsHop,
		"a worker drains":          workerDrains,
		"tasks in transactions":    tasksInTransactions,
		"an orchestrator":          orchestrator,
		"tasklib":                  tasklibWorks,
		"handlers in transactions": handlersInTransactions,
		"listeners do no harm":     listenersDoNoHarm,
		"operators and reporters":  operatorsAndReporters,
		"a REST server":            servesAndLeavesNoRole,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			straight := pgtest.New(t)
			scenario(t, straight, b.pool(t, straight, mode))
		})
	}
	t.Run("migrations", func(t *testing.T) {
		t.Parallel()
		migrations(t, b.pool(t, pgtest.NewEmpty(t), mode))
	})
}

// queryer is a client of the bouncer: a connection of a pool, or its transaction.
type queryer interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// server returns the server connection that runs a statement of this client.
func server(t *testing.T, client queryer) (pid int32) {
	t.Helper()
	require.NoError(t, client.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid))
	return pid
}

// occupy makes the bouncer open all server connections that it may open. A transaction holds each connection.
func occupy(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	var held []pgx.Tx
	for range 3 {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "select 1")
		require.NoError(t, err)
		held = append(held, tx)
	}
	for _, tx := range held {
		require.NoError(t, tx.Rollback(t.Context()))
	}
}

// A client's second statement finds one free server connection. It is not the connection of the client's first
// statement.
func statementsHop(t *testing.T, _, pool *pgxpool.Pool) {
	client, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer client.Release()
	first := server(t, client)

	held := map[int32]pgx.Tx{}
	for range 3 {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		held[server(t, tx)] = tx
	}
	require.Len(t, held, 3)
	for pid, tx := range held {
		if pid != first {
			require.NoError(t, tx.Rollback(t.Context()))
			require.Equal(t, pid, server(t, client))
			delete(held, pid)
			break
		}
	}
	for _, tx := range held {
		require.NoError(t, tx.Rollback(t.Context()))
	}
}

func sessionsKeepNothing(t *testing.T, b *bouncer) {
	pool := b.pool(t, pgtest.New(t), "cache_describe")
	occupy(t, pool)
	for range 3 {
		_, err := pool.Exec(t.Context(), "set work_mem = '77MB'")
		require.NoError(t, err)
	}
	for range 12 {
		var has string
		require.NoError(t, pool.QueryRow(t.Context(), "select current_setting('work_mem')").Scan(&has))
		require.NotEqual(t, "77MB", has)
	}
}

// statementsAreLost shows why PgBouncer before 1.21 needs another mode than pgx's default.
func statementsAreLost(t *testing.T, b *bouncer) {
	pool := b.pool(t, pgtest.New(t), "cache_statement")
	occupy(t, pool)
	var failed error
	for range 12 {
		if _, err := direct.New(pool).ListNamespaces(t.Context()); err != nil {
			failed = err
		}
	}
	var refused *pgconn.PgError
	require.ErrorAs(t, failed, &refused)
	require.Contains(t, []string{"26000", "42P05"}, refused.Code, "the error is about a missing or duplicate prepared statement")
	require.ErrorContains(t, failed, "set default_query_exec_mode=cache_describe in the pool's URL", "and says what to change")
}

const diamond = `[
  {"name": "reserve"},
  {"name": "charge", "dependencies": ["reserve"], "retry": {"base_seconds": 0.1}},
  {"name": "pack", "dependencies": ["reserve"]},
  {"name": "ship", "dependencies": ["charge", "pack"]}]`

type none struct{}

type number struct {
	N int `json:"n"`
}

func register(t *testing.T, pool *pgxpool.Pool) *direct.Executor {
	t.Helper()
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(
		`{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": `+diamond+`}`))
	require.NoError(t, err)
	return e
}

// startWorker runs a worker for the diamond until the test ends. Handler charge fails at first, and pack saves a checkpoint.
func startWorker(t *testing.T, pool *pgxpool.Pool, config worker.Config) *worker.Worker {
	t.Helper()
	w, err := worker.New(pool, config)
	require.NoError(t, err)
	done := func(context.Context, *worker.Job[none]) (string, error) { return "done", nil }
	worker.Handle(w, "reserve", done)
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[none]) (string, error) {
		if job.Attempt == 1 {
			return "", errors.New("the bank is closed")
		}
		return "paid", nil
	})
	worker.Handle(w, "pack", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		return "packed", job.Checkpoint(ctx, 1)
	})
	worker.Handle(w, "ship", func(_ context.Context, job *worker.Job[none]) (string, error) {
		return worker.Result[string](job, "charge")
	})
	run(t, w.Run)
	return w
}

// run calls work with a context that ends with the test.
func run(t *testing.T, work func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- work(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
}

// until polls a condition, since the database has no event for some of the conditions.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	late, tick := time.After(within), time.NewTicker(10*time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			require.FailNow(t, "waited in vain: "+what)
		}
	}
}

func scan[T any](t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&value), sql)
	return value
}

func workerDrains(t *testing.T, straight, pool *pgxpool.Pool) {
	const tasks = 50
	e := register(t, pool)
	contexts := make([]json.RawMessage, tasks)
	for i := range contexts {
		contexts[i] = json.RawMessage(fmt.Sprintf(`{"n": %d}`, i))
	}
	created, err := e.CreateTasks(t.Context(), executor.TasksRequest{Namespace: "shop", Name: "order", Contexts: contexts})
	require.NoError(t, err)
	log := &journal{}
	w := startWorker(t, pool, worker.Config{
		PollOnly: true, PollInterval: 20 * time.Millisecond, Lease: 2 * time.Second, Logger: log.logger(),
	})
	for _, task := range created {
		ended, err := polling(pool).Wait(t.Context(), task.TaskUUID, executor.WaitOptions{PollInterval: 20 * time.Millisecond})
		require.NoError(t, err)
		require.Equal(t, state.TaskComplete, ended.State)
	}
	require.Equal(t, "5 attempts in each of 50 tasks", scan[string](t, straight, `
		select format('%s attempts in each of %s tasks', count(*) / $1, count(distinct l.task_uuid))
		  from tasker.workflow_step_transition_log as l
		 where l.event = 'Start'`, tasks))
	for _, task := range []uuid.UUID{created[0].TaskUUID, created[tasks-1].TaskUUID} {
		require.Zero(t, scan[int](t, straight, "select count(*) from tasker_test.violations($1)", task))
	}
	// The worker counts a result after it has received the answer.
	until(t, "the worker has its answers", func() bool { return w.Stats().Completed == 4*tasks && w.Stats().Failed == tasks })
	require.NotContains(t, log.String(), "level=WARN")
	require.NotContains(t, log.String(), "level=ERROR")
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

func tasksInTransactions(t *testing.T, straight, pool *pgxpool.Pool) {
	register(t, pool)
	create := func(end func(tx pgx.Tx) error) uuid.UUID {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		defer func() { _ = tx.Rollback(context.Background()) }() // does nothing after the end of the transaction
		task, err := direct.New(tx).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order"})
		require.NoError(t, err)
		require.Zero(t, scan[int](t, straight, "select count(*) from tasker.tasks where task_uuid = $1", task.TaskUUID))
		require.NoError(t, end(tx))
		return task.TaskUUID
	}
	startWorker(t, pool, worker.Config{PollOnly: true, PollInterval: 20 * time.Millisecond, Logger: (&journal{}).logger()})
	gone := create(func(tx pgx.Tx) error { return tx.Rollback(t.Context()) })
	kept := create(func(tx pgx.Tx) error { return tx.Commit(t.Context()) })

	var states []state.TaskState
	for task, err := range polling(pool).Watch(t.Context(), kept, executor.WaitOptions{PollInterval: 5 * time.Millisecond}) {
		require.NoError(t, err)
		states = append(states, task.State)
	}
	require.Equal(t, state.TaskComplete, states[len(states)-1])
	_, err := direct.New(pool).GetTask(t.Context(), gone)
	require.ErrorIs(t, err, executor.ErrNotFound)
}

func orchestrator(t *testing.T, straight, pool *pgxpool.Pool) {
	e := register(t, pool)
	_, err := e.CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", TaskOptions: executor.TaskOptions{Deferred: true},
	})
	require.NoError(t, err)
	require.Equal(t, "pending", scan[string](t, straight, "select state::text from tasker.tasks"))
	_, err = e.Orchestrate(t.Context(), 100)
	require.NoError(t, err)
	require.NotEqual(t, "pending", scan[string](t, straight, "select state::text from tasker.tasks"))
	done, ran, err := e.RunMaintenance(t.Context(), "")
	require.NoError(t, err)
	require.True(t, ran)
	require.Nil(t, done.LastError)
}

func operatorsAndReporters(t *testing.T, _, pool *pgxpool.Pool) {
	e := register(t, pool)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order"})
	require.NoError(t, err)
	for range 6 { // more than once on each connection
		_, err := e.ListSteps(t.Context(), task.TaskUUID)
		require.NoError(t, err)
		_, err = e.GetSystemHealthCounts(t.Context())
		require.NoError(t, err)
		_, err = e.GetTaskHistory(t.Context(), task.TaskUUID, 10)
		require.NoError(t, err)
		_, err = e.ListSettings(t.Context())
		require.NoError(t, err)
	}
	changed, err := e.CancelTask(t.Context(), task.TaskUUID, "", "")
	require.NoError(t, err)
	require.True(t, changed)
}

func tasklibWorks(t *testing.T, straight, pool *pgxpool.Pool) {
	log := &journal{}
	client := tasklib.NewClient(pool, tasklib.Config{Logger: log.logger(), BaseRetryDelay: 50 * time.Millisecond})
	double, err := tasklib.Register(client, "double", func(ctx context.Context, n number) (number, error) {
		if task, _ := tasklib.CurrentTask(ctx); task.RetryCount == 0 {
			return number{}, errors.New("not at first")
		}
		return number{2 * n.N}, nil
	}, tasklib.Options{})
	require.NoError(t, err)
	run(t, client.NewWorker(tasklib.WorkerConfig{PollOnly: true, PollInterval: 20 * time.Millisecond, Concurrency: 4}).Run)

	until(t, "the name is registered", func() bool {
		return scan[int](t, straight, "select count(*) from tasklib.get_registered_tasks()") == 1
	})
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }() // does nothing after the commit
	submitted, err := double.SubmitMany(t.Context(), tx, []number{{1}, {2}, {3}, {4}, {5}})
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	for i, s := range submitted {
		var details tasklib.Details
		var result number
		until(t, "a task is completed", func() bool {
			details, result, err = double.Get(t.Context(), pool, s.ID)
			require.NoError(t, err)
			return details.State == tasklib.StateCompleted
		})
		require.Equal(t, number{2 * (i + 1)}, result)
		require.EqualValues(t, 1, details.RetryCount)
	}
	require.NotContains(t, log.String(), "a call of the database failed")
	require.NotContains(t, log.String(), "could not")
	require.NotContains(t, log.String(), "did not work")
}

// handlersInTransactions has handlers of both packages write in the transactions of their results, some of which fail.
func handlersInTransactions(t *testing.T, straight, pool *pgxpool.Pool) {
	const tasks = 30
	_, err := straight.Exec(t.Context(), "create table public.writes (what text not null)")
	require.NoError(t, err)
	write := func(ctx context.Context, tx pgx.Tx, what string, fails bool) (string, error) {
		if _, err := tx.Exec(ctx, "insert into public.writes values ($1)", what); err != nil || !fails {
			return what, err
		}
		return "", errors.New("not at first")
	}
	e := direct.New(pool)
	_, err = e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "book", "identity_strategy": "always_unique", "steps": [
		{"name": "first", "retry": {"base_seconds": 0.01}}, {"name": "last", "dependencies": ["first"]}]}`))
	require.NoError(t, err)
	log := &journal{}
	w, err := worker.New(pool, worker.Config{PollOnly: true, PollInterval: 20 * time.Millisecond, Logger: log.logger()})
	require.NoError(t, err)
	for _, name := range []string{"first", "last"} {
		worker.HandleTx(w, name, func(ctx context.Context, tx pgx.Tx, job *worker.Job[struct{}]) (string, error) {
			return write(ctx, tx, job.StepUUID.String(), name == "first" && job.Attempt == 1)
		})
	}
	run(t, w.Run)
	client := tasklib.NewClient(pool, tasklib.Config{Logger: log.logger(), BaseRetryDelay: 10 * time.Millisecond})
	book, err := tasklib.RegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, n number) (string, error) {
		task, _ := tasklib.CurrentTask(ctx)
		return write(ctx, tx, task.ID.String(), task.RetryCount == 0)
	}, tasklib.Options{})
	require.NoError(t, err)
	require.NoError(t, client.Sync(t.Context()))
	run(t, client.NewWorker(tasklib.WorkerConfig{PollOnly: true, PollInterval: 20 * time.Millisecond, Concurrency: 4}).Run)

	_, err = book.SubmitMany(t.Context(), pool, make([]number, tasks))
	require.NoError(t, err)
	_, err = e.CreateTasks(t.Context(), executor.TasksRequest{Namespace: "shop", Name: "book", Contexts: slices.Repeat([]json.RawMessage{[]byte("{}")}, tasks)})
	require.NoError(t, err)
	until(t, "all have ended", func() bool {
		return scan[int](t, straight, "select count(*) from tasker.tasks where complete")+
			scan[int](t, straight, "select count(*) from tasklib.tasks where state = 'completed'") == 2*tasks
	})
	require.Equal(t, 3*tasks, scan[int](t, straight, "select count(*) from public.writes"))
	require.Equal(t, 3*tasks, scan[int](t, straight, "select count(distinct what) from public.writes"))
	require.NotContains(t, log.String(), "rolled back")
}

// listenersDoNoHarm runs clients without PollOnly. They receive no notification, so they find their work by polling, and they
// neither report errors nor reconnect again and again.
func listenersDoNoHarm(t *testing.T, _, pool *pgxpool.Pool) {
	e := register(t, pool)
	log := &journal{}
	connects := make(chan struct{}, 1000)
	w := startWorker(t, pool, worker.Config{
		PollInterval: 20 * time.Millisecond, Logger: log.logger(),
		Connect: func(ctx context.Context) (*pgx.Conn, error) {
			connects <- struct{}{}
			return pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
		},
	})
	client := tasklib.NewClient(pool, tasklib.Config{Logger: log.logger()})
	echo, err := tasklib.Register(client, "echo", func(_ context.Context, n number) (number, error) { return n, nil }, tasklib.Options{})
	require.NoError(t, err)
	require.NoError(t, client.Sync(t.Context()))
	run(t, client.NewWorker(tasklib.WorkerConfig{PollInterval: 20 * time.Millisecond}).Run)

	for n := range 5 {
		task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order"})
		require.NoError(t, err)
		submitted, err := echo.Submit(t.Context(), pool, number{n})
		require.NoError(t, err)
		ended, err := executor.NewClient(pool).Tasks().Wait(t.Context(), task.TaskUUID, executor.WaitOptions{PollInterval: 20 * time.Millisecond})
		require.NoError(t, err)
		require.Equal(t, state.TaskComplete, ended.State)
		until(t, "a task of tasklib is completed", func() bool {
			details, _, err := echo.Get(t.Context(), pool, submitted.ID)
			require.NoError(t, err)
			return details.State == tasklib.StateCompleted
		})
	}
	require.LessOrEqual(t, len(connects), 2, "the worker connects once to listen, and once to renew leases")
	// The worker counts a result after it has received the answer.
	until(t, "the worker has its answers", func() bool { return w.Stats().Completed == 4*5 && w.Stats().Failed >= 5 })
	require.EqualValues(t, 5, w.Stats().Failed, "only the steps that fail on purpose fail")
	require.NotContains(t, log.String(), "level=WARN")
}

func migrations(t *testing.T, pool *pgxpool.Pool) {
	require.NoError(t, migrate.Up(t.Context(), pool))
	status, err := migrate.Status(t.Context(), pool)
	require.NoError(t, err)
	require.NotEmpty(t, status)
	for _, m := range status {
		require.True(t, m.Applied, m.String())
	}
	require.NoError(t, migrate.Up(t.Context(), pool), "a second Up applies nothing")
	require.NoError(t, migrate.Down(t.Context(), pool, 1))
}

// polling returns waits that listen to nothing.
func polling(pool *pgxpool.Pool) executor.Tasks {
	return executor.NewClient(struct{ executor.DBTX }{pool}).Tasks()
}
