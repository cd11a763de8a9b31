package howto_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

type Order struct {
	Customer string `json:"customer"`
	Number   int    `json:"order"`
}

type Reservation struct {
	Shelf string `json:"shelf"`
	Cents int    `json:"cents"`
}

const orders = `{"namespace": "shop", "name": "order", "steps": [{"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"]}]}`

func reserve(context.Context, *worker.Job[Order]) (Reservation, error) {
	return Reservation{Shelf: "7", Cents: 1299}, nil
}

type shelfBank struct{}

func (shelfBank) Charge(_ context.Context, _ uuid.UUID, order Order, shelf string) (Payment, error) {
	if order.Number != 7 {
		return Payment{}, errors.New("another order")
	}
	return Payment{Card: "for shelf " + shelf}, nil
}

func TestHandlers_ATaskInATransactionAndAWorker(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	err := migrate.Up(t.Context(), pool)
	require.NoError(t, err, "a second Up does nothing")
	register(t, pool, orders)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)

	task, err := executor.New(tx).CreateTask(ctx, executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"order": 7}`),
	})

	require.NoError(t, err)
	require.NoError(t, tx.Commit(ctx))
	var bank shelfBank

	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}})

	require.NoError(t, err)
	worker.Handle(w, "reserve", reserve)

	worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[Order]) (Payment, error) {
		reservation, err := worker.Result[Reservation](job, "reserve") // of a step that it depends on
		if err != nil {
			return Payment{}, err // tried again, by the template's policy; worker.Permanent(err) is not
		}
		return bank.Charge(ctx, job.StepUUID, job.Input, reservation.Shelf)
	})

	waited := make(chan string, 1)
	go func() {
		defer stop()
		waited <- outcome(t, pool, task.TaskUUID)
	}()

	err = w.Run(ctx) // until ctx ends; then running steps finish, the others are handed back

	require.NoError(t, err)
	require.Equal(t, "complete", <-waited)
	step, err := executor.New(pool).ListSteps(t.Context(), task.TaskUUID)
	require.NoError(t, err)
	require.JSONEq(t, `{"card": "for shelf 7"}`, string(step[1].Results))
}

func TestReadme_MigratesAtEachStart(t *testing.T) {
	ctx := t.Context()
	t.Setenv("DATABASE_URL", pgtest.URL(pgtest.NewEmpty(t)))

	db, err := pgtasker.Open(ctx, os.Getenv("DATABASE_URL"))

	require.NoError(t, err)
	defer db.Close()

	err = db.Migrate(ctx) // under an advisory lock: call it at every start

	require.NoError(t, err)
	_, err = db.Tasks().Get(ctx, uuid.New())
	require.ErrorIs(t, err, executor.ErrNotFound)
}

type Email struct {
	To string `json:"to"`
}

func TestReadme_TasklibSubmitsAndWorks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	client := tasklib.NewClient(pool, tasklib.Config{})
	sendEmail := func(_ context.Context, e Email) (string, error) {
		defer stop()
		return "sent to " + e.To, nil
	}

	var err error
	send := tasklib.MustRegister(client, "send_email", sendEmail, tasklib.Options{MaxRetries: 5})
	err = client.Sync(ctx) // once: registers the name; a worker does it when it starts

	require.NoError(t, err)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)

	s, err := send.Submit(ctx, tx, Email{To: "someone@example.org"}) // in your transaction

	require.NoError(t, err)
	require.NoError(t, tx.Commit(ctx))

	err = client.NewWorker(tasklib.WorkerConfig{Concurrency: 10}).Run(ctx) // in a worker process

	require.NoError(t, err)
	_, text, err := send.Get(t.Context(), pool, s.ID)
	require.NoError(t, err)
	require.Equal(t, "sent to someone@example.org", text)
}

type mail struct {
	MessageID string `json:"message_id"`
}

func TestTasklibPage_RegistersSubmitsAndLooks(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	sendEmail := func(_ context.Context, e Email) (mail, error) {
		defer stop()
		return mail{MessageID: "for " + e.To}, nil
	}

	client := tasklib.NewClient(pool, tasklib.Config{})
	send := tasklib.MustRegister(client, "send_email", sendEmail, tasklib.Options{MaxRetries: 5, Timeout: 30 * time.Second})
	err := client.Sync(ctx) // once: registers the name, so that it can be submitted before a worker has started

	require.NoError(t, err)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)

	s, err := send.Submit(ctx, tx, Email{To: "someone@example.org"}) // exists when tx commits

	require.NoError(t, err)
	require.NoError(t, tx.Commit(ctx))

	err = client.NewWorker(tasklib.WorkerConfig{Concurrency: 10}).Run(ctx) // until ctx ends

	require.NoError(t, err)
	ctx = t.Context()

	_, receipt, err := send.Get(ctx, pool, s.ID)

	require.NoError(t, err)
	require.Equal(t, "for someone@example.org", receipt.MessageID)
}

type centsBank struct{}

func (centsBank) Charge(_ context.Context, customer string, _ int, key uuid.UUID) (Payment, error) {
	if customer == "" || key == uuid.Nil {
		return Payment{}, errors.New("whom to charge, and for what?")
	}
	return Payment{Card: "of " + customer}, nil
}

func TestWorkerPage_RunsAWorker(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool, orders)
	task, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"customer": "Ada"}`),
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var bank centsBank
	waited := make(chan string, 1)
	go func() {
		defer stop()
		waited <- outcome(t, pool, task.TaskUUID)
	}()

	require.NoError(t, func() error {
		w, err := worker.New(pool, worker.Config{}) // the zero value works
		if err != nil {
			return err
		}

		worker.Handle(w, "reserve", reserve)

		worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[Order]) (Payment, error) {
			reservation, err := worker.Result[Reservation](job, "reserve")
			if err != nil {
				return Payment{}, err
			}
			return bank.Charge(ctx, job.Input.Customer, reservation.Cents, job.StepUUID)
		})

		return w.Run(ctx) // until ctx ends
	}())
	require.Equal(t, "complete", <-waited)
}

func TestWorkerPage_PollsBehindAPooler(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)

	config := worker.Config{PollOnly: true, PollInterval: 500 * time.Millisecond}

	w, err := worker.New(pool, config)
	require.NoError(t, err)
	worker.Handle(w, "a", done)
	running(t, w)
	require.Equal(t, "complete", outcome(t, pool, create(t, pool, `[{"name": "a"}]`, `{}`)))
}

// histogram remembers which handler was timed, and how it went.
type histogram struct{ recorded []string }

func (h *histogram) Record(handler string, took time.Duration, err error) {
	if took >= 0 && err == nil {
		h.recorded = append(h.recorded, handler)
	}
}

func TestWorkerPage_MiddlewareTimesHandlers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task := create(t, pool, `[{"name": "a"}]`, `{}`)
	w, durations := newWorker(t), &histogram{}
	worker.Handle(w, "a", done)

	w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			start := time.Now()
			raw, err := next(ctx, step)
			durations.Record(step.Handler, time.Since(start), err)
			return raw, err
		}
	})

	workertest.Run(t, pool, w, task)
	require.Equal(t, []string{"a"}, durations.recorded)
}

func TestWorkerPage_TestsHandlers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool, orders)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	task, err := executor.New(tx).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"customer": "Ada"}`),
	})
	require.NoError(t, err)
	charge := func(_ context.Context, job *worker.Job[Order]) (Payment, error) {
		reservation, err := worker.Result[Reservation](job, "reserve")
		return Payment{Card: strings.Repeat("*", reservation.Cents/1000)}, err
	}
	w := newWorker(t)
	worker.Handle(w, "reserve", reserve)
	worker.Handle(w, "charge", charge)

	payment, err := workertest.Call(t, charge, workertest.Step{ // one handler, no database
		Context: Order{Customer: "Ada"},
		Results: map[string]any{"reserve": Reservation{Cents: 1299}},
	})

	require.NoError(t, err)
	require.Equal(t, "*", payment.Card)

	report := workertest.Run(t, tx, w, task.TaskUUID) // a whole task, in a transaction
	require.Equal(t, state.TaskComplete, report.State)

	require.NoError(t, tx.Rollback(t.Context()))
}

func TestWorkerPage_StopsWhereAPersonIsNeeded(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.New(t)
	register(t, pool, `{"namespace": "shop", "name": "order", "steps": [{"name": "reserve"},
	  {"name": "approve", "dependencies": ["reserve"]}]}`)
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	task, err := executor.New(tx).CreateTask(ctx, executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"customer": "Ada"}`),
	})
	require.NoError(t, err)
	w := newWorker(t)
	worker.Handle(w, "reserve", reserve)

	report := workertest.Run(t, tx, w, task.TaskUUID)
	require.Equal(t, []string{"approve"}, report.Waiting)

	_, err = executor.New(tx).CompleteStepByName(ctx, task.TaskUUID, "approve", executor.StepCompletion{
		Results: json.RawMessage(`{"approved": true}`),
	})
	report = workertest.Run(t, tx, w, task.TaskUUID)

	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, report.State)
	require.NoError(t, tx.Rollback(ctx))
}

func TestWorkerPage_RequiresFields(t *testing.T) {
	t.Parallel()
	type Charged struct {
		Receipt string `json:"receipt" tasker:"required"`
	}

	ship := func(_ context.Context, job *worker.Job[struct{}]) (string, error) {
		charged, err := worker.Result[Charged](job, "charge")
		return charged.Receipt, err
	}
	_, err := workertest.Call(t, ship, workertest.Step{Results: map[string]any{"charge": map[string]int{"cents": 1}}})
	require.ErrorIs(t, err, worker.ErrMisfit)
	receipt, err := workertest.Call(t, ship, workertest.Step{Results: map[string]any{"charge": map[string]string{"receipt": "r1"}}})
	require.NoError(t, err)
	require.Equal(t, "r1", receipt)
}
