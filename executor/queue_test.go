package executor_test

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestQueue_SendReadAndMeasure(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	queue := executor.New(pool)
	_, err := queue.EnsureTaskQueue(t.Context(), "worker_a_queue")
	require.NoError(t, err)

	delay := int32(60)
	ids, err := queue.PgmqSendBatchWithNotify(t.Context(), sqlfn.PgmqSendBatchWithNotifyParams{
		QueueName: "worker_a_queue",
		Messages:  []json.RawMessage{json.RawMessage(`{"n": 1}`), json.RawMessage(`{"n": 2}`)},
		Headers:   []json.RawMessage{json.RawMessage(`{"h": 1}`), nil},
	})
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2}, ids)
	_, err = queue.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: "worker_a_queue", Message: json.RawMessage(`{"n": 3}`), DelaySeconds: delay,
	})
	require.NoError(t, err)

	message, err := queue.PgmqReadSpecificMessage(t.Context(), "worker_a_queue", 1, &delay)
	require.NoError(t, err)
	require.JSONEq(t, `{"h": 1}`, string(message.Headers))
	require.NotNil(t, message.LastReadAt)
	_, err = queue.PgmqReadSpecificMessage(t.Context(), "worker_a_queue", 1, &delay)
	require.ErrorIs(t, err, pgx.ErrNoRows)

	statistics, err := queue.GetQueueStatistics(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, statistics, 1)
	require.Equal(t, int64(3), statistics[0].QueueLength)
	require.Equal(t, int64(1), statistics[0].VisibleLength)

	messages, err := queue.PeekQueue(t.Context(), "worker_a_queue", 0, 0)
	require.NoError(t, err)
	require.Len(t, messages, 3)
	require.Nil(t, messages[1].Headers)

	_, err = queue.PeekQueue(t.Context(), "none", 0, 0)
	require.ErrorIs(t, err, executor.ErrNotFound)
	_, err = queue.EnsureTaskQueue(t.Context(), "a;b")
	require.ErrorIs(t, err, executor.ErrInvalid)
	_, err = queue.EnsureTaskQueue(t.Context(), "Worker_A_queue")
	require.ErrorIs(t, err, executor.ErrConflict)
}

// Eight workers are notified of the same messages at the same time.
func TestPgmqReadSpecificMessage_GivesEachMessageToOneReader(t *testing.T) {
	t.Parallel()
	const readers, messages = 8, 100
	pool := pgtest.New(t, pgtest.MaxConns(readers))
	ensureQueues(t, pool, "worker_a_queue")
	for range messages {
		send(t, pool, "worker_a_queue")
	}

	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		taken = map[int64]int{}
	)
	for range readers {
		wg.Go(func() {
			for id := int64(1); id <= messages; id++ {
				message, err := executor.New(pool).PgmqReadSpecificMessage(t.Context(), "worker_a_queue", id, nil)
				if err != nil {
					if !errors.Is(err, pgx.ErrNoRows) {
						t.Error(err)
					}
					continue
				}
				mu.Lock()
				taken[message.MsgID]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	require.Len(t, taken, messages)
	for id, times := range taken {
		require.Equal(t, 1, times, "message %d", id)
	}
}

func TestPgmqReadSpecificMessage_DoesNotWaitForAnotherReader(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ensureQueues(t, pool, "worker_a_queue")
	id := send(t, pool, "worker_a_queue")

	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	_, err = executor.New(tx).PgmqReadSpecificMessage(t.Context(), "worker_a_queue", id, nil)
	require.NoError(t, err)

	// The first reader has not committed. If the second waited for it, it would wait for ever.
	_, err = executor.New(pool).PgmqReadSpecificMessage(t.Context(), "worker_a_queue", id, nil)
	require.ErrorIs(t, err, pgx.ErrNoRows)
}

// Each call sends one notification on both channels; batches send one per transaction.
func TestPgmqSendWithNotify_AnnouncesAsTheSeedSays(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ensureQueues(t, pool, "worker_a_queue")
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	_, err = conn.Exec(t.Context(), `listen "pgmq_message_ready"; listen "pgmq_message_ready.a"`)
	require.NoError(t, err)

	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	functions := executor.New(tx)
	message := sqlfn.PgmqSendWithNotifyParams{QueueName: "worker_a_queue", Message: json.RawMessage(`{}`)}
	for range 2 {
		_, err = functions.PgmqSendWithNotify(t.Context(), message)
		require.NoError(t, err)
		_, err = functions.PgmqSendBatchWithNotify(t.Context(), sqlfn.PgmqSendBatchWithNotifyParams{
			QueueName: "worker_a_queue", Messages: []json.RawMessage{json.RawMessage(`{}`)},
		})
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit(t.Context()))
	_, err = pool.Exec(t.Context(), `notify "pgmq_message_ready", 'end'`)
	require.NoError(t, err)

	type event struct{ Channel, Type, MsgID string }
	var events []event
	for {
		n, err := conn.WaitForNotification(t.Context())
		require.NoError(t, err)
		if n.Payload == "end" {
			break
		}
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(n.Payload), &fields))
		require.JSONEq(t, `"worker_a_queue"`, string(fields["queue_name"]))
		require.JSONEq(t, `"a"`, string(fields["namespace"]))
		require.Contains(t, fields, "ready_at")
		if string(fields["event_type"]) == `"message_ready"` {
			require.JSONEq(t, `0`, string(fields["delay_seconds"]))
			require.Len(t, fields, 6)
		}
		events = append(events, event{n.Channel, string(fields["event_type"]), string(fields["msg_id"])})
	}
	require.Equal(t, []event{
		{"pgmq_message_ready.a", `"message_ready"`, "1"},
		{"pgmq_message_ready", `"message_ready"`, "1"},
		{"pgmq_message_ready.a", `"batch_ready"`, ""},
		{"pgmq_message_ready", `"batch_ready"`, ""},
		{"pgmq_message_ready.a", `"message_ready"`, "3"},
		{"pgmq_message_ready", `"message_ready"`, "3"},
	}, events)
}

func send(t *testing.T, pool *pgxpool.Pool, queue string) int64 {
	t.Helper()
	id, err := executor.New(pool).PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
		QueueName: queue, Message: json.RawMessage(`{}`),
	})
	require.NoError(t, err)
	return id
}

func ensureQueues(t *testing.T, pool *pgxpool.Pool, queues ...string) {
	t.Helper()
	for _, queue := range queues {
		_, err := executor.New(pool).EnsureTaskQueue(t.Context(), queue)
		require.NoError(t, err)
	}
}
