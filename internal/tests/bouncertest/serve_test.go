package bouncertest_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/serve"
)

// servesAndLeavesNoRole sends requests that succeed, fail and are aborted. No connection of the bouncer to the server keeps a
// token's role, name or namespaces.
func servesAndLeavesNoRole(t *testing.T, direct, pool *pgxpool.Pool) {
	handler, err := serve.New(t.Context(), pool, serve.Config{Loopback: true, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	_, err = direct.Exec(t.Context(), "select tasker.register_task_template('{\"namespace\": \"shop\", \"name\": \"order\", \"identity_strategy\": \"always_unique\", \"steps\": [{\"name\": \"a\"}]}')")
	require.NoError(t, err)
	token, hash := bearer.New()
	_, err = executor.New(direct).CreateToken(t.Context(), sqlfn.CreateTokenParams{Name: "bot", TokenHash: hash, RoleName: "tasker_operator", Namespaces: []string{"shop"}})
	require.NoError(t, err)

	requests := int64(1000)
	if os.Getenv("PGTASKER_SOAK") != "" {
		requests = 10_000
	}
	var statuses [600]atomic.Int64
	var left, aborted atomic.Int64
	left.Store(requests)
	var clients sync.WaitGroup
	for client := range 6 {
		clients.Go(func() {
			r := rand.New(rand.NewPCG(uint64(client), 2))
			for left.Add(-1) >= 0 {
				ctx, cancel := context.WithCancel(t.Context())
				if r.IntN(4) == 0 {
					time.AfterFunc(time.Duration(r.IntN(3000))*time.Microsecond, cancel)
				}
				path, method, body := "/v1/tasks?namespace=shop", http.MethodGet, ""
				switch r.IntN(3) {
				case 0:
					path, method, body = "/v1/tasks", http.MethodPost, `{"namespace": "shop", "name": "order"}`
				case 1:
					path = "/v1/tasks?namespace=bank"
				}
				request, err := http.NewRequestWithContext(ctx, method, server.URL+path, strings.NewReader(body))
				if err == nil {
					request.Header.Set("Authorization", "Bearer "+token)
					request.Header.Set("Content-Type", "application/json")
					var response *http.Response
					if response, err = server.Client().Do(request); err == nil {
						statuses[response.StatusCode].Add(1)
						err = response.Body.Close()
					}
				}
				if err != nil {
					aborted.Add(1)
				}
				cancel()
			}
		})
	}
	clients.Wait()
	t.Logf("200: %d, 403: %d, aborted: %d", statuses[200].Load(), statuses[403].Load(), aborted.Load())
	require.Greater(t, statuses[200].Load(), requests*3/10)
	require.Greater(t, statuses[403].Load(), requests/10)
	require.Positive(t, aborted.Load())

	// These are all server connections that the bouncer may open, each held by a transaction.
	var held []pgx.Tx
	seen := map[int32]bool{}
	for range 3 {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		held = append(held, tx)
		var pid int32
		var traces string
		require.NoError(t, tx.QueryRow(t.Context(), "select pg_backend_pid(), current_setting('role') || ',' || coalesce(current_setting('tasker.namespaces', true), '') || ',' || coalesce(current_setting('tasker.token', true), '')").Scan(&pid, &traces))
		seen[pid] = true
		require.Equal(t, "none,,", traces, fmt.Sprint(pid))
	}
	require.Len(t, seen, 3)
	for _, tx := range held {
		require.NoError(t, tx.Rollback(t.Context()))
	}
}
