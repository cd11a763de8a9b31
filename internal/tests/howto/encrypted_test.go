package howto_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

// docs/howto/encrypted.md
func TestEncrypted_HandlersSeeWhatTheDatabaseDoesNot(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	register(t, pool, `{"namespace": "guide", "name": "claim", "version": "1.0.0", "encrypted": {"clear": ["customer"]}, "steps": [{"name": "pay"}]}`)
	var task uuid.UUID
	var w *worker.Worker
	require.NoError(t, claims(t.Context(), pool, bytes.Repeat([]byte("k"), 32), bytes.Repeat([]byte("h"), 32), func(made uuid.UUID, runs *worker.Worker) {
		task, w = made, runs
	}))
	var stored string
	require.NoError(t, pool.QueryRow(t.Context(), "select t.context::text from tasker.tasks as t where t.task_uuid = $1", task).Scan(&stored))
	require.NotContains(t, stored, "4111")
	require.Contains(t, stored, `"customer": 7`)
	require.Equal(t, state.TaskComplete, workertest.Run(t, pool, w, task).State)
}

// claims creates a task and makes the worker that runs it.
func claims(ctx context.Context, pool *pgxpool.Pool, encryptingKey, hashingKey []byte, made func(uuid.UUID, *worker.Worker)) error {
	keys, err := codec.NewKeys("2026-11", map[string][]byte{"2026-11": encryptingKey, codec.HashKey: hashingKey})
	if err != nil {
		return err
	}
	client := executor.NewClient(executor.WithCodec(pool, keys))
	task, err := client.Tasks().Create(ctx, executor.TaskRequest{
		Namespace: "guide", Name: "claim", Context: json.RawMessage(`{"customer": 7, "card": "4111 1111"}`),
	})
	if err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{Codec: keys})
	if err != nil {
		return err
	}
	worker.Handle(w, "pay", func(_ context.Context, job *worker.Job[map[string]any]) (string, error) {
		return "paid with " + job.Input["card"].(string), nil
	})
	made(task.TaskUUID, w)
	return nil
}
