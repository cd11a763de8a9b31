package executor

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// hopping is a pooler that gives a call a session without the caller's prepared statement.
type hopping struct {
	DBTX
	code string
}

func (h hopping) QueryRow(context.Context, string, ...any) pgx.Row { return h }
func (h hopping) Query(context.Context, string, ...any) (pgx.Rows, error) {
	return nil, h.Scan()
}

func (h hopping) Scan(...any) error {
	return &pgconn.PgError{Code: h.code, Message: `prepared statement "stmtcache_1" already exists`}
}

func TestErrors_OfAPoolersPreparedStatementsSayWhatToChange(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"42P05", "26000"} {
		client := New(hopping{code: code})
		_, err := client.CreateTask(t.Context(), TaskRequest{Namespace: "shop", Name: "order"})
		require.ErrorContains(t, err, "set default_query_exec_mode=cache_describe in the pool's URL", code)
		_, err = client.ListNamespaces(t.Context())
		require.ErrorContains(t, err, "cache_describe", code)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, code, refused.Code)
	}
}
