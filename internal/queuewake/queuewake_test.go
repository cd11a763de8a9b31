package queuewake_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/queuewake"
)

// listening is a Listen that runs until the test ends.
type listening struct {
	t     *testing.T
	wakes chan queuewake.Wake
}

func listen(t *testing.T, connect executor.Connect, config queuewake.ListenConfig) listening {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(t.Context())
	l := listening{t: t, wakes: make(chan queuewake.Wake, 1000)}
	ended := make(chan error, 1)
	go func() {
		ended <- queuewake.Listen(ctx, connect, config, func(_ context.Context, w queuewake.Wake) { l.wakes <- w })
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return l
}

// next returns the next wake-up for this reason and skips others.
func (l listening) next(reason queuewake.WakeReason) queuewake.Wake {
	l.t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case w := <-l.wakes:
			if w.Reason == reason {
				return w
			}
		case <-late:
			require.FailNow(l.t, "no wake-up came", "reason: %s", reason)
		}
	}
}

// after returns the next wake-up for any reason except this one, which may come at any time.
func (l listening) after(reason queuewake.WakeReason) queuewake.Wake {
	for wake := range l.wakes {
		if wake.Reason != reason {
			return wake
		}
	}
	return queuewake.Wake{}
}

func connectTo(pool *pgxpool.Pool) executor.Connect {
	return func(ctx context.Context) (*pgx.Conn, error) {
		return pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	}
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

func TestListen_TellsWhichQueueWoke(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ensureQueues(t, pool, "worker_a_queue", "worker_b_queue_high", "worker_c_queue")

	all := listen(t, connectTo(pool), queuewake.ListenConfig{})
	some := listen(t, connectTo(pool), queuewake.ListenConfig{Namespaces: []string{"b", "c"}})
	require.Equal(t, queuewake.Wake{Reason: queuewake.WakeConnected}, all.next(queuewake.WakeConnected))
	some.next(queuewake.WakeConnected)

	send(t, pool, "worker_a_queue")
	id := send(t, pool, "worker_b_queue_high")
	require.Equal(t, "worker_a_queue", all.next(queuewake.WakeNotified).Queue)
	want := queuewake.Wake{Reason: queuewake.WakeNotified, Queue: "worker_b_queue_high", Namespace: "b", MsgID: id}
	require.Equal(t, want, all.next(queuewake.WakeNotified))
	require.Equal(t, want, some.next(queuewake.WakeNotified), "and nothing of the namespace that was not asked for")

	_, err := executor.New(pool).PgmqSendBatchWithNotify(t.Context(), sqlfn.PgmqSendBatchWithNotifyParams{
		QueueName: "worker_c_queue", Messages: []json.RawMessage{json.RawMessage(`1`), json.RawMessage(`2`)},
	})
	require.NoError(t, err)
	require.Equal(t, queuewake.Wake{Reason: queuewake.WakeNotified, Queue: "worker_c_queue", Namespace: "c"},
		some.next(queuewake.WakeNotified), "a batch wakes once, for no message in particular")
}

func TestListen_ConnectsAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ensureQueues(t, pool, "worker_a_queue")
	var pid atomic.Uint32
	l := listen(t, func(ctx context.Context) (*pgx.Conn, error) {
		conn, err := connectTo(pool)(ctx)
		if err == nil {
			pid.Store(conn.PgConn().PID())
		}
		return conn, err
	}, queuewake.ListenConfig{})

	for range 3 {
		l.next(queuewake.WakeConnected)
		_, err := pool.Exec(t.Context(), `select pg_terminate_backend($1)`, int32(pid.Load()))
		require.NoError(t, err)
	}
	l.next(queuewake.WakeConnected)
	id := send(t, pool, "worker_a_queue")
	require.Equal(t, id, l.next(queuewake.WakeNotified).MsgID)
}

func TestListen_PollsWithoutAConnection(t *testing.T) {
	t.Parallel()
	l := listen(t, func(context.Context) (*pgx.Conn, error) { return nil, errors.New("no server") },
		queuewake.ListenConfig{PollInterval: 5 * time.Millisecond, MaxReconnectDelay: 20 * time.Millisecond})
	for range 10 {
		require.Equal(t, queuewake.Wake{Reason: queuewake.WakePolled}, l.next(queuewake.WakePolled))
	}
}

func TestListen_PollsOnly(t *testing.T) {
	t.Parallel()
	l := listen(t, func(context.Context) (*pgx.Conn, error) { panic("connects") },
		queuewake.ListenConfig{PollInterval: 5 * time.Millisecond, PollOnly: true})
	for range 3 {
		l.next(queuewake.WakePolled)
	}
}

func TestListen_PollsWhenNothingIsAnnounced(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ensureQueues(t, pool, "worker_a_queue")
	off := "off"
	_, err := executor.New(pool).SetSetting(t.Context(), "notify", &off)
	require.NoError(t, err)

	l := listen(t, connectTo(pool), queuewake.ListenConfig{PollInterval: 50 * time.Millisecond})
	l.next(queuewake.WakeConnected)
	send(t, pool, "worker_a_queue")
	for range 2 {
		wake := l.after(queuewake.WakeEnded)
		require.Equal(t, queuewake.WakePolled, wake.Reason, "and no notification")
	}
}

func TestListen_WakesOnceMoreAfterAThrottle(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ensureQueues(t, pool, "worker_a_queue")
	interval := "200"
	_, err := executor.New(pool).SetSetting(t.Context(), "queue_notify_throttle_ms", &interval)
	require.NoError(t, err)

	l := listen(t, connectTo(pool), queuewake.ListenConfig{})
	l.next(queuewake.WakeConnected)
	first := send(t, pool, "worker_a_queue")
	second := send(t, pool, "worker_a_queue")
	require.Equal(t, first, l.next(queuewake.WakeNotified).MsgID)
	repeated := l.next(queuewake.WakeRepeated)
	require.Equal(t, "worker_a_queue", repeated.Queue)
	message, err := executor.New(pool).PgmqReadSpecificMessage(t.Context(), repeated.Queue, second, nil)
	require.NoError(t, err, "the message that was not announced has arrived")
	require.Equal(t, second, message.MsgID)
}

func TestListen_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	var woken []queuewake.WakeReason
	err := queuewake.Listen(ctx, connectTo(pool), queuewake.ListenConfig{}, func(_ context.Context, w queuewake.Wake) {
		woken = append(woken, w.Reason)
		cancel()
	})
	require.NoError(t, err)
	require.Equal(t, []queuewake.WakeReason{queuewake.WakeConnected}, woken)
}
