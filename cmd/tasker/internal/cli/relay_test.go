package cli

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/stepmessage"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
)

func TestRelay_DeliversUntilItIsStopped(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	got := make(chan string, 100)
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	defer server.Close()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	must(t, pool, "subscription", "create", "billing", "--event", "Create", "--webhook", server.URL)
	task := createTask(t, pool, "shop/order")

	const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var logged bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- Main(ctx, Process{
			Args: []string{"relay", "--allow", "127.0.0.0/8", "--ca", authority, "--poll", "10ms"}, In: strings.NewReader(""), Out: io.Discard, Err: &logged,
			Getenv: func(name string) string {
				return map[string]string{"DATABASE_URL": pgtest.URL(pool), "PGTASKER_WEBHOOK_SECRET_BILLING": secret}[name]
			},
		})
	}()
	select {
	case body := <-got:
		require.Contains(t, body, task)
	case <-time.After(time.Minute):
		t.Fatal("nothing was delivered")
	}
	require.Eventually(t, func() bool {
		return strings.Contains(must(t, pool, "subscription", "list", "--json"), `"delivered": 1`)
	}, time.Minute, 10*time.Millisecond, "it is acknowledged")
	cancel()
	require.Equal(t, exitDone, <-code)
	require.Contains(t, logged.String(), "msg=stopped")
	require.NotContains(t, logged.String(), secret)
}

func TestRelay_RefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	for _, args := range [][]string{{"--allow", "10.0.0.1"}, {"--ca", "/nowhere.pem"}, {"--cert", "/nowhere.pem"}, {"--key", "relay.key"}, {"--steps"}} {
		r := tasker(t, pool, append([]string{"relay"}, args...)...)
		require.Equal(t, exitInvalid, r.code, r.err)
	}
	r := tasker(t, pool, "subscription", "create", "x", "--webhook", "https://example.org", "--pgmq", "q")
	require.Equal(t, exitUsage, r.code, r.err)
	r = tasker(t, pool, "subscription", "show", "x")
	require.Equal(t, exitNotFound, r.code, r.err)
}

// Events and steps go over TLS to a RabbitMQ that demands certificates.
func TestRelay_ServesRabbitMQ(t *testing.T) {
	t.Parallel()
	address := os.Getenv("PGTASKER_TEST_RABBITMQ_TLS")
	if address == "" {
		t.Skip("PGTASKER_TEST_RABBITMQ_TLS is not set: make test-rabbitmq starts a RabbitMQ and runs this")
	}
	pool := newShop(t)
	events := "cli_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	must(t, pool, "subscription", "create", "billing", "--event", "Create", "--rabbitmq", events)
	must(t, pool, "namespace", "register", "shop", "--transport", "broker")
	task := createTask(t, pool, "shop/order")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	code := make(chan int, 1)
	var logged bytes.Buffer
	go func() {
		code <- Main(ctx, Process{
			Args: []string{
				"relay", "--steps", "--ca", os.Getenv("PGTASKER_TEST_RABBITMQ_CA"), "--cert", os.Getenv("PGTASKER_TEST_RABBITMQ_CERT"), "--poll", "10ms",
			},
			In: strings.NewReader(""), Out: io.Discard, Err: &logged,
			Getenv: func(name string) string {
				return map[string]string{"DATABASE_URL": pgtest.URL(pool), "AMQP_URL": address}[name]
			},
		})
	}()
	for _, config := range []messaging.Config{{Name: events}, stepmessage.Queue("shop", "normal")} {
		queue, err := rabbitmq.Open(ctx, rabbitmq.Config{Config: config, URL: os.Getenv("PGTASKER_TEST_RABBITMQ"), Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		for found := false; !found; {
			got, err := queue.Receive(ctx, 1) // a broker that is not new has others
			require.NoError(t, err, config.Name)
			found = strings.Contains(string(got[0].Body), task)
			require.NoError(t, queue.Acknowledge(ctx, got[0]))
		}
		require.NoError(t, queue.Close())
	}
	cancel()
	require.Equal(t, exitDone, <-code, logged.String())
	require.NotContains(t, logged.String(), "guest:guest", "the address has a password")
}
