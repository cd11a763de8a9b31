// Package tested runs the Go of docs/testing.md.
package tested

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type Order struct {
	Number int `json:"number"`
	Cents  int `json:"cents"`
}

type Reservation struct {
	Shelf string `json:"shelf"`
}

type Payment struct {
	Receipt string `json:"receipt"`
}

const orderTemplate = `{"namespace": "shop", "name": "order", "steps": [
	{"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"], "retry": {"max_attempts": 3}}]}`

// database returns a pool on the tests' database, which is migrated and has the templates.
func database(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), os.Getenv("TEST_DATABASE_URL"))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.NoError(t, migrate.Up(t.Context(), pool)) // the second time it does nothing
	_, err = executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(orderTemplate))
	require.NoError(t, err)
	return pool
}

// begin returns a transaction that is rolled back when the test ends.
func begin(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tx.Rollback(context.Background())) })
	return tx
}

func reserve(_ context.Context, job *worker.Job[Order]) (Reservation, error) {
	return Reservation{Shelf: fmt.Sprint("shelf ", job.Input.Number)}, nil
}

// cashDesk is a bank that tests can close.
type cashDesk struct{ closed int }

func (c *cashDesk) charge(_ context.Context, job *worker.Job[Order]) (Payment, error) {
	reservation, err := worker.Result[Reservation](job, "reserve")
	switch {
	case err != nil:
		return Payment{}, err
	case job.Input.Cents == 0:
		return Payment{}, worker.Permanent(errors.New("nothing to pay"))
	case c.closed > 0:
		c.closed--
		return Payment{}, worker.RetryAfter(time.Hour, errors.New("the bank is closed"))
	}
	return Payment{Receipt: fmt.Sprint(job.Input.Cents, " for ", reservation.Shelf)}, nil
}

func handlers(t *testing.T, bank *cashDesk) *worker.Worker {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "reserve", reserve)
	worker.Handle(w, "charge", bank.charge)
	return w
}

func order(t *testing.T, tx pgx.Tx, number, cents int) uuid.UUID {
	t.Helper()
	task, err := executor.New(tx).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: fmt.Appendf(nil, `{"number": %d, "cents": %d}`, number, cents),
	})
	require.NoError(t, err)
	return task.TaskUUID
}

func TestCharge_IsAHandler(t *testing.T) {
	t.Parallel()
	bank := &cashDesk{}

	payment, err := workertest.Call(t, bank.charge, workertest.Step{
		Context: Order{Number: 7, Cents: 1299},
		Results: map[string]any{"reserve": Reservation{Shelf: "shelf 7"}},
		Attempt: 2,
	})

	require.NoError(t, err)
	require.Equal(t, "1299 for shelf 7", payment.Receipt)
}

func TestOrder_InATransaction(t *testing.T) {
	t.Setenv("TEST_DATABASE_URL", pgtest.URL(pgtest.NewEmpty(t)))
	pool := database(t)

	t.Run("to its end", func(t *testing.T) {
		tx := begin(t, pool)
		task := order(t, tx, 7, 1299)

		report := workertest.Run(t, tx, handlers(t, &cashDesk{closed: 1}), task)
		require.Equal(t, state.TaskComplete, report.State)
		require.Equal(t, []string{"reserve", "charge", "charge"}, report.Order) // the second attempt of charge at once
		require.Equal(t, "1299 for shelf 7", workertest.Result[Payment](t, report, "charge").Receipt)
	})

	t.Run("a failure for good", func(t *testing.T) {
		tx := begin(t, pool)
		task := order(t, tx, 8, 0)

		report := workertest.Run(t, tx, handlers(t, &cashDesk{}), task)
		require.Equal(t, state.TaskBlockedByFailures, report.State)
		require.Equal(t, "nothing to pay", *report.Step(t, "charge").LastError)
	})

	t.Run("what an operator does then", func(t *testing.T) {
		tx := begin(t, pool)
		w, task := handlers(t, &cashDesk{}), order(t, tx, 8, 0)
		report := workertest.Run(t, tx, w, task)

		e := executor.New(tx)
		_, err := e.ResolveStepManually(t.Context(), report.Step(t, "charge").WorkflowStepUUID, "paid in cash", "ada")
		require.NoError(t, err)
		require.Equal(t, state.TaskComplete, workertest.Run(t, tx, w, task).State)
	})

	t.Run("time that the test moves", func(t *testing.T) {
		tx := begin(t, pool)

		clock := workertest.FreezeClock(t, tx, time.Now())
		w, task := handlers(t, &cashDesk{closed: 1}), order(t, tx, 9, 500)
		require.Equal(t, state.TaskWaitingForRetry, workertest.RunReady(t, tx, w, task).State)
		clock.Advance(time.Hour)
		require.Equal(t, state.TaskComplete, workertest.RunReady(t, tx, w, task).State)
	})
}

func TestOrder_WithARunningWorker(t *testing.T) {
	t.Setenv("TEST_DATABASE_URL", pgtest.URL(pgtest.NewEmpty(t)))
	pool := database(t)
	task, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "order", Context: json.RawMessage(`{"number": 7, "cents": 1299}`),
	})
	require.NoError(t, err)
	w, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "reserve", reserve)
	worker.Handle(w, "charge", (&cashDesk{}).charge)

	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- w.Run(ctx) }()

	ended, err := executor.NewClient(pool).Tasks().Wait(ctx, task.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, ended.State)
	stop()
	require.NoError(t, <-stopped)
}
