package listen_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A connection outside of the pool, such as the connection for leases, is opened like the pool's own connections: with a
// current password, and with the hook for new sessions.
func TestConnectLike_HonoursTheHooksOfThePool(t *testing.T) {
	t.Parallel()
	config := pgtest.New(t).Config()
	calls := 0
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		calls++
		c.RuntimeParams["application_name"] = "hooked"
		return nil
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "set statement_timeout = '17s'")
		return err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	defer pool.Close()
	connect := listen.ConnectLike(pool)
	for n := 1; n <= 2; n++ { // each connection asks for the password again
		conn, err := connect(t.Context())
		require.NoError(t, err)
		var name, timeout string
		require.NoError(t, conn.QueryRow(t.Context(), "select current_setting('application_name'), current_setting('statement_timeout')").Scan(&name, &timeout))
		require.Equal(t, []string{"hooked", "17s"}, []string{name, timeout})
		require.Equal(t, n, calls)
		require.NoError(t, conn.Close(t.Context()))
	}
}
