package cli

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
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
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was delivered")
	}
	require.Eventually(t, func() bool {
		return strings.Contains(must(t, pool, "subscription", "list", "--json"), `"delivered": 1`)
	}, 20*time.Second, 10*time.Millisecond, "it is acknowledged")
	cancel()
	require.Equal(t, exitDone, <-code)
	require.Contains(t, logged.String(), "msg=stopped")
	require.NotContains(t, logged.String(), secret)
}

func TestRelay_RefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	for _, args := range [][]string{{"--allow", "10.0.0.1"}, {"--ca", "/nowhere.pem"}} {
		r := tasker(t, pool, append([]string{"relay"}, args...)...)
		require.Equal(t, exitInvalid, r.code, r.err)
	}
	r := tasker(t, pool, "subscription", "create", "x", "--webhook", "https://example.org", "--pgmq", "q")
	require.Equal(t, exitUsage, r.code, r.err)
	r = tasker(t, pool, "subscription", "show", "x")
	require.Equal(t, exitNotFound, r.code, r.err)
}
