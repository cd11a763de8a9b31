package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/orchestrator"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// look is what one pass of the loop found.
type look struct {
	source orchestrator.Source
	report gen.OrchestrationReport
}

// running is a loop whose passes a test can follow.
type running struct {
	looks chan look
	stop  func() orchestrator.Counts
}

func start(t *testing.T, pool *pgxpool.Pool, config orchestrator.Config) running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	looks := make(chan look)
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	config.Observe = func(source orchestrator.Source, report gen.OrchestrationReport) {
		select {
		case looks <- look{source, report}:
		case <-ctx.Done():
		}
	}
	type ended struct {
		counts orchestrator.Counts
		err    error
	}
	done := make(chan ended, 1)
	go func() {
		counts, err := orchestrator.Run(ctx, pool, config)
		done <- ended{counts, err}
	}()
	var stopped *ended
	stop := func() orchestrator.Counts {
		cancel()
		if stopped == nil {
			e := <-done
			stopped = &e
		}
		require.NoError(t, stopped.err)
		return stopped.counts
	}
	t.Cleanup(func() { stop() })
	return running{looks, stop}
}

// until returns the first look for which holds returns true.
func (r running) until(t *testing.T, holds func(look) bool) look {
	t.Helper()
	overdue := time.After(time.Minute)
	for {
		select {
		case l := <-r.looks:
			if holds(l) {
				return l
			}
		case <-overdue:
			require.Fail(t, "the loop does not find the work")
		}
	}
}

// prepare registers a template of one step and returns an executor.
func prepare(t *testing.T, pool *pgxpool.Pool) *executor.SqlFunctionExecutor {
	t.Helper()
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "order", "steps": [{"name": "reserve"}]}`))
	require.NoError(t, err)
	_, err = e.EnsureTaskQueue(t.Context(), "orchestration_task_requests")
	require.NoError(t, err)
	return e
}

func connected(l look) bool { return l.source == orchestrator.Start }

func TestRun_FindsRequestsByTheirAnnouncement(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	r := start(t, pool, orchestrator.Config{NoPoll: true})
	for range 3 { // the first look, the one before listening and the one after it
		r.until(t, connected)
	}
	_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "orchestration_task_requests", Message: json.RawMessage(`{"namespace": "shop", "name": "order"}`),
	})
	require.NoError(t, err)
	found := r.until(t, func(l look) bool { return l.report.RequestsProcessed == 1 })
	require.Equal(t, orchestrator.Event, found.source)

	counts := r.stop()
	require.EqualValues(t, 1, counts[orchestrator.Event].Found())
	require.Zero(t, counts[orchestrator.Fallback].Looks, "polling is switched off")
	tasks, err := e.ListTasks(t.Context(), sqlfn.ListTasksParams{})
	require.NoError(t, err)
	require.Len(t, tasks, 1)
}

func TestRun_FindsWhatWasNotAnnouncedByPolling(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	r := start(t, pool, orchestrator.Config{Poll: 50 * time.Millisecond, NoListen: true})
	r.until(t, connected)
	_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "orchestration_task_requests", Message: json.RawMessage(`{"namespace": "shop", "name": "order"}`),
	})
	require.NoError(t, err)
	found := r.until(t, func(l look) bool { return l.report.RequestsProcessed == 1 })
	require.NotEqual(t, orchestrator.Event, found.source)
	require.Zero(t, r.stop()[orchestrator.Event].Looks)
}

func TestRun_FindsWhatWasThereBeforeItBegan(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", TaskOptions: executor.TaskOptions{Deferred: true},
	})
	require.NoError(t, err)
	r := start(t, pool, orchestrator.Config{NoPoll: true})
	found := r.until(t, func(l look) bool { return l.report.TasksAdvanced > 0 })
	require.Equal(t, orchestrator.Start, found.source)
	r.stop()
	state, err := e.GetCurrentTaskState(t.Context(), task.TaskUUID)
	require.NoError(t, err)
	require.EqualValues(t, "steps_in_process", state)
}

func TestRun_SleepsUntilSomethingIsDue(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", TaskOptions: executor.TaskOptions{StartAt: time.Now().Add(4 * time.Second)},
	})
	require.NoError(t, err)
	r := start(t, pool, orchestrator.Config{NoPoll: true})
	found := r.until(t, func(l look) bool { return l.report.TimersFired > 0 })
	require.Equal(t, orchestrator.Due, found.source)
	r.stop()
	state, err := e.GetCurrentTaskState(t.Context(), task.TaskUUID)
	require.NoError(t, err)
	require.EqualValues(t, "steps_in_process", state)
}

func TestRun_GoesOnAfterItsConnectionsWereCut(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	loops, err := pgxpool.NewWithConfig(t.Context(), pool.Config())
	require.NoError(t, err)
	t.Cleanup(loops.Close)
	r := start(t, loops, orchestrator.Config{NoPoll: true})
	for range 3 {
		r.until(t, connected)
	}
	_, err = pool.Exec(t.Context(), `
		select pg_terminate_backend(a.pid)
		  from pg_stat_activity as a
		 where a.datname = current_database()
		   and a.pid <> pg_backend_pid()`)
	require.NoError(t, err)
	// The request is announced, or found when the loop listens again.
	_, err = e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "orchestration_task_requests", Message: json.RawMessage(`{"namespace": "shop", "name": "order"}`),
	})
	require.NoError(t, err)
	r.until(t, func(l look) bool { return l.report.RequestsProcessed == 1 })
}

func TestRun_FailsWhereItCannotBegin(t *testing.T) {
	t.Parallel()
	_, err := orchestrator.Run(t.Context(), pgtest.NewEmpty(t), orchestrator.Config{})
	require.Error(t, err)
	var kind *executor.Error
	require.False(t, errors.As(err, &kind), "the error is not of pgtasker, because its schema is missing")
}

// runsOf returns the least number of runs of any duty, and the duties whose last run failed.
func runsOf(t *testing.T, e *executor.SqlFunctionExecutor) (least int64, failed []string) {
	t.Helper()
	duties, err := e.ListMaintenanceDuties(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, duties)
	least = duties[0].Runs
	for _, duty := range duties {
		least = min(least, duty.Runs)
		if duty.LastError != nil {
			failed = append(failed, duty.Duty)
		}
	}
	return least, failed
}

func TestRun_MaintainsAtOnceThoughOneJobFails(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	_, err := pool.Exec(t.Context(), `create or replace function tasker.roll_up() returns timestamptz language plpgsql as
		$$ begin raise exception 'no space'; end; $$`)
	require.NoError(t, err)
	r := start(t, pool, orchestrator.Config{NoPoll: true, Maintenance: time.Hour})
	for range 3 { // the last look is after it listens
		r.until(t, connected)
	}
	require.Eventually(t, func() bool {
		least, _ := runsOf(t, e)
		return least > 0
	}, time.Minute, 10*time.Millisecond, "every duty ran")
	_, failed := runsOf(t, e)
	require.Equal(t, []string{"rollups"}, failed)
}

func TestRun_AsksForMaintenanceWhileNothingElseHappens(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	r := start(t, pool, orchestrator.Config{NoPoll: true, Maintenance: 20 * time.Millisecond})
	for range 3 { // the last look is after it listens
		r.until(t, connected)
	}
	_, err := pool.Exec(t.Context(), "update tasker.maintenance_duties set runs = 0, last_finished_at = null")
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		least, _ := runsOf(t, e)
		return least > 0
	}, time.Minute, 10*time.Millisecond)
	require.Zero(t, r.stop()[orchestrator.Fallback].Looks)
}

// journal is a log that may be read while it is written.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// The orchestrator's login has one connection left, which its listener holds.
func TestRun_ItsListenerGivesWayToWork(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := prepare(t, pool)
	login := faultproxy.Login(t, pool, "tasker_orchestrator")
	own := faultproxy.Postgres(t, pool).PoolOf(t, login, func(c *pgxpool.Config) { c.MaxConns = 1 })
	var log journal
	r := start(t, own, orchestrator.Config{NoPoll: true, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	for range 3 { // the first look, the one before listening and the one after it
		r.until(t, connected)
	}
	faultproxy.LeaveOneBesides(t, pool, own, login)
	_, err := e.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "orchestration_task_requests", Message: json.RawMessage(`{"namespace": "shop", "name": "order"}`),
	})
	require.NoError(t, err)
	r.until(t, func(l look) bool { return l.report.RequestsProcessed == 1 })
	require.Contains(t, log.String(), "the login has no connection left for work: the listener has given its own up")
}

// An orchestrator alone runs SQL steps, those under a time-out, too: no worker in any language is there.
func TestRun_DrainsSQLSteps(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.StepsRole(t, pool)
	_, err := pool.Exec(t.Context(), `
		create table public.reserved (step text);
		grant select, insert on public.reserved to pgtest_steps;
		create function public.reserve(p_input jsonb) returns jsonb language sql as $$
		  insert into public.reserved values (p_input ->> 'step') returning to_jsonb(step);
		$$;
		select tasker.register_namespace('bank');
		select tasker.bind_sql_role('bank', 'pgtest_steps');
		select tasker.register_task_template('{"namespace": "bank", "name": "sql", "steps": [
		  {"name": "first", "sql": "public.reserve"},
		  {"name": "timed", "sql": "public.reserve", "timeout_seconds": 60, "dependencies": ["first"]},
		  {"name": "last", "sql": "public.reserve", "dependencies": ["timed"]}]}');`)
	require.NoError(t, err)
	var task string
	require.NoError(t, pool.QueryRow(t.Context(), "select c.task_uuid::text from tasker.create_task('bank', 'sql') as c").Scan(&task))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := orchestrator.Run(ctx, pool, orchestrator.Config{Poll: time.Second, Logger: slog.New(slog.DiscardHandler)})
		ended <- err
	}()
	defer func() { stop(); require.NoError(t, <-ended) }()
	require.Eventually(t, func() bool {
		var state string
		require.NoError(t, pool.QueryRow(t.Context(), "select t.state from tasker.get_task($1) as t", task).Scan(&state))
		return state == "complete"
	}, 20*time.Second, 20*time.Millisecond)
	var steps []string
	require.NoError(t, pool.QueryRow(t.Context(), "select array_agg(r.step) from public.reserved as r").Scan(&steps))
	require.Equal(t, []string{"first", "timed", "last"}, steps)
}
