package relay

import (
	"context"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

// deaf is a connection whose server vanishes: what is sent is lost, and nothing answers or ends it.
type deaf struct {
	net.Conn
	era    int64
	newest *atomic.Int64
}

func (d deaf) Write(p []byte) (int, error) {
	if d.era < d.newest.Load() {
		return len(p), nil
	}
	return d.Conn.Write(p)
}

// The connections that a relay has are half open, and none of its calls gets an answer: it goes on over new ones.
func TestRun_GoesOnAfterItsServerHasVanished(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	config := pool.Config()
	var newest atomic.Int64
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return deaf{conn, newest.Load(), &newest}, err
	}
	far, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(far.Close)
	box := newInbox()
	start(t, far, Config{Targets: map[string]Open{"rabbitmq": box.open}, within: time.Second})
	create(t, pool)
	box.await(t, 1)
	require.Eventually(t, func() bool {
		list, err := executor.New(pool).ListSubscriptions(t.Context(), "made")
		return err == nil && list[0].Delivered > 0
	}, time.Minute, time.Millisecond, "it is acknowledged, and the next call reads")
	newest.Add(1)
	for second := create(t, pool); !slices.Contains(box.await(t, 1), second); {
	}
}
