package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

type bill struct{ Amount int }

type approval struct{ OK bool }

// bank charges once for each key.
type bank struct {
	charged map[uuid.UUID]int
	calls   int
	fails   int // the first calls
}

func (b *bank) charge(key uuid.UUID, amount int) (string, error) {
	b.calls++
	if b.calls <= b.fails {
		return "", errors.New("busy")
	}
	if b.charged == nil {
		b.charged = map[uuid.UUID]int{}
	}
	b.charged[key] = amount
	return fmt.Sprintf("receipt for %d", amount), nil
}

func collect(b *bank) worker.Handler[bill, string] {
	return func(ctx context.Context, job *worker.Job[bill]) (string, error) {
		began := worker.Now(ctx, job)
		answer, err := worker.Await(ctx, job, worker.Signal[approval]("approved"), worker.Waiting{Timeout: 3 * 24 * time.Hour})
		switch {
		case err != nil:
			return "", err
		case answer.By == "timeout":
			return "no answer", nil
		case !answer.Payload.OK:
			return "refused", nil
		}
		worker.Sleep(ctx, job, 24*time.Hour)
		receipt, err := worker.Once(ctx, job, "charge", func(_ context.Context, key uuid.UUID) (string, error) {
			return b.charge(key, job.Input.Amount)
		})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s after %s", receipt, worker.Now(ctx, job).Sub(began)), nil
	}
}

func TestFunction_MovesTimeAndTakesSignals(t *testing.T) {
	t.Parallel()
	b := &bank{fails: 1}
	f := workertest.NewFunction(t, collect(b), workertest.Step{Context: bill{Amount: 12}})
	_, err := f.Run()
	require.ErrorIs(t, err, workertest.ErrWaiting)
	require.Equal(t, []string{"approved"}, f.Waiting())
	f.Advance(time.Hour)
	f.Signal("approved", approval{OK: true})
	receipt, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, "receipt for 12 after 25h0m0s", receipt)
	require.Equal(t, []string{"$now", "$await.approved", "$sleep", "charge", "$now"}, f.Kept())
	require.Equal(t, 4, f.Runs(), "it waited, slept, and the bank was busy")
	require.Equal(t, 2, b.calls)
}

// Case: test_wrong_input, which compiles, since a context may be of any type.
func TestFunction_RefusesAContextOfAnotherType(t *testing.T) {
	t.Parallel()
	f := workertest.NewFunction(t, collect(&bank{}), workertest.Step{Context: approval{OK: true}})
	_, err := f.Run()
	require.ErrorContains(t, err, "does not fit workertest_test.bill: the object has none of the type's fields, which are Amount")
	require.Empty(t, f.Kept(), "no call was made")
}

func TestFunction_TimesOut(t *testing.T) {
	t.Parallel()
	f := workertest.NewFunction(t, collect(&bank{}), workertest.Step{Context: bill{Amount: 12}})
	_, err := f.Run()
	require.ErrorIs(t, err, workertest.ErrWaiting)
	f.Advance(3 * 24 * time.Hour)
	receipt, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, "no answer", receipt)
}

func TestFunction_ReturnsTheErrorOfTheLastAttempt(t *testing.T) {
	t.Parallel()
	b := &bank{fails: 100}
	f := workertest.NewFunction(t, collect(b), workertest.Step{Context: bill{Amount: 12}})
	f.Signal("approved", approval{OK: true})
	_, err := f.Run()
	var kept *worker.KeptError
	require.ErrorAs(t, err, &kept)
	require.Equal(t, "busy", kept.Text)
	require.Equal(t, 3, b.calls)
}

func TestFunction_ASnoozeSpendsNoAttemptAndLetsTimePass(t *testing.T) {
	t.Parallel()
	b := &bank{}
	charges := 0
	f := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[bill]) (string, error) {
		receipt, err := worker.Once(ctx, job, "charge", func(_ context.Context, key uuid.UUID) (string, error) { return b.charge(key, job.Input.Amount) })
		if charges++; charges < 4 {
			return "", fmt.Errorf("at the bank: %w", worker.Snooze(time.Hour, "it is closed"))
		}
		return fmt.Sprintf("%s at attempt %d", receipt, job.Attempt), err
	}, workertest.Step{Context: bill{Amount: 12}, MaxAttempts: 1})
	before := f.Now()
	receipt, err := f.Run()
	require.NoError(t, err)
	require.Contains(t, receipt, "at attempt 1")
	require.Equal(t, 4, f.Runs())
	require.Equal(t, 1, b.calls, "what is kept is not done again")
	require.Equal(t, 3*time.Hour, f.Now().Sub(before))
}

func TestFunction_SaysThatItDiffersFromRunToRun(t *testing.T) {
	t.Parallel()
	runs := 0
	f := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[bill]) (string, error) {
		runs++
		_, err := worker.Once(ctx, job, fmt.Sprintf("call.%d", runs), func(context.Context, uuid.UUID) (int, error) { return 1, nil })
		worker.Sleep(ctx, job, time.Hour)
		return "done", err
	}, workertest.Step{Context: bill{Amount: 12}})
	_, err := f.Run()
	require.EqualError(t, err, `as its call 1 the function asks for "call.2", but "call.1" is kept there`)
}

func TestFunction_Continues(t *testing.T) {
	t.Parallel()
	f := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[bill]) (int, error) {
		var n int
		if _, err := job.State(&n); err != nil || n == 3 {
			return n, err
		}
		worker.Sleep(ctx, job, time.Hour)
		worker.ContinueAs(ctx, job, n+1)
		return 0, nil
	}, workertest.Step{Context: bill{Amount: 12}})
	began := f.Now()
	n, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, 3*time.Hour, f.Now().Sub(began))
	require.Empty(t, f.Kept())
}

func TestCrashEverywhere_LosesTheWorkerAtEachPlace(t *testing.T) {
	t.Parallel()
	places := 0
	var b *bank
	workertest.CrashEverywhere(t, func(t *testing.T) *workertest.Function[bill, string] {
		b = &bank{}
		f := workertest.NewFunction(t, collect(b), workertest.Step{Context: bill{Amount: 12}})
		f.Signal("approved", approval{OK: true})
		return f
	}, func(t *testing.T, f *workertest.Function[bill, string], receipt string, err error) {
		places++
		require.NoError(t, err)
		require.Equal(t, "receipt for 12 after 24h0m0s", receipt)
		require.Len(t, b.charged, 1, "every call of the bank has the same key")
	})
	require.Equal(t, 1+9, places, "before and after each of the five, but that a sleep is no call that could be lost after it")
}

func TestRun_LetsSleepsOfFunctionsPassWhateverTheirLength(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "shop", "name": "nap", "identity_strategy": "always_unique", "steps": [{"name": "nap"}]}`))
	require.NoError(t, err)
	for what, length := range map[string]time.Duration{"a moment": time.Second, "a day": 24 * time.Hour, "no time": 0, "less": -time.Hour} {
		for _, until := range []bool{false, true} {
			w, err := worker.New(nil, worker.Config{})
			require.NoError(t, err)
			runs := 0
			nap := func(ctx context.Context, job *worker.Job[bill]) (string, error) {
				runs++
				if until {
					worker.SleepUntil(ctx, job, worker.Now(ctx, job).Add(length))
				} else {
					worker.Sleep(ctx, job, length)
				}
				return "done", nil
			}
			worker.Handle(w, "nap", nap)
			task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "nap", Context: []byte(`{"Amount": 1}`)})
			require.NoError(t, err)
			report := workertest.Run(t, pool, w, task.TaskUUID)
			require.Equal(t, state.TaskComplete, report.State, "%s: %s", what, report)
			require.Equal(t, 1, runs, what)

			f := workertest.NewFunction(t, nap, workertest.Step{Context: bill{}})
			began := f.Now()
			_, err = f.Run()
			require.NoError(t, err)
			require.Equal(t, max(length, 0), f.Now().Sub(began), what)
			if length > 0 {
				require.Equal(t, 2, f.Runs(), "it is suspended, and runs again")
			} else {
				require.Equal(t, 1, f.Runs(), "it goes on at once")
			}
		}
	}
}

func TestRun_RunsDurableFunctions(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	_, err = tx.Exec(t.Context(), "create table public.receipts (amount integer)")
	require.NoError(t, err)
	e := executor.New(tx)
	_, err = e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "shop", "name": "bill", "steps": [{"name": "collect"}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "bill", Context: []byte(`{"Amount": 12}`)})
	require.NoError(t, err)
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "collect", func(ctx context.Context, job *worker.Job[bill]) (string, error) {
		began := worker.Now(ctx, job)
		answer, err := worker.Await(ctx, job, worker.Signal[approval]("approved"), worker.Waiting{When: "$.OK == true"})
		if err != nil {
			return "", err
		}
		worker.Sleep(ctx, job, 24*time.Hour)
		worker.Sleep(ctx, job, time.Second)
		_, err = worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
			_, err := tx.Exec(ctx, "insert into public.receipts values ($1)", job.Input.Amount)
			return job.Input.Amount, err
		})
		return fmt.Sprintf("%v after %s", answer.Payload.OK, worker.Now(ctx, job).Sub(began)), err
	})
	clock := workertest.FreezeClock(t, tx, time.Now().Truncate(time.Second).Add(time.Second))
	report := clock.Run(w, task.TaskUUID)
	require.Equal(t, []string{"collect"}, report.Waiting)
	require.Equal(t, executor.Kept, workertest.Signal(t, tx, task.TaskUUID, "approved", approval{}))
	require.Equal(t, executor.Delivered, workertest.Signal(t, tx, task.TaskUUID, "approved", approval{OK: true}))
	report = clock.Run(w, task.TaskUUID)
	require.Equal(t, state.TaskComplete, report.State, report)
	require.Equal(t, "true after 24h0m1s", workertest.Result[string](t, report, "collect"))
	var booked int
	require.NoError(t, tx.QueryRow(t.Context(), "select sum(amount) from public.receipts").Scan(&booked))
	require.Equal(t, 12, booked)
}

func TestFunction_TakesEventsByNameAndKey(t *testing.T) {
	t.Parallel()
	f := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[struct{}]) (int, error) {
		sum := 0
		for range 2 {
			answer, err := worker.Await(ctx, job, worker.Event[int]("paid").About("17"), worker.Waiting{})
			if err != nil {
				return 0, err
			}
			sum += answer.Payload
		}
		return sum, nil
	}, workertest.Step{})
	f.Event("paid", "18", 1000)
	f.Signal("paid", 100)
	f.Event("paid", "17", 1)
	_, err := f.Run()
	require.ErrorIs(t, err, workertest.ErrWaiting)
	f.Event("paid", "17", 2)
	sum, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, 3, sum)
}

func TestFunction_KnowsWhenASignalAndAnEventWereSent(t *testing.T) {
	type sent struct{ Signal, Event, Timeout time.Time }
	f := workertest.NewFunction(t, func(ctx context.Context, job *worker.Job[bill]) (times sent, err error) {
		signal, err := worker.Await(ctx, job, worker.Signal[approval]("approved"), worker.Waiting{})
		if err != nil {
			return times, err
		}
		event, err := worker.Await(ctx, job, worker.Event[int]("opened").About("XETRA"), worker.Waiting{})
		if err != nil {
			return times, err
		}
		timeout, err := worker.Await(ctx, job, worker.Signal[approval]("never"), worker.Waiting{Timeout: time.Hour})
		return sent{signal.SentAt, event.SentAt, timeout.SentAt}, err
	}, workertest.Step{Context: bill{Amount: 12}})
	began := f.Now()
	f.Event("opened", "XETRA", 1)
	f.Advance(time.Minute)
	_, err := f.Run()
	require.ErrorIs(t, err, workertest.ErrWaiting)
	f.Signal("approved", approval{OK: true})
	f.Advance(time.Hour)
	_, err = f.Run()
	require.ErrorIs(t, err, workertest.ErrWaiting, "it waits for a signal that does not come")
	f.Advance(time.Hour)
	times, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, sent{Signal: began.Add(time.Minute), Event: began}, times, "an answer has the time of sending, and none if time ended the wait")
}
