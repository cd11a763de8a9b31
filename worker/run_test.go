package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

const single = `[{"name": "work"}]`

func succeed(context.Context, *worker.Job[none]) (none, error) { return none{}, nil }

// handleAll registers a handler for each step of the diamond with w.
func handleAll(w *worker.Worker, handler worker.Handler[none, none]) {
	for _, name := range []string{"reserve", "charge", "pack", "ship"} {
		worker.Handle(w, name, handler)
	}
}

func TestRun_ATaskIsSeenWhenItsTransactionCommits(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	w := newWorker(t, s.pool, worker.Config{PollInterval: time.Hour})
	begun := make(chan uuid.UUID, 1)
	worker.Handle(w, "work", func(_ context.Context, job *worker.Job[none]) (none, error) {
		begun <- job.TaskUUID
		return none{}, nil
	})
	start(t, w)

	tx, err := s.pool.Begin(t.Context())
	require.NoError(t, err)
	task, err := executor.New(tx).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "job"})
	require.NoError(t, err)
	other := s.create("job", `{}`)
	require.Equal(t, other, receive(t, begun), "a later task, committed before, comes first")
	s.wait(other, state.TaskComplete)
	require.Empty(t, begun)
	require.NoError(t, tx.Commit(t.Context()))
	require.Equal(t, task.TaskUUID, receive(t, begun))
	s.wait(task.TaskUUID, state.TaskComplete)
}

func TestRun_LeavesTheStepsOfOthersAlone(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	s.register("other", "job", single)
	w := newWorker(t, s.pool, worker.Config{Namespaces: []string{"shop"}, PollInterval: 10 * time.Millisecond})
	handleReserve := make(chan struct{}, 1)
	worker.Handle(w, "reserve", func(context.Context, *worker.Job[none]) (none, error) {
		handleReserve <- struct{}{}
		return none{}, nil
	})
	worker.Handle(w, "work", succeed)
	elsewhere := s.createIn("other", "job", `{}`)
	task := s.create("order", `{}`)
	start(t, w)
	receive(t, handleReserve)
	until(t, func() bool { return s.step(task, "pack").State == state.StepEnqueued }, func() string { return "pack is not ready" })
	require.Equal(t, state.StepEnqueued, s.step(task, "charge").State)
	require.Equal(t, state.StepEnqueued, s.step(elsewhere, "work").State)
}

func TestRun_HoldsToTheLimits(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"narrow": `[{"name": "narrow"}]`, "wide": `[{"name": "wide"}]`})
	w := newWorker(t, s.pool, worker.Config{Concurrency: 7})
	var now, most, narrowNow, narrowMost atomic.Int64
	count := func(now, most *atomic.Int64, d int64) {
		n := now.Add(d)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
	}
	full := make(chan struct{})
	handle := func(_ context.Context, job *worker.Job[none]) (none, error) {
		count(&now, &most, 1)
		defer count(&now, &most, -1)
		if job.Handler == "narrow" {
			count(&narrowNow, &narrowMost, 1)
			defer count(&narrowNow, &narrowMost, -1)
		}
		if now.Load() == 7 {
			select {
			case <-full:
			default:
				close(full)
			}
		}
		<-full
		return none{}, nil
	}
	worker.Handle(w, "narrow", handle, worker.MaxRunning(2))
	worker.Handle(w, "wide", handle)
	s.createMany("narrow", 40)
	s.createMany("wide", 40)
	start(t, w)
	s.waitAll()
	require.EqualValues(t, 7, most.Load())
	require.EqualValues(t, 2, narrowMost.Load())
	started, steps := s.attempts()
	require.Equal(t, steps, started, "each step was begun once")
}

func TestRun_StopsUnderLoad(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	tasks := s.createMany("order", 500)
	w := newWorker(t, s.pool, worker.Config{Concurrency: 50})
	var done atomic.Int64
	enough := make(chan struct{})
	handleAll(w, func(context.Context, *worker.Job[none]) (none, error) {
		if done.Add(1) == 200 {
			close(enough)
		}
		return none{}, nil
	})
	r := start(t, w)
	receive(t, enough)
	r.stop()
	require.NoError(t, r.ended())

	var running, complete, attempted int
	require.NoError(t, s.pool.QueryRow(t.Context(), `
		select count(*) filter (where state = 'in_progress'), count(*) filter (where state = 'complete'), sum(attempts)
		  from tasker.workflow_steps`).Scan(&running, &complete, &attempted))
	require.Zero(t, running, "no step is left running")
	require.EqualValues(t, done.Load(), complete, "every handler that ran to its end is recorded")
	require.Equal(t, complete, attempted, "and what was handed back has no attempt")
	s.sound(tasks[0], tasks[250], tasks[499])

	second := newWorker(t, s.pool, worker.Config{})
	handleAll(second, succeed)
	start(t, second)
	s.waitAll()
	until(t, func() bool { return second.Stats().Completed == int64(2000-complete) },
		func() string { return fmt.Sprintf("%d and %+v", complete, second.Stats()) })
}

func TestRun_AStopWaitsForHandlersAndThenCancelsThem(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	w := newWorker(t, s.pool, worker.Config{StopTimeout: 100 * time.Millisecond, Concurrency: 2})
	begun, finish := make(chan struct{}, 2), make(chan struct{})
	causes := make(chan error, 1)
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[struct{ N int }]) (string, error) {
		begun <- struct{}{}
		if job.Input.N == 0 {
			<-finish
			return "finished", nil
		}
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return "", fmt.Errorf("cut short: %w", ctx.Err())
	})
	tasks := s.createMany("job", 3)
	r := start(t, w)
	receive(t, begun)
	receive(t, begun)
	r.stop()
	if s.step(tasks[0], "work").State == state.StepInProgress {
		close(finish)
		s.wait(tasks[0], state.TaskComplete)
	}
	require.ErrorIs(t, receive(t, causes), worker.ErrStopping)
	require.NoError(t, r.ended())
	for _, task := range tasks {
		step := s.step(task, "work")
		if step.State == state.StepComplete {
			continue
		}
		require.Equal(t, state.StepEnqueued, step.State, "handed back")
		require.Zero(t, step.Attempts)
		s.sound(task)
	}
}

func TestRun_SurvivesARestartOfTheDatabaseUnderLoad(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	s := &shop{t: t, pool: pool, Executor: direct.New(pool)}
	s.register("shop", "order", diamond)
	tasks := s.createMany("order", 300)
	log := &journal{}
	w := newWorker(t, pool, worker.Config{Concurrency: 40, PollInterval: 50 * time.Millisecond, Logger: log.logger()})
	var done atomic.Int64
	some, resume := make(chan struct{}), make(chan struct{})
	handleAll(w, func(context.Context, *worker.Job[none]) (none, error) {
		if n := done.Add(1); n >= 200 {
			if n == 200 {
				close(some)
			}
			<-resume // these handlers return while the server is down
		}
		return none{}, nil
	})
	start(t, w)
	receive(t, some)
	crashed := make(chan error, 1)
	go func() { crashed <- server.Crash(t.Context()) }()
	log.says(t, "listening was interrupted")
	close(resume)
	require.NoError(t, receive(t, crashed))
	s.waitAll()

	started, steps := s.attempts()
	require.Equal(t, 1200, steps)
	require.Equal(t, steps, started, "no step ran twice")
	require.EqualValues(t, steps, done.Load())
	s.sound(tasks[0], tasks[150], tasks[299])
}

func TestRun_ListensAgainWhenItsConnectionIsCut(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	pids := make(chan uint32, 10)
	w := newWorker(t, s.pool, worker.Config{
		PollInterval: time.Hour,
		Connect: func(ctx context.Context) (*pgx.Conn, error) {
			conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
			if err == nil {
				pids <- conn.PgConn().PID()
			}
			return conn, err
		},
	})
	worker.Handle(w, "work", succeed)
	start(t, w)
	for range 3 {
		pid := receive(t, pids)
		s.wait(s.create("job", `{}`), state.TaskComplete)
		_, err := s.pool.Exec(t.Context(), "select pg_terminate_backend($1)", int32(pid))
		require.NoError(t, err)
	}
	receive(t, pids)
	s.wait(s.create("job", `{}`), state.TaskComplete)
}

func TestRun_PollsWhereItCannotListen(t *testing.T) {
	t.Parallel()
	for _, config := range []worker.Config{
		{PollOnly: true, PollInterval: 20 * time.Millisecond},
		{PollInterval: 20 * time.Millisecond, Connect: func(context.Context) (*pgx.Conn, error) { return nil, errors.New("no") }},
	} {
		s := open(t, map[string]string{"order": diamond}, func(c *pgxpool.Config) {
			c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // as with a transaction pooler
		})
		w := newWorker(t, s.pool, config)
		handleAll(w, succeed)
		start(t, w)
		s.wait(s.create("order", `{}`), state.TaskComplete)
		s.wait(s.create("order", `{}`), state.TaskComplete)
	}
}

// TestRun_AChainCausesNoMoreExchangesThanItNeeds claims the first step, and then records each result and claims
// the next step in one exchange. A busy machine may delay a notification so long that the worker takes it for another
// session's; at least one of the chains runs without that.
func TestRun_AChainCausesNoMoreExchangesThanItNeeds(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"chain": `[
	  {"name": "one", "handler": "work"}, {"name": "two", "handler": "work", "dependencies": ["one"]},
	  {"name": "three", "handler": "work", "dependencies": ["two"]}, {"name": "four", "handler": "work", "dependencies": ["three"]},
	  {"name": "five", "handler": "work", "dependencies": ["four"]}]`})
	w := newWorker(t, s.pool, worker.Config{PollInterval: time.Hour})
	worker.Handle(w, "work", succeed)
	start(t, w)
	least := int64(1000)
	for range 20 {
		before := w.Stats()
		s.wait(s.create("chain", `{}`), state.TaskComplete)
		until(t, func() bool { return w.Stats().Completed == before.Completed+5 }, func() string { return fmt.Sprint(w.Stats()) })
		least = min(least, w.Stats().Exchanges-before.Exchanges)
	}
	require.EqualValues(t, 6, least)
}

func TestRun_HearsOfTasksThatAreCreatedThroughItsOwnPool(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single}, pgtest.MaxConns(2))
	w := newWorker(t, s.pool, worker.Config{PollInterval: time.Hour})
	worker.Handle(w, "work", succeed)
	start(t, w)
	for range 50 { // mostly on the connection that the worker has just released
		s.wait(s.create("job", `{}`), state.TaskComplete)
	}
}

func TestRun_HearsOfANamespaceThatIsRegisteredLater(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	log := &journal{}
	w := newWorker(t, s.pool, worker.Config{Namespaces: []string{"late"}, PollInterval: 50 * time.Millisecond, Logger: log.logger()})
	worker.Handle(w, "work", succeed)
	start(t, w)
	log.says(t, "claiming steps failed")
	require.Contains(t, log.String(), `namespace \"late\" does not exist`)
	s.register("late", "job", single)
	s.wait(s.createIn("late", "job", `{}`), state.TaskComplete)
}

func TestRun_ACancelledTaskCancelsItsRunningHandler(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	log := &journal{}
	w := newWorker(t, s.pool, worker.Config{Lease: briefly, Logger: log.logger()})
	begun, causes := make(chan struct{}, 1), make(chan error, 1)
	worker.Handle(w, "work", func(ctx context.Context, _ *worker.Job[none]) (none, error) {
		begun <- struct{}{}
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return none{}, ctx.Err()
	})
	start(t, w)
	task := s.create("job", `{}`)
	receive(t, begun)
	_, err := s.CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.ErrorIs(t, receive(t, causes), worker.ErrCancelled)
	until(t, func() bool { return w.Stats().Refused == 1 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
	log.says(t, "a running handler is cancelled")
	s.sound(task)
}

func TestRun_RenewsLeases(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	w := newWorker(t, s.pool, worker.Config{Lease: briefly})
	begun, finish := make(chan struct{}, 2), make(chan struct{})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) {
		begun <- struct{}{}
		<-finish
		return none{}, nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	receive(t, begun)
	first, claim := *s.step(task, "work").LeaseUntil, s.step(task, "work").ClaimNo
	until(t, func() bool { return s.step(task, "work").LeaseUntil.Sub(first) > 2*time.Second }, func() string { return "not renewed" })
	close(finish)
	s.wait(task, state.TaskComplete)
	require.Equal(t, claim, s.step(task, "work").ClaimNo, "no other worker claimed it")
}

func TestRun_RetriesWithoutBeingTold(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	s.set("notify", "off")
	w := newWorker(t, s.pool, worker.Config{PollInterval: time.Hour})
	worker.Handle(w, "work", func(_ context.Context, job *worker.Job[none]) (none, error) {
		return none{}, when(job.Attempt == 1, "not yet")
	})
	task := s.create("job", `{}`)
	start(t, w)
	s.wait(task, state.TaskComplete)
}

func TestRun_StartsATaskWhenItsTimeHasCome(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	task, err := s.CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "job",
		TaskOptions: executor.TaskOptions{StartAt: time.Now().Add(1500 * time.Millisecond)},
	})
	require.NoError(t, err)
	w := newWorker(t, s.pool, worker.Config{PollInterval: time.Hour})
	worker.Handle(w, "work", succeed)
	start(t, w)
	s.wait(task.TaskUUID, state.TaskComplete)
}

func TestRun_TwoHundredWorkersOnOneMachine(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond}, pgtest.MaxConns(20))
	begun := make(map[string]*atomic.Int64)
	for _, name := range []string{"reserve", "charge", "pack", "ship"} {
		begun[name] = &atomic.Int64{}
	}
	for range 200 {
		w := newWorker(t, s.pool, worker.Config{PollOnly: true, Concurrency: 5})
		handleAll(w, func(_ context.Context, job *worker.Job[none]) (none, error) {
			begun[job.Name].Add(1)
			return none{}, nil
		})
		start(t, w)
	}
	tasks := s.createMany("order", 300)
	s.waitAll()
	for name, n := range begun {
		require.EqualValues(t, 300, n.Load(), name)
	}
	s.sound(tasks[0], tasks[299])
}

func TestRun_IsSeenInTheListOfWorkers(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	w := newWorker(t, s.pool, worker.Config{Name: "till-1", Namespaces: []string{"shop"}, Version: "1.4.2"})
	worker.Handle(w, "work", succeed)
	start(t, w)
	until(t, func() bool {
		workers, err := s.ListWorkers(t.Context(), 0)
		require.NoError(t, err)
		names := map[string]bool{}
		for _, w := range workers {
			names[w.Name] = w.Version != nil && *w.Version == "1.4.2"
		}
		return names["till-1"] && names["till-1#2"]
	}, func() string { return "not seen" })
}

func TestRun_RunsOnceAndWithHandlers(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	empty := newWorker(t, s.pool, worker.Config{})
	require.ErrorContains(t, empty.Run(t.Context()), "no handler is registered")
	require.ErrorContains(t, newWorker(t, nil, worker.Config{}).Run(t.Context()), "the pool is nil")

	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", succeed)
	r := start(t, w)
	until(t, func() bool { return w.Stats().Exchanges > 0 }, func() string { return "it does not begin" })
	r.stop()
	require.NoError(t, r.ended())
	require.ErrorContains(t, w.Run(t.Context()), "Run was already called")
	require.PanicsWithValue(t, `worker: Handle("more") after Run`, func() { worker.Handle(w, "more", succeed) })
}

func TestNew_RefusesAConfigThatCannotWork(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, c := range []struct {
		config  worker.Config
		message string
	}{
		{worker.Config{Concurrency: -1}, "Config.Concurrency"},
		{worker.Config{Concurrency: 2, Exchanges: 3}, "Config.Exchanges"},
		{worker.Config{Lease: 1500 * time.Millisecond}, "Config.Lease"},
		{worker.Config{PollInterval: -1}, "Config.PollInterval"},
	} {
		_, err := worker.New(s.pool, c.config)
		require.ErrorContains(t, err, c.message)
	}
}
