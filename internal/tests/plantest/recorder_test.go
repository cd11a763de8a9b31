package plantest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// recorder is a connection that records its statements and their plans while recording is on.
type recorder struct {
	*pgx.Conn

	plans []plan
	err   error
}

func newRecorder(t *testing.T, pool *pgxpool.Pool) *recorder {
	t.Helper()
	config, err := pgx.ParseConfig(pgtest.URL(pool))
	require.NoError(t, err)
	r := &recorder{}
	config.OnNotice = r.hear
	r.Conn, err = pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close(ctx(t))) })
	r.must(t, "load 'auto_explain'")
	for _, setting := range []string{
		"auto_explain.log_min_duration = 0",
		"auto_explain.log_nested_statements = on",
		"auto_explain.log_format = 'json'",
	} {
		r.must(t, "set "+setting)
	}
	return r
}

func (r *recorder) hear(_ *pgconn.PgConn, notice *pgconn.Notice) {
	_, text, found := strings.Cut(notice.Message, "plan:\n")
	if !found {
		return
	}
	var heard plan
	if err := json.Unmarshal([]byte(text), &heard); err != nil {
		r.err = errors.Join(r.err, err)
		return
	}
	r.plans = append(r.plans, heard)
}

// record returns the plans of all statements that run in do.
func (r *recorder) record(t *testing.T, do func()) []plan {
	t.Helper()
	r.plans, r.err = nil, nil
	r.must(t, "set client_min_messages = log")
	do()
	r.must(t, "set client_min_messages = warning")
	require.NoError(t, r.err)
	return r.plans
}

func (r *recorder) must(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := r.Exec(t.Context(), sql, args...)
	require.NoError(t, err, sql)
}
