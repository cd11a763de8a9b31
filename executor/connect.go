package executor

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Connect opens a connection for the sole use of its caller, who listens on it and closes it.
//
//	func(ctx context.Context) (*pgx.Conn, error) { return pgx.Connect(ctx, url) }
//	func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) }
type Connect func(ctx context.Context) (*pgx.Conn, error)
