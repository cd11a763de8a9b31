package otelworker_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/worker/otelworker"
)

// What docs/worker.md shows.

func newWorker(pool *pgxpool.Pool) (*worker.Worker, error) {
	w, err := worker.New(pool, worker.Config{})
	if err != nil {
		return nil, err
	}
	err = otelworker.Instrument(w, otelworker.Config{}) // the global providers, unless it names others
	return w, err
}

func placeOrder(ctx context.Context, tx pgx.Tx, order json.RawMessage) (executor.TaskCreation, error) {
	request := executor.TaskRequest{Namespace: "shop", Name: "job", Context: order}
	if err := otelworker.Inject(ctx, &request.TaskOptions); err != nil {
		return executor.TaskCreation{}, err
	}
	return executor.New(tx).CreateTask(ctx, request)
}

func TestInject_InTheCallersTransaction(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, err := newWorker(l.pool)
	require.NoError(t, err)

	ctx, span := l.tracer.Tracer("shop").Start(t.Context(), "POST /orders")
	tx, err := l.pool.Begin(ctx)
	require.NoError(t, err)
	created, err := placeOrder(ctx, tx, json.RawMessage(`{"order": 7}`))
	require.NoError(t, err)
	require.NoError(t, tx.Commit(ctx))
	span.End()

	var headers map[string]string
	require.NoError(t, l.pool.QueryRow(t.Context(), "select headers from tasker.tasks where task_uuid = $1", created.TaskUUID).Scan(&headers))
	require.Contains(t, headers["traceparent"], span.SpanContext().TraceID().String()+"-"+span.SpanContext().SpanID().String())
}
