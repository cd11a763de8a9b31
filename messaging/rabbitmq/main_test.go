package rabbitmq_test

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/messagingtest"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	pgtest.Main(m)
}

// address returns one of the addresses that tools/rabbitmq.sh gives; without it, the test is skipped.
func address(t *testing.T, variable string) string {
	t.Helper()
	url := os.Getenv(variable)
	if url == "" {
		t.Skipf("%s is not set: make test-rabbitmq starts a RabbitMQ and runs this", variable)
	}
	return url
}

// network opens connections that a test can break.
type network struct {
	mu   sync.Mutex
	open []net.Conn
}

func (n *network) dial(ctx context.Context, kind, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, kind, address)
	if err == nil {
		n.mu.Lock()
		n.open = append(n.open, conn)
		n.mu.Unlock()
	}
	return conn, err
}

// sever closes all connections behind the back of those who use them.
func (n *network) sever() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, conn := range n.open {
		_ = conn.Close() // It may be closed already.
	}
	n.open = nil
}

func open(t *testing.T, config rabbitmq.Config) messaging.Queue {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	q, err := rabbitmq.Open(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, q.Close()) })
	return q
}

func TestQueue(t *testing.T) {
	url := address(t, "PGTASKER_TEST_RABBITMQ")
	var n network
	messagingtest.Run(t, messagingtest.Broker{
		Open: func(t *testing.T, config messaging.Config) messaging.Queue {
			return open(t, rabbitmq.Config{Config: config, URL: url, Dial: n.dial})
		},
		Disconnect: func(*testing.T) { n.sever() },
	})
}
