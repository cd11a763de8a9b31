package samples_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type job struct {
	N    int    `json:"n"`
	User string `json:"user,omitempty"`
}

func begin(t *testing.T) pgx.Tx {
	t.Helper()
	tx, err := pgtest.New(t).Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) })
	return tx
}

// run registers workflows, starts a task of the first and runs it with what it starts.
func run(t *testing.T, tx pgx.Tx, w *workflow.Workflow[job], input job, children ...*workflow.Workflow[job]) (workflow.Task[job], workertest.Report) {
	t.Helper()
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	for _, one := range append(children, w) {
		require.NoError(t, one.Register(t.Context(), tx))
		one.Handle(does)
	}
	task, err := w.Start(t.Context(), tx, input)
	require.NoError(t, err)
	return task, workertest.Run(t, tx, does, task.UUID)
}

// TestHatchet_ChildWorkflows: a durable task starts children in a loop, all at once, and adds their results. A child that fails is
// an error of its own.
func TestHatchet_ChildWorkflows(t *testing.T) {
	t.Parallel()
	child := workflow.New[job]("hatchet", "child", "1", workflow.AlwaysNew, workflow.FailOnFailure())
	square := workflow.Root(child, "square", func(_ context.Context, j *workflow.Job[job]) (int, error) {
		if j.Input.N == 4 {
			return 0, worker.Permanent(errors.New("four is unlucky"))
		}
		return j.Input.N * j.Input.N, nil
	})

	parent := workflow.New[job]("hatchet", "parent", "1", workflow.AlwaysNew)
	sum := workflow.Root(parent, "sum", func(ctx context.Context, j *workflow.Job[job]) (sum int, err error) {
		inputs := make([]job, j.Input.N)
		for i := range inputs {
			inputs[i].N = i + 1
		}
		squares, err := worker.RunAll(ctx, j, "squares", square, inputs)
		for _, s := range squares {
			sum += s
		}
		var failed *worker.KeptError
		if errors.As(err, &failed) {
			return sum, nil // the others count
		}
		return sum, err
	})

	tx := begin(t)
	task, report := run(t, tx, parent, job{N: 5}, child)
	require.Equal(t, state.TaskComplete, report.State)
	got, err := sum.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, 1+4+9+25, got)
}

// TestTemporal_SlidingWindow: a batch of records, a child workflow for each, no more than a few at a time.
func TestTemporal_SlidingWindow(t *testing.T) {
	t.Parallel()
	record := workflow.New[job]("temporal", "record", "1", workflow.AlwaysNew)
	processed := workflow.Root(record, "process", func(_ context.Context, j *workflow.Job[job]) (int, error) { return j.Input.N, nil })

	batch := workflow.New[job]("temporal", "batch", "1", workflow.AlwaysNew)
	load := workflow.Root(batch, "load", func(_ context.Context, j *workflow.Job[job]) (records []job, err error) {
		for n := range j.Input.N {
			records = append(records, job{N: n})
		}
		return records, nil
	})
	each := workflow.EachChild(batch, "records", load, record, processed, workflow.MaxParallel(3))

	tx := begin(t)
	task, report := run(t, tx, batch, job{N: 10}, record)
	require.Equal(t, state.TaskComplete, report.State)
	numbers, err := each.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, numbers)
}

// TestTemporal_PickFirst: two activities race. The first result counts, and the other one is cancelled.
func TestTemporal_PickFirst(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("temporal", "pickfirst", "1", workflow.AlwaysNew)
	fast := workflow.Root(w, "fast", func(context.Context, *workflow.Job[job]) (string, error) { return "fast", nil })
	slow := workflow.Do1(w, "slow", workflow.Await(w, "never", workflow.Signal[string]("never"), workflow.Waiting{}, nil),
		func(context.Context, *workflow.Job[job], workflow.Answer[string]) error { return nil })
	picked := workflow.After2(w, "picked", workflow.Optional(fast), workflow.Optional(slow),
		func(_ context.Context, _ *workflow.Job[job], fast workflow.Maybe[string], _ workflow.Maybe[struct{}]) (string, error) {
			return fast.Value, nil
		}, workflow.JoinFirst())

	tx := begin(t)
	task, report := run(t, tx, w, job{})
	require.Equal(t, state.TaskComplete, report.State, "the loser does not hold the task")
	got, err := picked.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, "fast", got)
}

// TestTemporal_Timer: if the order takes too long, a mail says so. The timer does not outlive the order.
func TestTemporal_Timer(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("temporal", "timer", "1", workflow.AlwaysNew)
	order := workflow.Root(w, "order", func(context.Context, *workflow.Job[job]) (string, error) { return "processed", nil })
	timer := workflow.Pause(w, "timer", 30*time.Minute, nil)
	mailed := false
	workflow.After2(w, "mail", workflow.Optional(order), workflow.Optional(timer),
		func(_ context.Context, _ *workflow.Job[job], order workflow.Maybe[string], _ workflow.Maybe[workflow.Answer[struct{}]]) (bool, error) {
			mailed = !order.OK
			return mailed, nil
		}, workflow.JoinFirst())

	_, report := run(t, begin(t), w, job{})
	require.Equal(t, state.TaskComplete, report.State)
	require.False(t, mailed, "the order was in time")
}

// TestHatchet_OnFailure: a step that runs when any step has failed, with the errors.
func TestHatchet_OnFailure(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("hatchet", "on-failure", "1", workflow.AlwaysNew, workflow.FailOnFailure())
	broken := workflow.Do(w, "broken", nil, func(context.Context, *workflow.Job[job]) error { return worker.Permanent(errors.New("boom")) })
	var told string
	workflow.OnFailure(w, "tell", broken, func(_ context.Context, _ *workflow.Job[job], failed []workflow.Failure) error {
		told = failed[0].Step + ": " + failed[0].Error
		return nil
	})

	_, report := run(t, begin(t), w, job{})
	require.Equal(t, state.TaskError, report.State)
	require.Equal(t, "broken: boom", told)
}

// TestHatchet_OnEvent: an event starts a task, in the transaction that emits it.
func TestHatchet_OnEvent(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("hatchet", "on-event", "1", workflow.AlwaysNew, workflow.StartOn(template.StartOn{Event: "user_created", When: "$.n > 0"}))
	workflow.Do(w, "greet", nil, func(context.Context, *workflow.Job[job]) error { return nil })

	tx := begin(t)
	require.NoError(t, w.Register(t.Context(), tx))
	for n := range 3 {
		_, err := worker.Event[job]("user_created").Emit(t.Context(), tx, "hatchet", job{N: n})
		require.NoError(t, err)
	}
	var started int
	require.NoError(t, tx.QueryRow(t.Context(), "select count(*) from tasker.list_tasks(p_name => 'on-event')").Scan(&started))
	require.Equal(t, 2, started)
}

// TestHatchet_MultipleConcurrencyKeys: a step is bound for each user and over all users at once.
func TestHatchet_MultipleConcurrencyKeys(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("hatchet", "keys", "1", workflow.AlwaysNew)
	workflow.Do(w, "work", nil, func(context.Context, *workflow.Job[job]) error { return nil },
		workflow.Limit{Name: "users", Key: "$.user"}, workflow.Limit{Name: "all"})

	tx := begin(t)
	require.NoError(t, w.Register(t.Context(), tx))
	_, err := tx.Exec(t.Context(), "select tasker.set_limit('hatchet', 'users', 1), tasker.set_limit('hatchet', 'all', 3)")
	require.NoError(t, err)
	for n := range 8 {
		_, err := w.Start(t.Context(), tx, job{N: n, User: fmt.Sprint("user ", n%2)})
		require.NoError(t, err)
	}
	var claimed int
	require.NoError(t, tx.QueryRow(t.Context(), "select count(*) from tasker.claim_steps('{hatchet}', gen_random_uuid(), 100)").Scan(&claimed))
	require.Equal(t, 2, claimed, "one for each of two users")
}

// TestHatchet_CancelInProgress: a further run of a group cancels the run in progress.
func TestHatchet_CancelInProgress(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("hatchet", "latest", "1", workflow.AlwaysNew, workflow.Runs(template.Runs{Key: "$.user", Further: "cancel_running"}))
	workflow.Do(w, "work", nil, func(context.Context, *workflow.Job[job]) error { return nil })

	tx := begin(t)
	require.NoError(t, w.Register(t.Context(), tx))
	first, err := w.Start(t.Context(), tx, job{User: "ann"})
	require.NoError(t, err)
	last, report := run(t, tx, w, job{User: "ann"})
	require.Equal(t, state.TaskComplete, report.State)
	var ended string
	require.NoError(t, tx.QueryRow(t.Context(), "select state from tasker.get_task($1)", first.UUID).Scan(&ended))
	require.Equal(t, "cancelled", ended)
	require.NotEqual(t, first.UUID, last.UUID)
}

// TestHatchet_SlotCost: a step costs three of the slots of its user, whose number comes with the input.
func TestHatchet_SlotCost(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("hatchet", "slots", "1", workflow.AlwaysNew)
	workflow.Do(w, "work", nil, func(context.Context, *workflow.Job[job]) error { return nil },
		workflow.Limit{Name: "slots", Key: "$.user", Units: 3, Bound: "$.n", BoundMax: 10})

	tx := begin(t)
	require.NoError(t, w.Register(t.Context(), tx))
	for range 5 {
		for user, slots := range map[string]int{"ann": 6, "bob": 3, "eve": 1000} {
			_, err := w.Start(t.Context(), tx, job{User: user, N: slots})
			require.NoError(t, err)
		}
	}
	_, err := tx.Exec(t.Context(), "select from tasker.claim_steps('{hatchet}', gen_random_uuid(), 100)")
	require.NoError(t, err)
	var slots string
	require.NoError(t, tx.QueryRow(t.Context(),
		"select string_agg(k.limit_key || ' ' || k.in_use, ', ' order by k.limit_key) from tasker.list_limit_keys('hatchet', 'slots') as k").Scan(&slots))
	require.Equal(t, "ann 6, bob 3, eve 9", slots)
}

// TestTemporal_Mutex: a task keeps a resource over a wait, and no other task has it meanwhile.
func TestTemporal_Mutex(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("temporal", "mutex", "1", workflow.AlwaysNew)
	workflow.Root(w, "critical", func(ctx context.Context, j *workflow.Job[job]) (string, error) {
		answer, err := worker.Await(ctx, j, worker.Signal[string]("done"), worker.Waiting{})
		return answer.Payload, err
	}, workflow.Limit{Name: "resource", Key: "$.user", WholeRun: true})

	tx := begin(t)
	require.NoError(t, w.Register(t.Context(), tx))
	_, err := tx.Exec(t.Context(), "select tasker.set_limit('temporal', 'resource', 1)")
	require.NoError(t, err)
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	first, err := w.Start(t.Context(), tx, job{User: "lathe"})
	require.NoError(t, err)
	require.Len(t, workertest.Run(t, tx, does, first.UUID).Waiting, 1, "the first holds the lathe and waits")
	second, err := w.Start(t.Context(), tx, job{User: "lathe"})
	require.NoError(t, err)
	var claimed int
	count := "select count(*) from tasker.claim_steps('{temporal}', gen_random_uuid(), 100)"
	require.NoError(t, tx.QueryRow(t.Context(), count).Scan(&claimed))
	require.Zero(t, claimed, "the second waits for the lathe")
	workertest.Signal(t, tx, first.UUID, "done", "turned")
	require.Equal(t, state.TaskComplete, workertest.Run(t, tx, does, first.UUID).State)
	require.Len(t, workertest.Run(t, tx, does, second.UUID).Waiting, 1, "then it has the lathe")
}

// TestTemporal_Cancellation: a running activity learns that its workflow is cancelled, the next activity is not run, and a clean-up is.
func TestTemporal_Cancellation(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("temporal", "cancellation", "1", workflow.AlwaysNew)
	begun, seen, cleaned, skipped := make(chan struct{}), make(chan error, 1), make(chan struct{}), make(chan struct{}, 1)
	set := workflow.Root(w, "set-up", func(context.Context, *workflow.Job[job]) (string, error) { return "bucket", nil })
	workflow.Compensate(set, func(context.Context, *workflow.Job[job], workflow.Undoing[string]) error {
		close(cleaned)
		return nil
	})
	long := workflow.Do1(w, "long", set, func(ctx context.Context, _ *workflow.Job[job], _ string) error {
		close(begun)
		<-ctx.Done()
		seen <- context.Cause(ctx)
		return context.Cause(ctx)
	})
	workflow.Do1(w, "never", long, func(context.Context, *workflow.Job[job], struct{}) error {
		skipped <- struct{}{}
		return nil
	})

	pool := pgtest.New(t)
	require.NoError(t, w.Register(t.Context(), pool))
	does, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- does.Run(ctx) }()
	task, err := w.Start(t.Context(), pool, job{})
	require.NoError(t, err)
	<-begun
	_, err = pool.Exec(t.Context(), "select tasker.cancel_task($1)", task.UUID)
	require.NoError(t, err)
	require.ErrorIs(t, <-seen, worker.ErrCancelled, "the activity is told at once")
	<-cleaned
	require.Eventually(t, func() bool {
		var state string
		err := pool.QueryRow(t.Context(), "select t.state::text from tasker.tasks as t where t.task_uuid = $1", task.UUID).Scan(&state)
		return err == nil && state == "cancelled"
	}, time.Minute, 20*time.Millisecond)
	require.Empty(t, skipped)
	stop()
	require.NoError(t, <-ended)
}

// TestRestate_Upload: a client gets the URL of its upload if the upload is ready in five seconds, and otherwise a mail when it is.
func TestRestate_Upload(t *testing.T) {
	t.Parallel()
	upload := workflow.New[job]("restate", "upload", "1", workflow.AlwaysNew)
	data := workflow.Await(upload, "data", workflow.Signal[string]("data"), workflow.Waiting{}, nil)
	url := workflow.After1(upload, "url", data, func(_ context.Context, j *workflow.Job[job], data workflow.Answer[string]) (string, error) {
		return "s3://" + j.Input.User + "/" + data.Payload, nil
	})
	front := workflow.New[job]("restate", "front", "1", workflow.AlwaysNew)
	uploaded := workflow.Child(front, "uploaded", upload, url, workflow.Root(front, "ask", func(_ context.Context, j *workflow.Job[job]) (job, error) { return j.Input, nil }))
	patience := workflow.Pause(front, "patience", 5*time.Second, nil)
	answer := workflow.After2(front, "answer", workflow.Optional(uploaded), workflow.Optional(patience),
		func(_ context.Context, _ *workflow.Job[job], url workflow.Maybe[string], _ workflow.Maybe[workflow.Answer[struct{}]]) (string, error) {
			return url.Value, nil
		}, workflow.JoinFirst())
	mail := workflow.After2(front, "mail", uploaded, answer, func(_ context.Context, _ *workflow.Job[job], url, answer string) (string, error) {
		if answer != "" {
			return "", nil
		}
		return url, nil
	})

	tx := begin(t)
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	for _, w := range []*workflow.Workflow[job]{upload, front} {
		require.NoError(t, w.Register(t.Context(), tx))
		w.Handle(does)
	}
	clock := workertest.FreezeClock(t, tx, time.Now())
	task, err := front.Start(t.Context(), tx, job{User: "ann"})
	require.NoError(t, err)
	clock.Run(does, task.UUID) // the five seconds pass
	got, err := answer.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Empty(t, got, "the upload goes on")
	var child uuid.UUID
	require.NoError(t, tx.QueryRow(t.Context(), "select child_task_uuid from tasker.list_steps($1) where name = 'uploaded'", task.UUID).Scan(&child))
	workertest.Signal(t, tx, child, "data", "cat.png")
	require.Equal(t, state.TaskComplete, clock.Run(does, task.UUID).State)
	got, err = mail.Result(t.Context(), tx, task)
	require.NoError(t, err)
	require.Equal(t, "s3://ann/cat.png", got)
}

// TestHatchet_ScheduleTimeout: a step that no worker takes in time fails, and another one does the work.
func TestHatchet_ScheduleTimeout(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("hatchet", "schedule-timeout", "1", workflow.AlwaysNew)
	gpu := workflow.Root[job, string](w, "gpu", nil, workflow.HandledBy("a.gpu"), workflow.StartWithin(time.Millisecond))
	instead := false
	workflow.OnFailure(w, "cpu", gpu, func(_ context.Context, _ *workflow.Job[job], failed []workflow.Failure) error {
		instead = failed[0].Error == "no worker has started it within 0.001 seconds"
		return nil
	})
	pool := pgtest.New(t)
	require.NoError(t, w.Register(t.Context(), pool))
	does, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- does.Run(ctx) }()
	task, err := w.Start(t.Context(), pool, job{})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		var state string
		err := pool.QueryRow(t.Context(), "select t.state::text from tasker.tasks as t where t.task_uuid = $1", task.UUID).Scan(&state)
		return err == nil && state == "complete"
	}, time.Minute, 20*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	require.True(t, instead)
}

// TestRiver_Snooze: a job asks to run later, without an attempt.
func TestRiver_Snooze(t *testing.T) {
	t.Parallel()
	w := workflow.New[job]("river", "snooze", "1", workflow.AlwaysNew)
	runs := 0
	workflow.Do(w, "poll", nil, func(_ context.Context, j *workflow.Job[job]) error {
		runs++
		if runs < 3 {
			return worker.Snooze(time.Hour, "not ready")
		}
		return nil
	}, workflow.Retry{Attempts: 1})
	tx := begin(t)
	require.NoError(t, w.Register(t.Context(), tx))
	does, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	clock := workertest.FreezeClock(t, tx, time.Now())
	task, err := w.Start(t.Context(), tx, job{})
	require.NoError(t, err)
	from := clock.Now()
	require.Equal(t, state.TaskComplete, clock.Run(does, task.UUID).State)
	require.Equal(t, 3, runs)
	require.Equal(t, 2*time.Hour, clock.Now().Sub(from).Round(time.Millisecond))
}
