package pgmqtest_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// One function of pgmq answers with a warning alone, which SQL cannot read.
func TestDetachArchive_SaysThatItDoesNothing(t *testing.T) {
	t.Parallel()
	config, err := pgx.ParseConfig(pgtest.URL(pgtest.New(t)))
	require.NoError(t, err)
	var notices []string
	config.OnNotice = func(_ *pgconn.PgConn, notice *pgconn.Notice) {
		notices = append(notices, strings.ToLower(notice.Severity+": "+notice.Message))
	}
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()

	_, err = conn.Exec(t.Context(), `select pgmq.detach_archive('none')`)
	require.NoError(t, err)
	require.Len(t, notices, 1)
	require.Contains(t, notices[0], "warning: detach_archive(queue_name) is deprecated and is a no-op")
}
