package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// TestServe_RequestsForTasksTravelTogether has requests of two tokens come while the first of each token waits for a key that another
// transaction holds. One has a context that is too large, and one repeats the key of another with another context.
func TestServe_RequestsForTasksTravelTogether(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{Timeout: time.Hour})
	s.execute(t, shop)
	s.execute(t, `update tasker.settings set value = '1000' where name = 'context_bytes'`)
	tokens := map[string]string{"one": s.token(t, "one", "submitter", "shop"), "two": s.token(t, "two", "submitter", "shop")}
	held, err := s.admin.Begin(t.Context())
	require.NoError(t, err)
	defer held.Rollback(context.Background()) //nolint:errcheck // After a failure, so that the requests end.
	_, err = held.Exec(t.Context(), `select tasker.create_task('shop', 'order', '{}', p_identity_key => 'held')`)
	require.NoError(t, err)

	type got struct {
		answer
		err error
	}
	answers := map[string]chan got{}
	send := func(name, token, key, context string) {
		answers[name] = make(chan got, 1)
		go func() {
			a, err := s.try(t.Context(), token, "POST", "/v1/tasks",
				fmt.Sprintf(`{"namespace": "shop", "name": "order", "context": %s, "identity_key": %q}`, context, key))
			answers[name] <- got{a, err}
		}()
	}
	for name, token := range tokens {
		send("held "+name, token, "held", "{}")
	}
	require.Eventually(t, func() bool {
		return query[int](t, s, `select count(*)::int from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`, s.login) == 2
	}, within, time.Millisecond)
	for i := range 12 {
		for name, token := range tokens {
			key := fmt.Sprint(name, "-", i)
			send(key, token, key, fmt.Sprintf(`{"n": %d}`, i))
		}
	}
	for i := range 12 {
		for name := range tokens {
			a := <-answers[fmt.Sprint(name, "-", i)]
			require.NoError(t, a.err)
			var made struct {
				Created bool `json:"created"`
			}
			a.into(t, http.StatusOK, &made)
			require.True(t, made.Created)
		}
	}
	require.Equal(t, 24, query[int](t, s, `select count(*)::int from tasker.tasks where context ? 'n'`))
	require.Less(t, query[int](t, s, `select count(distinct xmin::text)::int from tasker.tasks where context ? 'n'`), 24, "no two requests shared a transaction")
	require.Zero(t, query[int](t, s, `select count(*)::int from (
		select from tasker.tasks where context ? 'n' group by xmin::text having count(distinct initiator) > 1) as t`), "two tokens shared one")
	require.Equal(t, 12, query[int](t, s, `select count(*)::int from tasker.tasks where context ? 'n' and initiator = 'token two'`))

	// A request that fails alone fails only itself, also beside other requests.
	send("large", tokens["one"], "large", fmt.Sprintf(`{"n": %q}`, strings.Repeat("x", 2000)))
	send("other", tokens["one"], "one-3", `{"n": "another"}`)
	send("good", tokens["one"], "good", `{"n": 1}`)
	require.Equal(t, http.StatusOK, (<-answers["good"]).status)
	require.Equal(t, http.StatusRequestEntityTooLarge, (<-answers["large"]).status)
	require.Equal(t, http.StatusConflict, (<-answers["other"]).status)
	for name := range tokens {
		require.Empty(t, answers["held "+name], "its key is held")
	}
	require.NoError(t, held.Commit(t.Context()))
	for name := range tokens {
		a := <-answers["held "+name]
		require.NoError(t, a.err)
		require.Equal(t, http.StatusOK, a.status)
		require.Contains(t, string(a.body), `"created":false`)
	}
	s.log.says(t, "token=one", "token=two")
}
