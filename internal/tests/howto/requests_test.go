package howto_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func register(t *testing.T, db executor.DBTX, template string) {
	t.Helper()
	_, err := executor.New(db).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
	require.NoError(t, err)
}

func TestLater_ATaskStartsAtATime(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool, `{"namespace": "guide", "name": "reminder", "steps": [{"name": "remind"}]}`)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	ctx := t.Context()

	task, err := executor.New(tx).CreateTask(ctx, executor.TaskRequest{
		Namespace: "guide", Name: "reminder", TaskOptions: executor.TaskOptions{StartAt: time.Now().Add(2 * time.Hour)},
	})

	require.NoError(t, err)
	clock := workertest.FreezeClock(t, tx, time.Now())
	w := newWorker(t)
	worker.Handle(w, "remind", func(context.Context, *worker.Job[struct{}]) (string, error) { return "ding", nil })
	require.Equal(t, state.TaskPending, workertest.RunReady(t, tx, w, task.TaskUUID).State)
	clock.Advance(2 * time.Hour)
	require.Equal(t, state.TaskComplete, workertest.RunReady(t, tx, w, task.TaskUUID).State)
	require.NoError(t, tx.Rollback(ctx))
}

func TestWaiting_AWebhookFindsItsTaskByKey(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx := t.Context()
	register(t, pool, `{"namespace": "guide", "name": "order", "identity_strategy": "caller_provided",
		"steps": [{"name": "paid", "await": {"signal": "paid"}}]}`)
	task, err := executor.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "guide", Name: "order", IdentityKey: "A-17"})
	require.NoError(t, err)

	answer, err := executor.New(pool).SendSignalByKey(ctx,
		executor.TaskKey{Namespace: "guide", Name: "order", IdentityKey: "A-17"},
		executor.Signal{Name: "paid", Payload: json.RawMessage(`{"amount": 120}`), IdempotencyKey: "evt_1"}, nil)

	require.NoError(t, err)
	require.Equal(t, executor.Delivered, answer.Answer)
	require.Equal(t, task.TaskUUID, answer.TaskUUID)
	details, err := executor.New(pool).GetTask(ctx, task.TaskUUID)
	require.NoError(t, err)
	require.Equal(t, state.TaskComplete, details.State)
}

type Invoice struct {
	Invoice int `json:"invoice"`
}

func TestTransactions_ATaskAndItsRowAndItsWritesComeOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool, `{"namespace": "guide", "name": "invoice", "steps": [{"name": "print"}]}`)
	ctx := t.Context()
	_, err := pool.Exec(ctx, `create table invoices (number integer primary key, task_uuid uuid not null);
		create table prints (step_uuid uuid primary key, invoice integer not null)`)
	require.NoError(t, err)
	place := func() error {
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			task, err := executor.New(tx).CreateTask(ctx, executor.TaskRequest{
				Namespace: "guide", Name: "invoice", Context: json.RawMessage(`{"invoice": 7}`),
			})
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, "insert into invoices (number, task_uuid) values (7, $1)", task.TaskUUID)
			return err
		})
		return err
	}
	require.NoError(t, place())
	require.Error(t, place(), "invoice 7 is there")

	tasks, err := executor.New(pool).ListTasks(ctx, sqlfn.ListTasksParams{})
	require.NoError(t, err)
	require.Len(t, tasks, 1)

	db, w := pool, newWorker(t)
	worker.Handle(w, "print", func(ctx context.Context, job *worker.Job[Invoice]) (int, error) {
		_, err := db.Exec(ctx, "insert into prints (step_uuid, invoice) values ($1, $2) on conflict do nothing",
			job.StepUUID, job.Input.Invoice)
		return job.Input.Invoice, err
	})
	report := workertest.Run(t, pool, w, tasks[0].TaskUUID)
	require.Equal(t, 7, workertest.Result[int](t, report, "print"))

	next, err := executor.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "guide", Name: "invoice", Context: json.RawMessage(`{"invoice": 8}`)})
	require.NoError(t, err)
	w = newWorker(t)
	worker.HandleTx(w, "print", func(ctx context.Context, tx pgx.Tx, job *worker.Job[Invoice]) (int, error) {
		// The transaction in which the result of this step is recorded.
		_, err := tx.Exec(ctx, "insert into prints (step_uuid, invoice) values ($1, $2)", job.StepUUID, job.Input.Invoice)
		return job.Input.Invoice, err
	})
	report = workertest.Run(t, pool, w, next.TaskUUID)
	require.Equal(t, 8, workertest.Result[int](t, report, "print"))
	var prints int
	require.NoError(t, pool.QueryRow(ctx, "select count(*) from prints").Scan(&prints))
	require.Equal(t, 2, prints)
}

func TestIdempotency_AKeyFindsTheTask(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	register(t, db, `{"namespace": "guide", "name": "webhook", "identity_strategy": "caller_provided", "steps": [{"name": "deliver"}]}`)
	ctx := t.Context()
	var out bytes.Buffer
	fmt := printer{&out}
	err := func() error {
		request := executor.TaskRequest{Namespace: "guide", Name: "webhook", IdentityKey: "event-44"}
		first, err := executor.New(db).CreateTask(ctx, request)
		if err != nil {
			return err
		}
		second, err := executor.New(db).CreateTask(ctx, request)
		if err != nil {
			return err
		}
		fmt.Println(first.TaskUUID == second.TaskUUID, first.Created, second.Created) // true true false
		return nil
	}()
	require.NoError(t, err)
	require.Equal(t, "true true false\n", out.String())
}

// printer has the output of the excerpts.
type printer struct{ out *bytes.Buffer }

func (p printer) Println(values ...any) { _, _ = fmt.Fprintln(p.out, values...) }

func TestMonitoring_HealthIsANumber(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	var out bytes.Buffer
	fmt := printer{&out}
	err := func() error {
		counts, err := executor.New(db).GetSystemHealthCounts(ctx)
		if err != nil {
			return err
		}
		fmt.Println(counts.HealthScore() > 0.9, counts.IsUnderHeavyLoad())
		return nil
	}()
	require.NoError(t, err)
	require.Equal(t, "true false\n", out.String())
}
