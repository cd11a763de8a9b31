package executor

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Connect opens a connection that its caller keeps for itself, to listen, and closes.
//
//	func(ctx context.Context) (*pgx.Conn, error) { return pgx.Connect(ctx, url) }
//	func(ctx context.Context) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, pool.Config().ConnConfig) }
type Connect func(ctx context.Context) (*pgx.Conn, error)
