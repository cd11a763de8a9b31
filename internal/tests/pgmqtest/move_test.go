package pgmqtest_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/pgmqtest"
)

// Senders and consumers run while the database changes over to the extension.
func TestMovePgmqToExtension_LosesNothingInFlight(t *testing.T) {
	t.Parallel()
	pgmqtest.NewReal(t) // skips the test without the extension
	const senders, consumers, before, after = 3, 3, 200, 200
	pool := pgmqtest.NewOwn(t, pgtest.MaxConns(senders+consumers+1))
	functions := executor.New(pool)
	for _, queue := range []string{"moving", "Quiet-Queue"} {
		_, err := functions.EnsureTaskQueue(t.Context(), queue)
		require.NoError(t, err)
	}
	_, err := pool.Exec(t.Context(), `
		select pgmq.send('Quiet-Queue', '{"n": 1}', '{"h": 1}'::jsonb), pgmq.send('Quiet-Queue', '{"n": 2}', 3600), pgmq.send('Quiet-Queue', '{"n": 3}');
		select pgmq.archive('Quiet-Queue', 3)`)
	require.NoError(t, err)
	const inFlight = `
		select q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message, q.headers, null from pgmq."q_quiet-queue" as q
		union all
		select a.msg_id, a.read_ct, a.enqueued_at, a.vt, a.message, a.headers, a.archived_at from pgmq."a_quiet-queue" as a
		order by 1`
	rows := func() (text []string) {
		r, _ := pool.Query(t.Context(), inFlight)
		text, err := pgx.CollectRows(r, func(row pgx.CollectableRow) (string, error) {
			values, err := row.Values()
			return fmt.Sprint(values), err
		})
		require.NoError(t, err)
		return text
	}
	quiet := rows()

	var (
		mu       sync.Mutex
		sent     = map[int64]bool{}
		consumed = map[int64]int{}
		enough   atomic.Bool
		started  = make(chan struct{})
		begun    sync.Once
		sending  sync.WaitGroup
		reading  sync.WaitGroup
	)
	for range senders {
		sending.Go(func() {
			for !enough.Load() {
				id, err := functions.PgmqSendWithNotify(t.Context(), sqlfn.PgmqSendWithNotifyParams{
					QueueName: "moving", Message: json.RawMessage(`{}`),
				})
				if err != nil {
					t.Log("a sender was refused, and sends again:", err)
					continue
				}
				mu.Lock()
				sent[id] = true
				if len(sent) == before {
					begun.Do(func() { close(started) })
				}
				mu.Unlock()
			}
		})
	}
	consume := func() bool {
		tx, err := pool.Begin(t.Context())
		if err != nil {
			t.Error(err)
			return false
		}
		defer func() { _ = tx.Rollback(t.Context()) }()
		ids, _, err := read(t.Context(), tx, "moving", 600, 10)
		if err == nil {
			_, err = tx.Exec(t.Context(), `select pgmq.delete('moving', $1::bigint[])`, ids)
		}
		if err == nil {
			err = tx.Commit(t.Context())
		}
		if err != nil {
			t.Log("a consumer was refused, and reads again:", err)
			return true
		}
		mu.Lock()
		defer mu.Unlock()
		for _, id := range ids {
			consumed[id]++
		}
		return len(ids) > 0
	}
	for range consumers {
		reading.Go(func() {
			for !enough.Load() {
				consume()
			}
		})
	}

	<-started
	var moved int64
	require.NoError(t, pool.QueryRow(t.Context(), `select tasker.move_pgmq_to_extension()`).Scan(&moved))
	require.GreaterOrEqual(t, moved, int64(3))
	require.Equal(t, "extension", pgmqtest.Kind(t, pool))
	atMove := func() int { mu.Lock(); defer mu.Unlock(); return len(sent) }()
	for func() int { mu.Lock(); defer mu.Unlock(); return len(sent) }() < atMove+after {
		_, err := pool.Exec(t.Context(), `select 1`) // the senders continue
		require.NoError(t, err)
	}
	enough.Store(true)
	sending.Wait()
	reading.Wait()
	for consume() {
	}

	require.Len(t, consumed, len(sent), "each message is consumed once")
	for id := range sent {
		require.Equal(t, 1, consumed[id], "message %d", id)
	}
	require.Equal(t, quiet, rows(), "the queue without consumers is unchanged")
	var text string
	require.NoError(t, pool.QueryRow(t.Context(), `
		select concat_ws(' ',
		  (select pgmq.send('Quiet-Queue', '4')),
		  (select string_agg(q.queue_name, ' ' order by q.queue_name collate "C") from pgmq.list_queues() as q))`).Scan(&text))
	require.Equal(t, "4 Quiet-Queue moving", text, "the ids continue, and the queues exist")

	_, err = pool.Exec(t.Context(), `drop schema pgmq_embedded cascade`)
	require.NoError(t, err)
	_, err = functions.PgmqReadSpecificMessage(t.Context(), "Quiet-Queue", 4, nil)
	require.NoError(t, err)
}
