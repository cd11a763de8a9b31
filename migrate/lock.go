package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// While a migration runs, the transaction that holds the lock is idle for as long as the migration takes.
const noTimeouts = `
	select set_config(s.name, '0', true)
	from pg_catalog.pg_settings as s
	where s.name in ('transaction_timeout', 'idle_in_transaction_session_timeout')`

const tryLock = `select pg_try_advisory_xact_lock(hashtextextended('` + table + `', 0))`

// holders returns the server processes that hold the lock, and whether each can be a migration. Migrations are run by roles that may become
// tasker_owner, while any role that may connect can take an advisory lock. A prepared transaction has no process (0). A session that has
// ended since the list was read no longer holds the lock.
const holders = `
	select coalesce(l.pid, 0), coalesce(a.usename::text, 'unknown'),
		l.pid is not null and (o.oid is null or pg_has_role(a.usesysid, o.oid, 'member'))
	from pg_catalog.pg_locks as l
	left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
	left join pg_catalog.pg_roles as o on o.rolname = 'tasker_owner'
	where l.locktype = 'advisory' and l.granted and l.objsubid = 1
		and l.database = (select d.oid from pg_catalog.pg_database as d where d.datname = current_database())
		and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('` + table + `', 0)
		and (l.pid is null or a.usesysid is not null)`

// ErrLocked is returned if a session that is no migration holds the lock of migrations, or if a session holds the lock for longer than a
// migration should take. The error names the server process and its role.
var ErrLocked = errors.New("another session has the lock")

// The longest wait of Up and Down for another migration, unless their context ends sooner.
const longestWait = 10 * time.Minute

// The pause between two attempts to take the lock, at first and in the end.
const (
	firstPause   = 10 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// locked calls migrate while a transaction holds the advisory lock that lets one program at a time migrate a database. The connection is
// made like a connection of the pool, with its hooks, but does not count in the pool, since migrate may need all connections of the pool.
func locked(ctx context.Context, pool *pgxpool.Pool, migrate func() error) error {
	config := pool.Config()
	config.MaxConns, config.MinConns, config.MinIdleConns = 1, 0, 0
	own, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("migrate: connect: %w", err)
	}
	defer own.Close()
	holder, err := lock(ctx, own)
	if err != nil {
		return fmt.Errorf("migrate: wait for the lock: %w", err)
	}
	defer func() { _ = holder.Rollback(context.WithoutCancel(ctx)) }()

	if err := migrate(); err != nil {
		return err
	}
	// If the lock was lost on the way, another program may have migrated at the same time.
	if err := holder.Commit(ctx); err != nil {
		return fmt.Errorf("migrate: the lock was lost: %w", err)
	}
	return nil
}

// lock returns a transaction that holds the lock. The lock belongs to the transaction, not to the session, so it also holds behind a pooler
// in transaction mode. A session that has to wait tries again and again in new transactions. A waiting transaction would keep such a pooler
// from giving its session to the holder of the lock, and a migration that creates an index concurrently would wait for that transaction.
func lock(ctx context.Context, own *pgxpool.Pool) (pgx.Tx, error) {
	until := time.Now().Add(longestWait)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		tx, err := own.Begin(ctx)
		if err != nil {
			return nil, err
		}
		var taken bool
		if _, err = tx.Exec(ctx, noTimeouts); err == nil {
			err = tx.QueryRow(ctx, tryLock, unprepared).Scan(&taken)
		}
		if err == nil && taken {
			return tx, nil
		}
		if err == nil {
			err = refuse(ctx, tx, time.Now().After(until))
		}
		if rollback := tx.Rollback(context.WithoutCancel(ctx)); err == nil {
			err = rollback
		}
		if err == nil {
			err = wait(ctx, pause)
		}
		if err != nil {
			return nil, err
		}
	}
}

// refuse returns an error if waiting for the holders of the lock is pointless.
func refuse(ctx context.Context, tx pgx.Tx, late bool) error {
	rows, err := tx.Query(ctx, holders, unprepared)
	if err != nil {
		return err
	}
	type holder struct {
		PID       int32
		Role      string
		MayBeOurs bool
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[holder])
	if err != nil {
		return err
	}
	for _, h := range found {
		if h.PID == 0 {
			return fmt.Errorf("%w: a prepared transaction; list them with select * from pg_prepared_xacts and roll it back", ErrLocked)
		}
		if late || !h.MayBeOurs {
			return fmt.Errorf("%w: process %d of role %q; end it with select pg_terminate_backend(%[2]d)", ErrLocked, h.PID, h.Role)
		}
	}
	return nil
}

// wait returns after the pause, or with the context's error if the context ends first.
func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
