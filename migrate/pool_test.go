package migrate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
)

// waitWithin is how long a test waits for what must happen.
const waitWithin = 30 * time.Second

func TestUp_NamesAStrangerWhoHasTheLock(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	// The role belongs to the cluster.
	role := "stranger_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	_, err := pool.Exec(t.Context(), "create role "+role+" login password 'strange'")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := pool.Exec(context.Background(), "drop role "+role)
		require.NoError(t, err)
	})
	config := pool.Config().ConnConfig.Copy()
	config.User, config.Password = role, "strange"
	stranger, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	defer func() { _ = stranger.Close(context.Background()) }()
	_, err = stranger.Exec(t.Context(), "select pg_advisory_lock(hashtextextended('tasker_meta.schema_migrations', 0))")
	require.NoError(t, err)

	err = migrate.Up(t.Context(), pool)
	require.ErrorIs(t, err, migrate.ErrLocked)
	require.ErrorContains(t, err, fmt.Sprintf("process %d of role %q", stranger.PgConn().PID(), role))
	_, err = stranger.Exec(t.Context(), "select pg_advisory_unlock_all()")
	require.NoError(t, err)
	require.NoError(t, migrate.Up(t.Context(), pool), "the migration succeeds when the lock is free")
}

func TestUp_NamesAPreparedTransactionThatHasTheLock(t *testing.T) {
	t.Parallel()
	pool, server := pgtest.NewPrivate(t)
	_, err := pool.Exec(t.Context(), "alter system set max_prepared_transactions = 1")
	require.NoError(t, err)
	require.NoError(t, server.Restart(t.Context()))
	pool.Reset()
	_, err = pool.Exec(t.Context(), `begin;
		select pg_advisory_xact_lock(hashtextextended('tasker_meta.schema_migrations', 0));
		prepare transaction 'forgotten'`)
	require.NoError(t, err)

	err = migrate.Up(t.Context(), pool)
	require.ErrorIs(t, err, migrate.ErrLocked)
	require.ErrorContains(t, err, "a prepared transaction")
	_, err = pool.Exec(t.Context(), "rollback prepared 'forgotten'")
	require.NoError(t, err)
	require.NoError(t, migrate.Up(t.Context(), pool))
}

// slow is a migration that waits for a table lock that a test holds.
var slow = fstest.MapFS{"20260101000001_slow.sql": {Data: []byte(
	"-- migrate:up\nlock table public.gate;\ncreate table public.a ();\n\n-- migrate:down\ndrop table public.a;\n")}}

func TestUp_EndsWithItsContextWhileItWaitsForTheLock(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	begin(t, pool, "select pg_advisory_xact_lock(hashtextextended('tasker_meta.schema_migrations', 0))")

	attempts := make(chan bool)
	waiting := poolWith(t, pool, func(config *pgxpool.Config) {
		config.PrepareConn = func(ctx context.Context, _ *pgx.Conn) (bool, error) {
			select {
			case attempts <- true:
			case <-ctx.Done():
			}
			return true, nil
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- migrate.UpFrom(ctx, waiting, small("a")) }()
	for range 3 {
		<-attempts
	}
	cancel()
	err := <-done
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "migrate: wait for the lock")
	requireTables(t, pool)
}

func TestUp_EndsWithItsContextWhileAMigrationRuns(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	exec(t, pool, "create table public.gate ()")
	holder := begin(t, pool, "lock table public.gate")

	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() { done <- migrate.UpFrom(ctx, pool, slow) }()
	waitForLock(t, pool, "relation")
	cancel(errors.New("enough"))
	err := <-done
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "migrate: apply 20260101000001_slow")
	require.NoError(t, holder.Rollback(t.Context()))
	requireTables(t, pool, "gate")
	require.NoError(t, migrate.UpFrom(t.Context(), pool, slow), "a second attempt succeeds")
}

func TestUp_WaitsLongerThanTheServersTimeouts(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	exec(t, pool, "create table public.gate ()")
	holder := begin(t, pool, "lock table public.gate")

	hurried := poolWith(t, pool, func(config *pgxpool.Config) {
		config.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "50"
	})
	done := make(chan error)
	go func() { done <- migrate.UpFrom(t.Context(), hurried, slow) }()
	waitForLock(t, pool, "relation")
	eventually(t, pool, `
		select exists (
		  select
		  from pg_stat_activity as a
		  where a.datname = current_database()
		    and a.state = 'idle in transaction'
		    and a.query like '%pg_try_advisory_xact_lock%'
		    and a.state_change < now() - interval '200 ms'
		)`)
	require.NoError(t, holder.Rollback(t.Context()))
	require.NoError(t, <-done)
}

func TestUp_SaysWhenItsLockIsLost(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	exec(t, pool, "create table public.gate ()")
	holder := begin(t, pool, "lock table public.gate")

	done := make(chan error)
	go func() { done <- migrate.UpFrom(t.Context(), pool, slow) }()
	waitForLock(t, pool, "relation")
	exec(t, pool, `
		select pg_terminate_backend(l.pid)
		from pg_locks as l
		where l.locktype = 'advisory'
		  and l.database = (select d.oid from pg_database as d where d.datname = current_database())`)
	require.NoError(t, holder.Rollback(t.Context()))
	require.ErrorContains(t, <-done, "migrate: the lock was lost")
}

func TestUp_HonoursTheHooksOfThePool(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t)
	calls := make(chan string, 100)
	hooked := poolWith(t, pool, func(config *pgxpool.Config) {
		config.BeforeConnect = func(_ context.Context, config *pgx.ConnConfig) error {
			calls <- "before"
			config.RuntimeParams["application_name"] = "hooked"
			return nil
		}
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			calls <- "after"
			_, err := conn.Exec(ctx, "set role pg_database_owner")
			return err
		}
		config.MaxConns = 1
	})
	files := fstest.MapFS{"20260101000001_role.sql": {Data: []byte(`-- migrate:up
set local role pg_monitor;
reset role;
create schema made;

-- migrate:down
reset role;
drop schema made;
`)}}
	exec(t, pool, "grant create on database "+database(pool)+" to pg_database_owner")
	require.NoError(t, migrate.UpFrom(ctx, hooked, files))
	require.Equal(t, 4, len(calls), "two connections, one for the lock and one of the pool")

	var role, application, owner string
	require.NoError(t, hooked.QueryRow(ctx, `
		select current_setting('role'), current_setting('application_name'), t.tableowner::text
		from pg_tables as t
		where t.tablename = 'schema_migrations'`).Scan(&role, &application, &owner))
	require.Equal(t, "pg_database_owner", role, "the connection keeps the role that the hook set")
	require.Equal(t, "hooked", application)
	require.Equal(t, "pg_database_owner", owner, "the hook's role owns the table")
	require.NoError(t, migrate.DownFrom(ctx, hooked, files, 1))
}

// A pooler in transaction mode gives the next statement to another session, which knows nothing of what
// has been prepared.
func TestUp_PreparesNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.NewEmpty(t, pgtest.MaxConns(1))
	require.NoError(t, migrate.UpFrom(ctx, pool, small("a", "b")))
	require.NoError(t, migrate.DownFrom(ctx, pool, small("a", "b"), 1))
	var prepared int
	require.NoError(t, pool.QueryRow(ctx, "select count(*) from pg_prepared_statements", pgx.QueryExecModeSimpleProtocol).Scan(&prepared))
	require.Zero(t, prepared)
}

func TestUp_WithoutAServerSaysSo(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig("postgres://nobody@localhost:1/nowhere?sslmode=disable&host=" + t.TempDir())
	require.NoError(t, err)
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	defer pool.Close()
	err = migrate.Up(t.Context(), pool)
	var failure *pgconn.ConnectError
	require.ErrorAs(t, err, &failure)
	require.ErrorContains(t, err, "migrate: wait for the lock: failed to connect")
}

// begin returns a transaction in which the statement has run. It is rolled back when the test ends.
func begin(t *testing.T, pool *pgxpool.Pool, statement string) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	_, err = tx.Exec(t.Context(), statement)
	require.NoError(t, err)
	return tx
}

// waitForLock returns when a session of the pool's database waits for a lock of that kind.
func waitForLock(t *testing.T, pool *pgxpool.Pool, kind string) {
	t.Helper()
	eventually(t, pool, `
		select exists (
		  select
		  from pg_stat_activity as a
		  where a.datname = current_database()
		    and a.wait_event_type = 'Lock'
		    and a.wait_event = '`+kind+`'
		)`)
}

// eventually returns when the query gives true.
func eventually(t *testing.T, pool *pgxpool.Pool, query string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitWithin)
	defer cancel()
	for holds := false; !holds; {
		require.NoError(t, pool.QueryRow(ctx, query).Scan(&holds))
	}
}
