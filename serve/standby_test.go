package serve_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/serve"
)

// onServer returns a pool like this one on another server.
func onServer(t *testing.T, pool *pgxpool.Pool, server *pgserver.Server) *pgxpool.Pool {
	t.Helper()
	to, err := url.Parse(server.URL)
	require.NoError(t, err)
	to.Path = "/" + pool.Config().ConnConfig.Database
	config, err := pgxpool.ParseConfig(to.String())
	require.NoError(t, err)
	config.ConnConfig.User = pool.Config().ConnConfig.User
	other, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(other.Close)
	return other
}

func TestServe_ReadsFromAStandbyWhatItKnows(t *testing.T) {
	t.Parallel()
	primary, server := pgtest.NewPrivate(t)
	s := newSiteOn(t, primary, serve.Config{})
	s.execute(t, shop)
	known := s.createTask(t, "known")
	token, scrape := s.token(t, "ops", "operator", "shop"), s.token(t, "scrape", "reader")

	standby, err := server.StartStandby(t.Context())
	require.NoError(t, err)
	stopped := false
	stop := func() error {
		if stopped {
			return nil
		}
		stopped = true
		return standby.Stop()
	}
	t.Cleanup(func() { require.NoError(t, stop()) })
	handler, err := serve.New(t.Context(), s.web, serve.Config{
		Reads: onServer(t, s.web, standby), Logger: slog.New(slog.NewTextHandler(s.log, nil)),
		Metrics: func(db executor.DBTX) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				lag, err := executor.New(db).GetSystemHealthCounts(r.Context())
				require.NoError(t, err)
				if lag.Standby {
					_, _ = w.Write([]byte("standby"))
				}
			})
		},
	})
	require.NoError(t, err)
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	s.url = web.URL

	// From here on the standby learns nothing.
	super := onServer(t, primary, standby)
	_, err = super.Exec(t.Context(), "select pg_wal_replay_pause()")
	require.NoError(t, err)
	var task executor.TaskDetail
	answer := s.send(t, token, "GET", "/v1/tasks/"+known, "")
	answer.into(t, http.StatusOK, &task)
	require.Regexp(t, `^\d+\.\d{3}$`, answer.header.Get("Tasker-Standby-Lag"))
	require.Equal(t, "standby", string(s.send(t, scrape, "GET", "/metrics", "").body))

	s.send(t, token, "POST", "/v1/tasks/"+known+"/cancel", `{"reason": "gone"}`).into(t, http.StatusOK, new(any))
	answer = s.send(t, token, "GET", "/v1/tasks/"+known, "")
	answer.into(t, http.StatusOK, &task)
	require.False(t, task.Complete, "the standby still shows the task as open")
	answer = s.send(t, token, "GET", "/v1/tasks/"+known, "", "Tasker-Read", "primary")
	answer.into(t, http.StatusOK, &task)
	require.True(t, task.Complete, "the primary shows the task as complete")
	require.Empty(t, answer.header.Get("Tasker-Standby-Lag"))

	// What it has never heard of, a task or a token, the primary answers for.
	unknown := s.createTask(t, "unknown")
	for _, who := range []string{token, s.token(t, "later", "operator", "shop")} {
		answer = s.send(t, who, "GET", "/v1/tasks/"+unknown, "")
		answer.into(t, http.StatusOK, &task)
		require.Empty(t, answer.header.Get("Tasker-Standby-Lag"))
	}
	s.send(t, token, "GET", "/v1/tasks/00000000-0000-7000-8000-000000000000", "").problem(t, http.StatusNotFound)
	s.send(t, "tasker_of_nobody", "GET", "/v1/tasks/"+known, "").problem(t, http.StatusUnauthorized)
	answer = s.send(t, token, "GET", "/v1/tasks/"+known+"/wait?timeout_seconds=5", "")
	answer.into(t, http.StatusOK, &task)
	require.True(t, task.Complete, "a wait reads from the primary")

	// Without its standby the server goes on.
	require.NoError(t, stop())
	answer = s.send(t, token, "GET", "/v1/tasks/"+known, "")
	answer.into(t, http.StatusOK, &task)
	require.True(t, task.Complete)
	require.Empty(t, answer.header.Get("Tasker-Standby-Lag"))
}

// A failover: for a while the server's address leads to a database in recovery, which is promoted then.
func TestServe_SaysThatADatabaseInRecoveryCannotAnswerYet(t *testing.T) {
	t.Parallel()
	primary, server := pgtest.NewPrivate(t)
	s := newSiteOn(t, primary, serve.Config{})
	s.execute(t, shop)
	w := newHTTPWorker(t, s, "worker")
	standby, err := server.StartStandby(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	handler, err := serve.New(t.Context(), onServer(t, s.web, standby), serve.Config{Logger: slog.New(slog.NewTextHandler(s.log, nil))})
	require.NoError(t, err)
	t.Cleanup(handler.Close)
	front := httptest.NewServer(handler)
	t.Cleanup(front.Close)
	s.url = front.URL

	a := s.send(t, w.token, "POST", "/v1/exchange", w.request(`, "limit": 1`))
	require.Equal(t, "the database is in recovery and cannot be written", a.problem(t, 503).Detail)
	require.NotEmpty(t, a.header.Get("Retry-After"))
	require.Equal(t, 503, s.send(t, "", "GET", "/readyz", "").status)
	require.Equal(t, 200, s.send(t, "", "GET", "/healthz", "").status)

	_, err = onServer(t, primary, standby).Exec(t.Context(), "select pg_promote()")
	require.NoError(t, err)
	require.Empty(t, w.exchange(t, `, "limit": 1`).Claimed)
	require.Eventually(t, func() bool { return s.send(t, "", "GET", "/readyz", "").status == 200 }, time.Minute, 100*time.Millisecond)
}
