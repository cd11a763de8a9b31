package pgmq_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/pgmq"
)

const within = 30 * time.Second

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	t.Cleanup(cancel)
	return ctx
}

func message(body string) messaging.Message { return messaging.Message{Body: json.RawMessage(body)} }

// The receiver's login has one connection left, which the queue's listener holds.
func TestReceive_TheListenerGivesWay(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	sender := open(t, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}})
	login := faultproxy.Login(t, pool, "tasker_orchestrator")
	own := faultproxy.Postgres(t, pool).PoolOf(t, login, func(c *pgxpool.Config) { c.MaxConns = 1 })
	q := open(t, own, pgmq.Config{Config: messaging.Config{Name: "orders", Existing: true}, Connect: connect(own), PollInterval: 50 * time.Millisecond})
	faultproxy.LeaveOneBesides(t, pool, own, login)
	require.NoError(t, sender.Send(t.Context(), message(`{"n": 1}`)))
	deliveries, err := q.Receive(soon(t), 1)
	require.NoError(t, err)
	require.JSONEq(t, `{"n": 1}`, string(deliveries[0].Body))
}

func TestReceive_IsWokenByAnAnnouncement(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	q := open(t, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}, Connect: connect(pool), PollInterval: time.Hour})
	type reply struct {
		deliveries []messaging.Delivery
		err        error
	}
	replied := make(chan reply, 1)
	ctx := soon(t)
	// A connection of its own: the pool would lend the receiver's last one to the query that looks for it.
	look, err := pool.Acquire(ctx)
	require.NoError(t, err)
	defer look.Release()
	receive := func() {
		var since time.Time
		require.NoError(t, look.QueryRow(ctx, "select clock_timestamp()").Scan(&since))
		go func() {
			deliveries, err := q.Receive(ctx, 1)
			replied <- reply{deliveries, err}
		}()
		// It has found nothing, and waits.
		until(t, look, `select count(*) > 0 from pg_stat_activity as a where a.datname = current_database() and a.state = 'idle'
			and a.query ~ 'tasker.pgmq_receive_messages' and a.query !~ 'pg_stat_activity' and a.query_start > $1`, since)
	}
	requireReply := func(body string) {
		got := <-replied
		require.NoError(t, got.err)
		require.Len(t, got.deliveries, 1)
		require.Equal(t, body, string(got.deliveries[0].Body))
	}
	until(t, look, "select count(*) > 0 from tasker.sleepers where until > clock_timestamp()")
	receive()
	require.NoError(t, q.Send(soon(t), message(`1`)))
	requireReply(`1`)

	// What is refused wakes the receivers of the same process.
	require.NoError(t, q.Send(soon(t), message(`2`)))
	got, err := q.Receive(soon(t), 1)
	require.NoError(t, err)
	receive()
	require.NoError(t, q.Refuse(soon(t), got[0]))
	requireReply(`2`)
}

// until waits until a query is true.
func until(t *testing.T, conn *pgxpool.Conn, sql string, arguments ...any) {
	t.Helper()
	require.Eventually(t, func() (is bool) {
		return conn.QueryRow(t.Context(), sql, arguments...).Scan(&is) == nil && is
	}, within, 5*time.Millisecond, sql)
}

func TestSend_InTheCallersTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	q := open(t, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}})
	for _, commit := range []bool{false, true} {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		require.NoError(t, pgmq.Send(t.Context(), tx, "orders", message(`1`), message(`2`)))
		if !commit {
			require.NoError(t, tx.Rollback(t.Context()))
			continue
		}
		require.NoError(t, tx.Commit(t.Context()))
	}
	depth, err := q.Depth(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(2), depth)
}

func TestReceive_TakesMessagesOfSQLSenders(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	q := open(t, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}})
	sql := executor.New(pool)
	for _, headers := range []string{``, `7`, `{"message_id": "m", "n": 1, "o": {"a": null}, "t": "text"}`} {
		params := sqlfn.PgmqSendWithNotifyParams{QueueName: "orders", Message: json.RawMessage(`{"by": "SQL"}`)}
		if headers != "" {
			params.Headers = json.RawMessage(headers)
		}
		_, err := sql.PgmqSendWithNotify(t.Context(), params)
		require.NoError(t, err)
	}
	got, err := q.Receive(soon(t), 10)
	require.NoError(t, err)
	require.Len(t, got, 3)
	require.Equal(t, []string{"1", "2", "m"}, []string{got[0].ID, got[1].ID, got[2].ID})
	require.Nil(t, got[0].Headers)
	require.Nil(t, got[1].Headers)
	require.Equal(t, map[string]string{"n": "1", "o": `{"a": null}`, "t": "text"}, got[2].Headers)
}

func TestSend_RefusesWhatTheDatabaseDoesNotTake(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	q := open(t, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}})
	_, err := pool.Exec(t.Context(), "select tasker.set_setting('result_bytes', '100')")
	require.NoError(t, err)
	err = q.Send(t.Context(), message(`"`+strings.Repeat("x", 100)+`"`))
	require.ErrorIs(t, err, messaging.ErrInvalid)
	require.ErrorIs(t, err, executor.ErrTooLarge)

	require.ErrorIs(t, pgmq.Send(t.Context(), pool, "missing", message(`1`)), executor.ErrNotFound)
}

func TestOpen_AsARoleThatMayNotCreate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), "select tasker.register_namespace('shop', p_transport => 'pgmq'), tasker.ensure_task_queue('payroll')")
	require.NoError(t, err)
	config := pool.Config()
	config.ConnConfig.RuntimeParams["role"] = "tasker_worker"
	worker, err := pgxpool.NewWithConfig(context.WithoutCancel(t.Context()), config)
	require.NoError(t, err)
	t.Cleanup(worker.Close)

	_, err = pgmq.Open(t.Context(), worker, pgmq.Config{Config: messaging.Config{Name: "orders"}})
	require.ErrorIs(t, err, executor.ErrForbidden)
	_, err = pgmq.Open(t.Context(), worker, pgmq.Config{Config: messaging.Config{Name: "payroll", Existing: true, MaxDeliveries: -1}})
	require.ErrorIs(t, err, executor.ErrForbidden)
	_, err = pgmq.Open(t.Context(), pool, pgmq.Config{Config: messaging.Config{Name: "payroll", Existing: true}})
	require.ErrorIs(t, err, executor.ErrNotFound, "its dead letters have no queue")
	_, err = pgmq.Open(t.Context(), pool, pgmq.Config{})
	require.ErrorIs(t, err, messaging.ErrInvalid)

	_, err = executor.New(worker).PgmqReceiveMessages(t.Context(), sqlfn.PgmqReceiveMessagesParams{QueueName: "payroll"})
	require.ErrorIs(t, err, executor.ErrForbidden)
}

func TestReceive_ReturnsWhatNoOtherTryChanges(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	q := open(t, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}})
	_, err := pool.Exec(t.Context(), "select pgmq.drop_queue('orders')")
	require.NoError(t, err)
	_, err = q.Receive(soon(t), 1)
	require.ErrorIs(t, err, executor.ErrNotFound)
}
