package tasklib_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/tasklib/gen"
	"github.com/pgtasker/pgtasker/worker"
)

func TestWorker_RunsWhatIsSubmittedAndKeepsTheResult(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	_, stop := start(t, client, tasklib.WorkerConfig{Concurrency: 3, PollInterval: time.Hour}) // only wake-ups

	for n := range 10 {
		s, err := task.Submit(t.Context(), pool, numbers{n, 1})
		require.NoError(t, err)
		awaitState(t, client, s.ID, tasklib.StateCompleted)
		_, result, err := task.Get(t.Context(), pool, s.ID)
		require.NoError(t, err)
		require.Equal(t, n+1, result)
	}
	stop()
}

func TestWorker_PollsWithoutListening(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	start(t, client, tasklib.WorkerConfig{PollOnly: true, NoHousekeeping: true})
	require.NoError(t, client.Sync(t.Context()))

	s, err := task.Submit(t.Context(), pool, numbers{1, 1})
	require.NoError(t, err)
	awaitState(t, client, s.ID, tasklib.StateCompleted)
}

func TestWorkers_RunEachTaskOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(12))
	const count, workers = 3000, 5
	var mu sync.Mutex
	runs := map[int]int{}
	task := (*tasklib.Task[numbers, int])(nil)
	var client *tasklib.Client
	for range workers {
		client = newClient(t, pool, tasklib.Config{})
		task = tasklib.MustRegister(client, "count", func(_ context.Context, n numbers) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			runs[n.A]++
			return 0, nil
		}, tasklib.Options{})
		start(t, client, tasklib.WorkerConfig{Concurrency: 20, Prefetch: 20})
	}
	require.NoError(t, client.Sync(t.Context()))
	args := make([]numbers, count)
	for i := range args {
		args[i].A = i
	}
	_, err := task.SubmitMany(t.Context(), pool, args)
	require.NoError(t, err)
	await(t, "all are completed", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'completed'") == count
	})
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, runs, count)
	for n, times := range runs {
		require.Equal(t, 1, times, "task %d", n)
	}
	require.Equal(t, count, query[int](t, pool, "select count(*) from tasklib.task_runs"))
	require.Greater(t, query[int](t, pool, "select count(distinct worker_id) from tasklib.task_runs"), 1)
}

func TestWorker_RetriesAfterFiveTenAndTwentySecondsThenFails(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	client := newClient(t, pool, tasklib.Config{})
	ran := make(chan int, 10)
	task := tasklib.MustRegister(client, "break", func(ctx context.Context, _ numbers) (int, error) {
		current, ok := tasklib.CurrentTask(ctx)
		require.True(t, ok)
		ran <- current.RetryCount
		return 0, fmt.Errorf("run %d broke", current.ClaimNo)
	}, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{})

	for n, delay := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second} {
		require.Equal(t, n, <-ran)
		d := awaitState(t, client, s.ID, tasklib.StatePending)
		require.Equal(t, delay, d.NextRetryAt.Sub(query[time.Time](t, pool, "select tasklib.clock()")))
		require.Equal(t, fmt.Sprintf("run %d broke", n+1), *d.Error)
		exec(t, pool, "select tasker_test.pass($1)", delay)
	}
	require.Equal(t, 3, <-ran)
	d := awaitState(t, client, s.ID, tasklib.StateFailed)
	require.Equal(t, "run 4 broke", *d.Error)
	require.Equal(t, int32(3), d.RetryCount)
}

func TestWorker_TellsTheDatabaseHowItFailed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "break", func(ctx context.Context, n numbers) (any, error) {
		switch n.A {
		case 1:
			panic("something unheard of")
		case 2:
			return nil, tasklib.Permanent(errors.New("hopeless"))
		case 3:
			return nil, tasklib.RetryAfter(time.Hour, errors.New("come back later"))
		case 4:
			return make(chan int), nil // no JSON
		default:
			return nil, errors.New("a zero \x00 and \xff")
		}
	}, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	many, err := task.SubmitMany(t.Context(), pool, []numbers{{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{Concurrency: 2})
	errorOf := func(n int) string {
		var d tasklib.Details
		await(t, "it has failed", func() bool {
			d, err = client.Functions().GetTask(t.Context(), many[n-1].ID)
			require.NoError(t, err)
			return d.Error != nil
		})
		return string(d.State) + ": " + *d.Error
	}

	require.Regexp(t, `^pending: panic: something unheard of\n\ngoroutine (.|\n)*worker_test\.go`, errorOf(1))
	require.Equal(t, "failed: hopeless", errorOf(2))
	require.Equal(t, "pending: come back later", errorOf(3))
	require.Regexp(t, "^failed: the result is not JSON", errorOf(4))
	require.Equal(t, "pending: a zero � and �", errorOf(5))
	d, err := client.Functions().GetTask(t.Context(), many[2].ID)
	require.NoError(t, err)
	require.Greater(t, time.Until(*d.NextRetryAt), 59*time.Minute)
}

func TestWorker_FailsCorruptedTasksAndGoesOn(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{Validator: picky{}})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	submit := func(kwargs string) uuid.UUID {
		return query[uuid.UUID](t, pool, "select id from tasklib.submit_task('add', $1::jsonb)", kwargs)
	}
	unknown, typed, invalid := submit(`{"a": 1, "c": 2}`), submit(`{"a": "one"}`), submit(`{"a": 1, "b": -1}`)
	fine, err := task.Submit(t.Context(), pool, numbers{1, 2})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{})

	awaitState(t, client, fine.ID, tasklib.StateCompleted)
	require.Contains(t, *awaitState(t, client, unknown, tasklib.StateFailed).Error, `arguments of task "add": field "c": json: unknown field`)
	require.Contains(t, *awaitState(t, client, typed, tasklib.StateFailed).Error, `arguments of task "add": field "a": json: cannot unmarshal string`)
	require.Contains(t, *awaitState(t, client, invalid, tasklib.StateFailed).Error, `field "b": must not be negative`)
	require.Equal(t, 3, query[int](t, pool, "select count(*) from tasklib.tasks where state = 'failed' and claim_no = 1"), "no failed task was tried again")
}

func TestWorker_AResultThatIsRefusedDoesNotKeepOthersFromBeingRecorded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasklib.set_setting('result_bytes', '100')")
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "repeat", func(_ context.Context, n numbers) (string, error) {
		var b strings.Builder
		for i := range n.A {
			fmt.Fprint(&b, i)
		}
		return b.String(), nil
	}, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	args := make([]numbers, 50)
	args[17].A = 1000
	many, err := task.SubmitMany(t.Context(), pool, args)
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{Concurrency: 50})

	for n, s := range many {
		if n == 17 {
			require.Contains(t, *awaitState(t, client, s.ID, tasklib.StateFailed).Error, "is too large")
		} else {
			awaitState(t, client, s.ID, tasklib.StateCompleted)
		}
	}
}

// blocking is a task that tells when it runs, and runs until it is let go or its context ends.
func blocking(t *testing.T, client *tasklib.Client, options tasklib.Options) (task *tasklib.Task[numbers, string], running chan int, release chan struct{}, causes chan error) {
	t.Helper()
	running, release, causes = make(chan int, 100), make(chan struct{}), make(chan error, 100)
	task = tasklib.MustRegister(client, "block", func(ctx context.Context, n numbers) (string, error) {
		running <- n.A
		select {
		case <-release:
			return "done", nil
		case <-ctx.Done():
			causes <- context.Cause(ctx)
			return "", ctx.Err()
		}
	}, options)
	require.NoError(t, client.Sync(t.Context()))
	return task, running, release, causes
}

func TestWorker_EndsTheContextAtTheTimeout(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task, _, _, causes := blocking(t, client, tasklib.Options{Timeout: time.Second})
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{})

	require.ErrorIs(t, <-causes, context.DeadlineExceeded)
	d := awaitState(t, client, s.ID, tasklib.StatePending)
	require.Equal(t, int32(1), d.RetryCount, "as after any other failure")
	require.Equal(t, "the run took too long: context deadline exceeded", *d.Error)
}

func TestWorker_EndsTheContextOfACancelledTask(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task, running, _, causes := blocking(t, client, tasklib.Options{})
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{})

	<-running
	// The worker may still be connecting to listen; then it learns of it when it would extend the lock.
	await(t, "the worker listens", func() bool {
		return query[int](t, pool, `
			select count(*) from pg_stat_activity where query ~ 'tasklib_cancelled|tasklib.open_writers|tasklib.mark_awake' and pid <> pg_backend_pid()`) == 1
	})
	cancelled, err := client.Functions().CancelTask(t.Context(), s.ID, nil)
	require.NoError(t, err)
	require.True(t, cancelled)
	require.ErrorIs(t, <-causes, worker.ErrCancelled)
	d := awaitState(t, client, s.ID, tasklib.StateCancelled)
	require.Equal(t, int32(0), d.RetryCount)
}

func TestWorker_ExtendsLocksAndStopsTasksThatItHasLost(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{Lease: 6 * time.Second}) // a busy machine extends it in time
	task, running, _, causes := blocking(t, client, tasklib.Options{})
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	_, stop := start(t, client, tasklib.WorkerConfig{PollInterval: time.Hour, PollOnly: true})

	<-running
	first := *awaitState(t, client, s.ID, tasklib.StateRunning).LockedUntil
	await(t, "the lock is extended", func() bool {
		d, err := client.Functions().GetTask(t.Context(), s.ID)
		require.NoError(t, err)
		return d.LockedUntil.After(first)
	})
	// As if it had been away for too long: another worker takes the task, before it can extend the lock.
	long := int32(600)
	var claimed []gen.ClaimedTask
	require.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update tasklib.tasks set locked_until = now() - interval '1 second'")
		if err != nil {
			return err
		}
		claimed, err = tasklib.NewFunctions(tx).ClaimTasks(t.Context(), gen.ClaimTasksParams{
			Names: []string{"block"}, WorkerID: "another", MaxTasks: 1, LockSeconds: &long,
		})
		return err
	}))
	require.Len(t, claimed, 1)
	require.ErrorIs(t, <-causes, worker.ErrLost)
	stop()
	d := awaitState(t, client, s.ID, tasklib.StateRunning)
	require.Equal(t, "another", *d.WorkerID)
	require.Equal(t, int32(2), d.ClaimNo)
}

func TestWorker_StopsWhenRunningFunctionsHaveFinished(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task, running, release, _ := blocking(t, client, tasklib.Options{})
	many, err := task.SubmitMany(t.Context(), pool, []numbers{{1, 0}, {2, 0}, {3, 0}})
	require.NoError(t, err)
	_, stop := start(t, client, tasklib.WorkerConfig{Concurrency: 1, Prefetch: 2})

	began := <-running
	await(t, "the others are prefetched", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'running'") == 3
	})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop()
	}()
	await(t, "what has not begun is handed back", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'pending' and retry_count = 0") == 2 ||
			query[int](t, pool, "select count(*) from tasklib.task_runs where outcome = 'released'") == 2
	})
	close(release)
	<-stopped
	awaitState(t, client, many[began-1].ID, tasklib.StateCompleted)
}

func TestWorker_HandsBackWhatDoesNotFinishInTime(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task, running, _, causes := blocking(t, client, tasklib.Options{})
	s, err := task.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	_, stop := start(t, client, tasklib.WorkerConfig{StopTimeout: time.Millisecond})

	<-running
	stop()
	require.ErrorIs(t, <-causes, worker.ErrStopping)
	d, err := client.Functions().GetTask(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, tasklib.StatePending, d.State)
	require.Equal(t, int32(0), d.RetryCount, "the run does not count")
}

func TestWorker_KeepsSchedules(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	client := newClient(t, pool, tasklib.Config{})
	ran := make(chan int, 10)
	task := tasklib.MustRegister(client, "report", func(_ context.Context, n numbers) (int, error) {
		ran <- n.A
		return 0, nil
	}, tasklib.Options{})
	require.NoError(t, task.Every(tasklib.Schedule{Name: "hourly", Cron: "0 * * * *"}, numbers{7, 0}))
	start(t, client, tasklib.WorkerConfig{})
	await(t, "the schedule is there", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.schedules") == 1
	})
	exec(t, pool, "select tasker_test.pass('1 hour')")
	require.Equal(t, 7, <-ran)
}

func TestWorker_PurgesWhatHasExpired(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{KeepCompleted: time.Second})
	require.NoError(t, client.Sync(t.Context()))
	_, err := task.SubmitMany(t.Context(), pool, make([]numbers, 5))
	require.NoError(t, err)
	_, stop := start(t, client, tasklib.WorkerConfig{Concurrency: 5, NoHousekeeping: true})
	await(t, "all are completed", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks where state = 'completed'") == 5
	})
	stop()

	exec(t, pool, "select tasker_test.freeze_tasklib(now() + interval '1 minute')")
	start(t, client, tasklib.WorkerConfig{})
	await(t, "they are gone", func() bool {
		return query[int](t, pool, "select count(*) from tasklib.tasks") == 0
	})
}

func TestWorker_SaysWhatItCannotBeginWith(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	client := newClient(t, pool, tasklib.Config{})
	require.ErrorContains(t, client.NewWorker(tasklib.WorkerConfig{}).Run(t.Context()), "no task with a function")

	tasklib.MustRegister(client, "not a name", add, tasklib.Options{})
	require.ErrorIs(t, client.NewWorker(tasklib.WorkerConfig{}).Run(t.Context()), executor.ErrInvalid)
}

func TestWorker_ASnoozedTaskRunsAgainWithoutARetry(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, "select tasker_test.freeze_tasklib('2026-03-01 12:00+00')")
	client := newClient(t, pool, tasklib.Config{Codec: newKeys(t, "k", "k")})
	var runs sync.Map
	snoozing := func(ctx context.Context, s secret) (secret, error) {
		current, ok := tasklib.CurrentTask(ctx)
		require.True(t, ok)
		if _, again := runs.LoadOrStore(current.ID, true); again {
			return s, nil
		}
		return s, fmt.Errorf("at the bank: %w", tasklib.Snooze(time.Hour, "no answer for "+s.Card))
	}
	plain := tasklib.MustRegister(client, "plain", snoozing, tasklib.Options{MaxRetries: tasklib.NoRetries})
	sealed := tasklib.MustRegister(client, "sealed", snoozing, tasklib.Options{MaxRetries: tasklib.NoRetries, Encrypted: true})
	endless := tasklib.MustRegister(client, "endless", func(context.Context, secret) (bool, error) { return false, tasklib.Snooze(0, "") }, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	start(t, client, tasklib.WorkerConfig{})
	for _, task := range []*tasklib.Task[secret, secret]{plain, sealed} {
		s, err := task.Submit(t.Context(), pool, secret{"4111-1111"})
		require.NoError(t, err)
		await(t, "the task is snoozed", func() bool {
			d, err := client.Functions().GetTask(t.Context(), s.ID)
			require.NoError(t, err)
			return d.State == tasklib.StatePending && d.ScheduledAt.Equal(query[time.Time](t, pool, "select tasklib.clock() + interval '1 hour'"))
		})
		exec(t, pool, "select tasker_test.pass('1 hour')")
		d := awaitState(t, client, s.ID, tasklib.StateCompleted)
		require.Zero(t, d.RetryCount, "a snooze spends no retry")
		require.Nil(t, d.Error, "nothing has failed")
		record, err := client.Functions().ListTaskRuns(t.Context(), s.ID)
		require.NoError(t, err)
		require.Len(t, record, 2)
		require.Equal(t, []string{"snoozed", "completed"}, []string{record[0].Outcome, record[1].Outcome})
		if task == plain {
			require.Equal(t, "at the bank: no answer for 4111-1111", *record[0].Error)
			continue
		}
		require.Regexp(t, `^encrypted [*a-zA-Z.]+ [a-p]{16}\nDETAIL: `, *record[0].Error)
		require.Zero(t, query[int](t, pool, `
			select (select count(*) from tasklib.tasks as t where t::text like '%4111%' and t.name = 'sealed')::integer
			     + (select count(*) from tasklib.task_runs as r where r::text like '%4111%' and r.name = 'sealed')::integer`))
	}
	s, err := endless.Submit(t.Context(), pool, secret{})
	require.NoError(t, err)
	require.Equal(t, "a snooze of 0s is out of bounds: it lasts from a millisecond to a year", *awaitState(t, client, s.ID, tasklib.StateFailed).Error)
}
