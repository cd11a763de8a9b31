package executor

import (
	"context"
	"errors"
)

// Warm prepares a new connection, so that its first calls take no longer than those after them: PostgreSQL plans
// each statement when a session first runs it, which makes first calls tens of milliseconds slow. It creates tasks,
// claims and completes their steps, and rolls that back.
//
//	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error { return executor.Warm(ctx, conn) }
//
// Workers do it with the connections that they begin with.
func Warm(ctx context.Context, db DBTX) error {
	warm, err := New(db).WarmSession(ctx)
	if err == nil && !warm {
		return errors.New("executor: the session could not be warmed; it is unchanged")
	}
	return err
}
