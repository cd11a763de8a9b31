package serve_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// TestServe_OneTokenCannotHoldThePool sends more requests of one token than the pool has connections. All these requests wait
// for a transaction that does not end.
func TestServe_OneTokenCannotHoldThePool(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{Timeout: time.Hour})
	s.execute(t, `select from tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}')`)
	greedy, other := s.token(t, "greedy", "submitter", "shop"), s.token(t, "other", "reader", "shop")

	held, err := s.admin.Begin(t.Context())
	require.NoError(t, err)
	defer held.Rollback(context.Background()) //nolint:errcheck // After a failure, so that the requests end.
	_, err = held.Exec(t.Context(), `select tasker.create_task('shop', 'one', '{}')`)
	require.NoError(t, err)
	size := int(s.web.Config().MaxConns)
	answers := make(chan int, 2*size)
	for range 2 * size {
		go func() {
			a, err := s.try(t.Context(), greedy, "POST", "/v1/tasks", `{"namespace": "shop", "name": "one", "context": {}}`)
			if err != nil {
				answers <- 0
				return
			}
			answers <- a.status
		}()
	}
	share := size * 3 / 4
	require.Eventually(t, func() bool {
		return query[int](t, s, `select count(*)::int from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`, s.login) >= share
	}, within, 10*time.Millisecond)

	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	for range 3 {
		a, err := s.try(ctx, other, "GET", "/v1/templates", "")
		require.NoError(t, err, "another token is answered meanwhile")
		require.Equal(t, http.StatusOK, a.status)
	}
	require.Equal(t, share, query[int](t, s,
		`select count(*)::int from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`, s.login), "the greedy token has its share")
	require.NoError(t, held.Rollback(t.Context()))
	for range 2 * size {
		require.Equal(t, http.StatusOK, <-answers)
	}
}

// TestServe_AValidationIsCutOffEarly locks a table that a validation reads.
func TestServe_AValidationIsCutOffEarly(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{Timeout: time.Hour})
	reader := s.token(t, "reader", "reader", "*")
	held, err := s.admin.Begin(t.Context())
	require.NoError(t, err)
	defer held.Rollback(context.Background()) //nolint:errcheck // After a failure, so that the requests end.
	_, err = held.Exec(t.Context(), "lock table tasker.template_fields in access exclusive mode")
	require.NoError(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	a, err := s.try(ctx, reader, "POST", "/v1/templates/validate", `{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}`)
	require.NoError(t, err, "it does not take the hour that other requests may take")
	require.Equal(t, http.StatusServiceUnavailable, a.status)
	require.NoError(t, held.Rollback(t.Context()))
}
