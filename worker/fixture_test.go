package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
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

const within = 30 * time.Second

// briefly is a lease that is soon renewed, after a second and a half, and that a busy machine does not lose.
const briefly = 6 * time.Second

// shop is a database with templates of the namespace shop.
type shop struct {
	t    testing.TB
	pool *pgxpool.Pool
	*direct.Executor
}

// open returns a shop with these templates: name -> JSON array of steps.
func open(t testing.TB, templates map[string]string, options ...pgtest.Option) *shop {
	t.Helper()
	pool := pgtest.New(t, options...)
	s := &shop{t: t, pool: pool, Executor: direct.New(pool)}
	for name, steps := range templates {
		s.register("shop", name, steps)
	}
	return s
}

func (s *shop) register(namespace, name, steps string) {
	s.t.Helper()
	_, err := s.RegisterTaskTemplate(s.t.Context(), json.RawMessage(fmt.Sprintf(
		`{"namespace": %q, "name": %q, "identity_strategy": "always_unique", "steps": %s}`, namespace, name, steps)))
	require.NoError(s.t, err)
}

func (s *shop) set(setting, value string) {
	s.t.Helper()
	_, err := s.SetSetting(s.t.Context(), setting, &value)
	require.NoError(s.t, err)
}

func (s *shop) create(name, taskContext string) uuid.UUID {
	s.t.Helper()
	return s.createIn("shop", name, taskContext)
}

func (s *shop) createIn(namespace, name, taskContext string) uuid.UUID {
	s.t.Helper()
	task, err := s.CreateTask(s.t.Context(), executor.TaskRequest{
		Namespace: namespace, Name: name, Context: json.RawMessage(taskContext),
	})
	require.NoError(s.t, err)
	return task.TaskUUID
}

func (s *shop) createMany(name string, n int) []uuid.UUID {
	s.t.Helper()
	contexts := make([]json.RawMessage, n)
	for i := range contexts {
		contexts[i] = json.RawMessage(fmt.Sprintf(`{"n": %d}`, i))
	}
	created, err := s.CreateTasks(s.t.Context(), executor.TasksRequest{Namespace: "shop", Name: name, Contexts: contexts})
	require.NoError(s.t, err)
	tasks := make([]uuid.UUID, n)
	for i, task := range created {
		tasks[i] = task.TaskUUID
	}
	return tasks
}

// wait waits until a task is in this state.
func (s *shop) wait(task uuid.UUID, want state.TaskState) executor.TaskDetail {
	s.t.Helper()
	var last executor.TaskDetail
	until(s.t, func() bool {
		detail, err := s.GetTask(s.t.Context(), task)
		if err != nil { // the database may be starting
			return false
		}
		last = detail
		return detail.State == want
	}, func() string { return fmt.Sprintf("task is %s, not %s", last.State, want) })
	return last
}

// waitAll waits until all tasks of the namespace shop are complete.
func (s *shop) waitAll() {
	s.t.Helper()
	var open int
	until(s.t, func() bool {
		err := s.pool.QueryRow(s.t.Context(), "select count(*) from tasker.tasks where state <> 'complete'").Scan(&open)
		return err == nil && open == 0
	}, func() string { return fmt.Sprintf("%d tasks are not complete", open) })
}

// until polls a condition, since the database does not have an event for everything that tests wait for.
func until(t testing.TB, holds func() bool, why func() string) {
	t.Helper()
	late := time.After(within)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			require.FailNow(t, "the condition does not become true", why())
		}
	}
}

func (s *shop) step(task uuid.UUID, name string) executor.StepDetail {
	s.t.Helper()
	steps, err := s.ListSteps(s.t.Context(), task)
	require.NoError(s.t, err)
	for _, step := range steps {
		if step.Name == name {
			return step
		}
	}
	require.FailNow(s.t, "no such step", name)
	return executor.StepDetail{}
}

// sound fails the test if a task breaks one of the engine's invariants.
func (s *shop) sound(tasks ...uuid.UUID) {
	s.t.Helper()
	for _, task := range tasks {
		rows, err := s.pool.Query(context.WithoutCancel(s.t.Context()), "select tasker_test.violations($1)", task)
		require.NoError(s.t, err)
		violations, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(s.t, err)
		require.Empty(s.t, violations)
	}
}

// attempts returns the attempts of all steps and the number of steps. A step that was claimed and released has no attempt.
func (s *shop) attempts() (started, steps int) {
	s.t.Helper()
	require.NoError(s.t, s.pool.QueryRow(s.t.Context(),
		"select coalesce(sum(s.attempts), 0), count(*) from tasker.workflow_steps as s").Scan(&started, &steps))
	return started, steps
}

// running is a worker that runs until it is stopped or the test ends.
type running struct {
	*worker.Worker
	t    testing.TB
	stop context.CancelFunc
	done chan error
}

func newWorker(t testing.TB, pool *pgxpool.Pool, config worker.Config) *worker.Worker {
	t.Helper()
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	w, err := worker.New(pool, config)
	require.NoError(t, err)
	return w
}

// start runs a worker.
func start(t testing.TB, w *worker.Worker) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	r := &running{Worker: w, t: t, stop: cancel, done: make(chan error, 1)}
	go func() { r.done <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if r.done != nil {
			require.NoError(t, r.ended())
		}
	})
	return r
}

// ended waits for the end of the worker and returns the error of Run.
func (r *running) ended() error {
	r.t.Helper()
	select {
	case err := <-r.done:
		r.done = nil
		return err
	case <-time.After(within):
		require.FailNow(r.t, "the worker does not end")
		return nil
	}
}

// receive returns the next value of a channel, and fails the test if none comes.
func receive[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(within):
		require.FailNow(t, "nothing was received")
		panic("unreachable")
	}
}

// journal is a log that tests read.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// says waits until all of these words stand in the log: a worker may write a line after the database shows what the line is about.
func (j *journal) says(t testing.TB, words ...string) {
	t.Helper()
	for _, w := range words {
		until(t, func() bool { return strings.Contains(j.String(), w) }, func() string { return "the log does not say " + w + "\n" + j.String() })
	}
}

// none is the input of handlers that read nothing from the context.
type none struct{}
