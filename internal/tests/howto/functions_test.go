package howto_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
	"github.com/pgtasker/pgtasker/workflow"
)

type Purchase struct {
	Number int
	Amount int
}

type Approval struct{ OK bool }

// Bank charges once for each key.
type Bank struct{ charged map[uuid.UUID]int }

func (b *Bank) Charge(_ context.Context, amount int, key uuid.UUID) (string, error) {
	if amount < 0 {
		return "", worker.Permanent(errors.New("the amount is below zero"))
	}
	b.charged[key] = amount
	return "receipt", nil
}

func (b *Bank) Refund(_ context.Context, _ int, key uuid.UUID) (string, error) {
	delete(b.charged, key)
	return "refunded", nil
}

var bank = &Bank{charged: map[uuid.UUID]int{}}

func fulfil(ctx context.Context, job *worker.Job[Purchase]) (string, error) {
	receipt, err := worker.Once(ctx, job, "charge", func(ctx context.Context, key uuid.UUID) (string, error) {
		return bank.Charge(ctx, job.Input.Amount, key)
	})
	if err != nil {
		return "", err
	}

	answer, err := worker.Await(ctx, job, worker.Signal[Approval]("approved"), worker.Waiting{Timeout: 3 * 24 * time.Hour})
	if err != nil {
		return "", err
	}
	if !answer.Payload.OK { // refused, or not answered in time
		return worker.Once(ctx, job, "refund", func(ctx context.Context, key uuid.UUID) (string, error) {
			return bank.Refund(ctx, job.Input.Amount, key)
		})
	}

	worker.Sleep(ctx, job, 24*time.Hour)
	_, err = worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
		_, err := tx.Exec(ctx, "insert into bookings (number, receipt) values ($1, $2)", job.Input.Number, receipt)
		return job.Input.Number, err
	})
	return receipt, err
}

func TestFunctions_SurviveEveryCrash(t *testing.T) {
	workertest.CrashEverywhere(t, func(t *testing.T) *workertest.Function[Purchase, string] {
		bank = &Bank{charged: map[uuid.UUID]int{}}
		f := workertest.NewFunction(t, fulfil, workertest.Step{Context: Purchase{Number: 7, Amount: 12}})
		f.DB = bookings(t)
		f.Signal("approved", Approval{OK: true})
		return f
	}, func(t *testing.T, f *workertest.Function[Purchase, string], receipt string, err error) {
		require.NoError(t, err)
		require.Equal(t, "receipt", receipt)
		require.Len(t, bank.charged, 1)
		require.Equal(t, []string{"charge", "$await.approved", "$sleep", "book"}, f.Kept())
	})
}

func bookings(t *testing.T) pgx.Tx {
	tx, err := pgtest.New(t).Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	_, err = tx.Exec(t.Context(), "create table bookings (number integer, receipt text)")
	require.NoError(t, err)
	return tx
}

// Usage is what a subscription is charged for.
type Usage struct {
	Month int
	Total int
}

func subscription(ctx context.Context, job *worker.Job[Purchase]) (int, error) {
	var usage Usage
	if _, err := job.State(&usage); err != nil {
		return 0, err
	}

	worker.Sleep(ctx, job, 30*24*time.Hour)
	_, err := worker.Once(ctx, job, "charge", func(ctx context.Context, key uuid.UUID) (string, error) {
		return bank.Charge(ctx, job.Input.Amount, key)
	})
	if err != nil {
		return usage.Total, err
	}
	usage.Month++
	usage.Total += job.Input.Amount
	if usage.Month == 12 {
		return usage.Total, nil
	}

	worker.ContinueAs(ctx, job, usage)
	return 0, nil // not reached
}

func TestFunctions_LoopForEver(t *testing.T) {
	bank = &Bank{charged: map[uuid.UUID]int{}}
	f := workertest.NewFunction(t, subscription, workertest.Step{Context: Purchase{Amount: 12}})
	began := f.Now()
	total, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, 144, total)
	require.Len(t, bank.charged, 12, "each month has a key of its own")
	require.Equal(t, 360*24*time.Hour, f.Now().Sub(began))
}

func changed(ctx context.Context, job *worker.Job[Purchase]) (string, error) {
	if worker.Changed(ctx, job, "check-fraud") {
		_, err := worker.Once(ctx, job, "fraud", func(ctx context.Context, key uuid.UUID) (bool, error) {
			return true, nil
		})
		if err != nil {
			return "", err
		}
	}
	return worker.Once(ctx, job, "charge", func(ctx context.Context, key uuid.UUID) (string, error) {
		return bank.Charge(ctx, job.Input.Amount, key)
	})
}

func TestFunctions_LetNewCodeIn(t *testing.T) {
	bank = &Bank{charged: map[uuid.UUID]int{}}
	f := workertest.NewFunction(t, changed, workertest.Step{Context: Purchase{Amount: 12}})
	_, err := f.Run()
	require.NoError(t, err)
	require.Equal(t, []string{"$changed.check-fraud", "fraud", "charge"}, f.Kept())
}

func TestFunctions_AreStepsOfWorkflows(t *testing.T) {
	t.Parallel()
	order := workflow.New[Purchase]("guide", "purchase", "1.0.0")
	done := workflow.Root(order, "remind", func(ctx context.Context, job *workflow.Job[Purchase]) (string, error) {
		began := worker.Now(ctx, job)
		worker.Sleep(ctx, job, time.Millisecond)
		return worker.Now(ctx, job).Sub(began).Truncate(time.Hour).String(), nil
	})
	report := workertest.RunWorkflow(t, pgtest.New(t), order, Purchase{Number: 7})
	require.Equal(t, "0s", workertest.ResultOf(t, report, done))
}
