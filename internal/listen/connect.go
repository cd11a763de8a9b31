package listen

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ConnectLike returns a function that opens connections as the pool does. It uses the pool's hook for passwords and its hook
// for new sessions.
func ConnectLike(pool *pgxpool.Pool) func(ctx context.Context) (*pgx.Conn, error) {
	return func(ctx context.Context) (*pgx.Conn, error) {
		config := pool.Config()
		if config.BeforeConnect != nil {
			if err := config.BeforeConnect(ctx, config.ConnConfig); err != nil {
				return nil, err
			}
		}
		conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
		if err != nil {
			return nil, err
		}
		if config.AfterConnect != nil {
			if err := config.AfterConnect(ctx, conn); err != nil {
				_ = conn.Close(ctx)
				return nil, err
			}
		}
		return conn, nil
	}
}
