package pgmqtest_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

type db interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// read returns the ids of the messages that pgmq.read returns, and how often each was read.
func read(ctx context.Context, on db, queue string, vt, qty int) (ids []int64, counts []int32, err error) {
	rows, err := on.Query(ctx, `select r.msg_id, r.read_ct from pgmq.read($1, $2, $3) as r`, queue, vt, qty)
	if err != nil {
		return nil, nil, err
	}
	var (
		id    int64
		count int32
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &count}, func() error {
		ids, counts = append(ids, id), append(counts, count)
		return nil
	})
	return ids, counts, err
}

func fill(t *testing.T, pool *pgxpool.Pool, queue string, messages int) {
	t.Helper()
	_, err := executor.New(pool).EnsureTaskQueue(t.Context(), queue)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `
		select count(*)
		  from generate_series(1, $2::integer, 1000) as g (first)
		 cross join lateral pgmq.send_batch($1, (
		   select array_agg(to_jsonb(n)) from generate_series(g.first, least(g.first + 999, $2::integer)) as n
		 ))`, queue, messages)
	require.NoError(t, err)
}

func TestRead_DeliversEachMessageOnceToEightConsumers(t *testing.T) {
	t.Parallel()
	const consumers, messages = 8, 100_000
	pool := pgtest.New(t, pgtest.MaxConns(consumers))
	fill(t, pool, "many", messages)

	delivered := make([][]int64, consumers)
	var wg sync.WaitGroup
	for i := range consumers {
		wg.Go(func() {
			for {
				ids, counts, err := read(t.Context(), pool, "many", 600, 100)
				if err != nil {
					t.Error(err)
					return
				}
				if len(ids) == 0 {
					return
				}
				for _, count := range counts {
					if count != 1 {
						t.Errorf("a message was read %d times", count)
					}
				}
				delivered[i] = append(delivered[i], ids...)
				if _, err := pool.Exec(t.Context(), `select pgmq.delete('many', $1::bigint[])`, ids); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()

	seen := make(map[int64]bool, messages)
	for _, ids := range delivered {
		for _, id := range ids {
			require.False(t, seen[id], "message %d was delivered twice", id)
			seen[id] = true
		}
	}
	// A consumer ends when it finds no free message. Together the consumers leave none.
	require.Len(t, seen, messages)
	statistics, err := executor.New(pool).GetQueueStatistics(t.Context(), "many")
	require.NoError(t, err)
	require.Zero(t, statistics[0].QueueLength)
}

func TestRead_GivesBackWhatAKilledConsumerHeld(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	fill(t, pool, "held", 100)

	consume := func(vt int) (*pgx.Conn, []int64) {
		conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), `begin`)
		require.NoError(t, err)
		ids, _, err := read(t.Context(), conn, "held", vt, 50)
		require.NoError(t, err)
		require.Len(t, ids, 50)
		return conn, ids
	}
	kill := func(conn *pgx.Conn) {
		_, err := pool.Exec(t.Context(), `select pg_terminate_backend($1, 10000)`, int32(conn.PgConn().PID()))
		require.NoError(t, err)
		_ = conn.Close(t.Context())
	}

	// One consumer is killed within its transaction, so its read is rolled back.
	unfinished, held := consume(600)
	kill(unfinished)
	again, counts, err := read(t.Context(), pool, "held", 600, 50)
	require.NoError(t, err)
	require.Equal(t, held, again)
	require.Equal(t, int32(1), counts[0])

	// One consumer is killed after its transaction. Its messages are visible again when their time is over, and not before.
	finished, held := consume(3)
	_, err = finished.Exec(t.Context(), `commit`)
	require.NoError(t, err)
	early, _, err := read(t.Context(), pool, "held", 600, 100)
	require.NoError(t, err)
	require.Empty(t, early)
	kill(finished)

	var back []int64
	for len(back) < len(held) {
		rows, err := pool.Query(t.Context(), `select r.msg_id from pgmq.read_with_poll('held', 600, 100, 10, 20) as r where r.read_ct = 2`)
		require.NoError(t, err)
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		require.NoError(t, err)
		require.NotEmpty(t, ids)
		back = append(back, ids...)
	}
	require.ElementsMatch(t, held, back)
}

// The time that decides whether a message is visible is read once, before rows are locked. A session that had to wait for a
// lock must not take a message that another session has just read.
func TestRead_JudgesAgainUnderTheLock(t *testing.T) {
	t.Parallel()
	const readers, rounds = 8, 50
	pool := pgtest.New(t, pgtest.MaxConns(readers))
	fill(t, pool, "one", 1)

	for range rounds {
		var (
			wg    sync.WaitGroup
			mu    sync.Mutex
			taken int
		)
		for range readers {
			wg.Go(func() {
				ids, _, err := read(t.Context(), pool, "one", 600, 1)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				taken += len(ids)
			})
		}
		wg.Wait()
		require.Equal(t, 1, taken)
		_, err := pool.Exec(t.Context(), `select pgmq.set_vt('one', 1, 0)`)
		require.NoError(t, err)
	}
}

// A throttle makes no sender wait. An open transaction of one sender does not delay another sender.
func TestNotify_ThrottledSendersDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	queue := executor.New(pool)
	_, err := queue.EnsureTaskQueue(t.Context(), "throttled")
	require.NoError(t, err)
	_, err = queue.SetSetting(t.Context(), "queue_notify_throttle_ms", new("60000"))
	require.NoError(t, err)

	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	message := sqlfn.PgmqSendWithNotifyParams{QueueName: "throttled", Message: json.RawMessage(`1`)}
	_, err = executor.New(tx).PgmqSendWithNotify(t.Context(), message)
	require.NoError(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i := range 3 {
		id, err := queue.PgmqSendWithNotify(ctx, message)
		require.NoError(t, err)
		require.EqualValues(t, i+2, id)
	}
}
