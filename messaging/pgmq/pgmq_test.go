package pgmq_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/messagingtest"
	"github.com/pgtasker/pgtasker/messaging/pgmq"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func open(t *testing.T, pool *pgxpool.Pool, config pgmq.Config) messaging.Queue {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	q, err := pgmq.Open(t.Context(), pool, config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, q.Close()) })
	return q
}

// connect opens the connection on which a queue listens.
func connect(pool *pgxpool.Pool) func(context.Context) (*pgx.Conn, error) {
	return func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) }
}

// disconnect ends all connections to a database but its own.
func disconnect(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "select pg_terminate_backend(a.pid) from pg_stat_activity as a where a.datname = current_database() and a.pid <> pg_backend_pid()")
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

func TestQueue_Polling(t *testing.T) {
	pool := pgtest.New(t, pgtest.MaxConns(30))
	messagingtest.Run(t, messagingtest.Broker{
		Open: func(t *testing.T, config messaging.Config) messaging.Queue {
			return open(t, pool, pgmq.Config{Config: config})
		},
		Disconnect: func(t *testing.T) { disconnect(t, pool) },
	})
}

func TestQueue_Listening(t *testing.T) {
	pool := pgtest.New(t, pgtest.MaxConns(30))
	messagingtest.Run(t, messagingtest.Broker{
		Open: func(t *testing.T, config messaging.Config) messaging.Queue {
			return open(t, pool, pgmq.Config{Config: config, Connect: connect(pool)})
		},
		Disconnect: func(t *testing.T) { disconnect(t, pool) },
	})
}
