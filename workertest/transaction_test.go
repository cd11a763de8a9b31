package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func books(ctx context.Context, tx pgx.Tx, job *worker.Job[struct{ Fail bool }]) (int, error) {
	if _, err := tx.Exec(ctx, "insert into public.bookings values ($1)", job.Attempt); err != nil {
		return 0, err
	}
	if job.Input.Fail {
		return 0, errors.New("no stock")
	}
	return job.Attempt, nil
}

func TestRun_HandlersWithATransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), "create table public.bookings (attempt integer)")
	require.NoError(t, err)
	for _, inTx := range []bool{true, false} { // Only the second one commits.
		name := map[bool]string{true: "in a transaction", false: "on a pool"}[inTx]
		t.Run(name, func(t *testing.T) {
			var db interface {
				executor.DBTX
				Begin(ctx context.Context) (pgx.Tx, error)
			} = pool
			if inTx {
				tx, err := pool.Begin(t.Context())
				require.NoError(t, err)
				defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
				db = tx
			}
			e := executor.New(db)
			request := executor.TaskRequest{Namespace: "shop", Name: "in_tx_" + fmt.Sprint(inTx), Context: []byte(`{"Fail": false}`)}
			_, err := e.RegisterTaskTemplate(t.Context(), fmt.Appendf(nil, `{"namespace": "shop", "name": %q, "identity_strategy": "always_unique",
				"steps": [{"name": "book"}, {"name": "tell", "dependencies": ["book"]}]}`, request.Name))
			require.NoError(t, err)
			w, err := worker.New(nil, worker.Config{})
			require.NoError(t, err)
			cancel := false
			worker.HandleTx(w, "book", func(ctx context.Context, tx pgx.Tx, job *worker.Job[struct{ Fail bool }]) (int, error) {
				n, err := books(ctx, tx, job)
				switch {
				case cancel:
					_, err = executor.New(db).CancelTask(ctx, job.TaskUUID, "", "")
				case job.Attempt == 1:
					err = errors.New("not yet")
				}
				return n, err
			})
			worker.Handle(w, "tell", func(_ context.Context, job *worker.Job[struct{}]) (int, error) {
				return worker.Result[int](job, "book")
			})
			task, err := e.CreateTask(t.Context(), request)
			require.NoError(t, err)
			report := workertest.Run(t, db, w, task.TaskUUID)
			require.Equal(t, state.TaskComplete, report.State, report.String())
			require.Equal(t, 2, workertest.Result[int](t, report, "tell"))
			require.Equal(t, []string{"book", "book", "tell"}, report.Order)
			var bookings []int
			require.NoError(t, db.QueryRow(t.Context(), "select array_agg(attempt) from public.bookings").Scan(&bookings))
			require.Equal(t, []int{2}, bookings, "what the first attempt wrote is rolled back")

			if !inTx { // A savepoint would roll the cancellation back, too.
				cancel = true
				task, err = e.CreateTask(t.Context(), request)
				require.NoError(t, err)
				report = workertest.Run(t, db, w, task.TaskUUID)
				require.Equal(t, state.TaskCancelled, report.State, report.String())
				require.NoError(t, db.QueryRow(t.Context(), "select array_agg(attempt) from public.bookings").Scan(&bookings))
				require.Equal(t, []int{2}, bookings, "the result of a cancelled step is refused")
			}
		})
	}
}

func TestCallTx_KeepsWritesOfAResultOnly(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), "create table public.bookings (attempt integer)")
	require.NoError(t, err)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
	_, err = workertest.CallTx(t, tx, books, workertest.Step{Context: map[string]bool{"Fail": true}, Attempt: 1})
	require.EqualError(t, err, "no stock")
	n, err := workertest.CallTx(t, tx, books, workertest.Step{Attempt: 2})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	var bookings []int
	require.NoError(t, tx.QueryRow(t.Context(), "select array_agg(attempt) from public.bookings").Scan(&bookings))
	require.Equal(t, []int{2}, bookings)
}
