package faultproxy_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestProxy_EachFault exposes a connection to each fault. New connections work after the fault.
func TestProxy_EachFault(t *testing.T) {
	t.Parallel()
	db := faultproxy.Postgres(t, pgtest.New(t))
	pool := db.Pool(t)
	works := func() { t.Helper(); require.NoError(t, pool.Ping(t.Context())) }
	for name, fault := range map[string]func(){
		"cut": func() { db.Cut() }, "cut in a message": func() { db.CutAfter(3) }, "half-close": func() { db.HalfClose() },
		"forget": func() { db.Forget() }, "silence": func() { db.Silence(true) },
	} {
		works()
		conn, err := pool.Acquire(t.Context())
		require.NoError(t, err, name)
		fault()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		_, err = conn.Exec(ctx, "select 1")
		cancel()
		require.Error(t, err, name)
		conn.Release()
		db.Heal()
		pool.Reset()
		works()
	}

	db.Refuse(true)
	db.Cut()
	require.Error(t, pool.Ping(t.Context()))
	db.Heal()
	works()
	db.Delay(20 * time.Millisecond)
	at := time.Now()
	works()
	require.GreaterOrEqual(t, time.Since(at), 20*time.Millisecond)
	db.Heal()
	db.Throttle(1000)
	at = time.Now()
	_, err := pool.Exec(t.Context(), "select repeat('x', 100)", pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(at), 100*time.Millisecond)
	db.Heal()
	require.Positive(t, db.Accepted())
}
