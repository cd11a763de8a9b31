package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type basket struct {
	Number int      `json:"number"`
	Lines  []string `json:"lines"`
}

func TestDo_HasNoResultAndWaitsForWhatItStandsAfter(t *testing.T) {
	t.Parallel()
	w := workflow.New[basket]("shop", "basket", "1")
	var did []string
	first := workflow.Do(w, "first", nil, func(context.Context, *workflow.Job[basket]) error {
		did = append(did, "first")
		return nil
	})
	number := workflow.Root(w, "number", func(_ context.Context, job *workflow.Job[basket]) (int, error) {
		did = append(did, "number")
		return job.Input.Number, nil
	})
	workflow.Do1(w, "print", number, func(_ context.Context, _ *workflow.Job[basket], n int) error {
		did = append(did, fmt.Sprint("print ", n))
		return nil
	})
	workflow.Do(w, "last", first.And(number), func(context.Context, *workflow.Job[basket]) error {
		did = append(did, "last")
		return nil
	})
	report := workertest.RunWorkflow(t, begin(t, pgtest.New(t)), w, basket{Number: 7})
	require.Equal(t, state.TaskComplete, report.State)
	require.ElementsMatch(t, []string{"first", "number", "print 7", "last"}, did)
	require.Subset(t, []string{"print 7", "last"}, did[2:])
}

func TestElements_AreAnArrayOfTheContext(t *testing.T) {
	t.Parallel()
	w := workflow.New[basket]("shop", "basket", "1")
	ready := workflow.Do(w, "ready", nil, func(context.Context, *workflow.Job[basket]) error { return nil })
	packed := workflow.Each(w, "pack", workflow.Elements[string](w, "$.lines").And(ready),
		func(_ context.Context, _ *workflow.Job[basket], line string) (string, error) { return "a " + line, nil })
	report := workertest.RunWorkflow(t, begin(t, pgtest.New(t)), w, basket{Lines: []string{"pen", "book"}})
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, []string{"a pen", "a book"}, workertest.ResultOf(t, report, packed))
}

func TestStartMany_StartsAllOrNone(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w := workflow.New[basket]("shop", "basket", "1", workflow.ByKey)
	workflow.Do(w, "pack", nil, func(context.Context, *workflow.Job[basket]) error { return nil })
	require.NoError(t, w.Register(t.Context(), pool))
	key := func(b basket) string { return fmt.Sprint("basket ", b.Number) }

	tasks, err := w.StartMany(t.Context(), pool, []basket{{Number: 1}, {Number: 2}}, key)
	require.NoError(t, err)
	require.Len(t, tasks, 2)
	again, err := w.Start(t.Context(), pool, basket{Number: 2}, workflow.StartOptions{Key: "basket 2"})
	require.NoError(t, err)
	require.False(t, again.Created)
	require.Equal(t, tasks[1].UUID, again.UUID)

	none, err := w.StartMany(t.Context(), pool, nil, key)
	require.NoError(t, err)
	require.Empty(t, none)
	_, err = w.StartMany(t.Context(), pool, []basket{{Number: 3}}, key, workflow.StartOptions{Key: "3"})
	require.ErrorContains(t, err, "StartMany takes its keys from its function")
	_, err = w.StartMany(t.Context(), pool, []basket{{Number: 4}}, func(basket) string { return "" })
	require.ErrorIs(t, err, executor.ErrInvalid)
}

func TestSendByKey_StartsTheTaskThatIsNotThere(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	const paid = workflow.Signal[int]("paid")
	w := workflow.New[basket]("shop", "basket", "1", workflow.ByKey)
	payment := workflow.Await(w, "payment", paid, workflow.Waiting{}, nil)
	require.NoError(t, w.Register(t.Context(), pool))
	request, err := w.Request(basket{Number: 7}, workflow.StartOptions{Key: "basket 7"})
	require.NoError(t, err)

	task, delivery, err := paid.SendByKey(t.Context(), pool, request, 12)
	require.NoError(t, err)
	require.Contains(t, []executor.Delivery{executor.Delivered, executor.Kept}, delivery)
	answer, err := payment.Wait(t.Context(), pool, w.Task(task))
	require.NoError(t, err)
	require.Equal(t, 12, answer.Payload)

	request.Reason = "lost"
	_, _, err = paid.SendByKey(t.Context(), pool, request, 12)
	require.ErrorIs(t, err, executor.ErrInvalid)
	request.Reason, request.IdentityKey = "", ""
	_, _, err = paid.SendByKey(t.Context(), pool, request, 12)
	require.ErrorContains(t, err, "the request has no key")
}

// A worker runs the first step while a program waits for it, and the second one waits for a person.
func TestWait_ReturnsWhenTheStepIsComplete(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	w := workflow.New[basket]("shop", "basket", "1")
	number := workflow.Root(w, "number", func(_ context.Context, job *workflow.Job[basket]) (int, error) {
		if job.Input.Number < 0 {
			return 0, worker.Permanent(errors.New("below nothing"))
		}
		return job.Input.Number, nil
	}, workflow.Retry{Attempts: 1})
	workflow.Await(w, "approve", workflow.Signal[bool]("approved"), workflow.Waiting{}, number)
	require.NoError(t, w.Register(t.Context(), pool))
	running(t, pool, w)

	task, err := w.Start(t.Context(), pool, basket{Number: 7})
	require.NoError(t, err)
	got, err := number.Wait(t.Context(), pool, task)
	require.NoError(t, err)
	require.Equal(t, 7, got)
	id, err := number.UUID(t.Context(), pool, task)
	require.NoError(t, err)
	require.NotEqual(t, uuid.Nil, id)
	waiting, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	_, err = workflow.Optional(workflow.Root(workflow.New[basket]("shop", "other", "1"), "a",
		func(context.Context, *workflow.Job[basket]) (int, error) { return 0, nil })).Wait(waiting, pool, task)
	require.EqualError(t, err, "workflow: the step belongs to another workflow than the task")

	task, err = w.Start(t.Context(), pool, basket{Number: -1})
	require.NoError(t, err)
	_, err = number.Wait(t.Context(), pool, task)
	require.ErrorIs(t, err, executor.ErrFailed)
	require.ErrorContains(t, err, "below nothing")
	maybe, err := workflow.Optional(number).Wait(t.Context(), pool, task)
	require.NoError(t, err)
	require.False(t, maybe.OK)
}

// running runs a worker until the test ends.
func running[C any](t *testing.T, pool *pgxpool.Pool, w *workflow.Workflow[C]) {
	t.Helper()
	does, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	w.Handle(does)
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- does.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-stopped)
	})
}

// A function of a workflow is tested as one of a worker: it is of the same type. A call without a result keeps that it was made.
func TestJob_IsTheWorkers(t *testing.T) {
	t.Parallel()
	const approved = workflow.Signal[bool]("approved")
	calls := 0
	fulfil := func(ctx context.Context, job *workflow.Job[basket]) (string, error) {
		if err := worker.Do(ctx, job, "reserve", func(context.Context, uuid.UUID) error { calls++; return nil }); err != nil {
			return "", err
		}
		answer, err := worker.Await(ctx, job, approved, workflow.Waiting{})
		return fmt.Sprint(job.Input.Number, answer.Payload), err
	}
	f := workertest.NewFunction(t, fulfil, workertest.Step{Context: basket{Number: 7}})
	_, err := f.Run()
	require.ErrorIs(t, err, workertest.ErrWaiting)
	f.Signal("approved", true)
	got, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, "7 true", got)
	require.Equal(t, 1, calls)
}

func TestDoTx_TakesPartInTheTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), "create table paid (number int)")
	require.NoError(t, err)
	w := workflow.New[basket]("shop", "basket", "1")
	done := workflow.Do(w, "pay", nil, func(ctx context.Context, job *workflow.Job[basket]) error {
		return worker.DoTx(ctx, job, "insert", func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "insert into paid values ($1)", job.Input.Number)
			return err
		})
	})
	require.NoError(t, w.Register(t.Context(), pool))
	running(t, pool, w)
	task, err := w.Start(t.Context(), pool, basket{Number: 7})
	require.NoError(t, err)
	_, err = done.Wait(t.Context(), pool, task)
	require.NoError(t, err)
	var rows int
	require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from paid where number = 7").Scan(&rows))
	require.Equal(t, 1, rows)
}

func TestJSON_OfAContextThatCannotBeEncodedIsRefused(t *testing.T) {
	t.Parallel()
	w := workflow.New[map[string]any]("shop", "any", "1")
	workflow.Do(w, "a", nil, func(context.Context, *workflow.Job[map[string]any]) error { return nil })
	_, err := w.Request(map[string]any{"c": make(chan int)})
	var unsupported *json.UnsupportedTypeError
	require.ErrorAs(t, err, &unsupported)
}
