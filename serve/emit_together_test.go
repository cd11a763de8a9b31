package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

// TestServe_EventsTravelTogether has events of two tokens come while one of each token waits for an idempotency key that another transaction
// holds.
func TestServe_EventsTravelTogether(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{Timeout: time.Hour})
	s.execute(t, shop)
	tokens := map[string]string{"one": s.token(t, "one", "submitter", "shop"), "two": s.token(t, "two", "submitter", "shop")}
	held, err := s.admin.Begin(t.Context())
	require.NoError(t, err)
	defer held.Rollback(context.Background()) //nolint:errcheck // After a failure, so that the requests end.
	_, err = held.Exec(t.Context(), `select tasker.emit_event('shop', 'paid', p_idempotency_key => 'held')`)
	require.NoError(t, err)

	type got struct {
		answer
		err error
	}
	answers := map[string]chan got{}
	send := func(name, token, event, key string) {
		answers[name] = make(chan got, 1)
		go func() {
			a, err := s.try(t.Context(), token, "POST", "/v1/events",
				fmt.Sprintf(`{"namespace": "shop", "name": %q, "key": %q, "idempotency_key": %q}`, event, key, key))
			answers[name] <- got{a, err}
		}()
	}
	for name, token := range tokens {
		send("held "+name, token, "paid", "held")
	}
	require.Eventually(t, func() bool {
		return query[int](t, s, `select count(*)::int from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`, s.login) == 2
	}, within, time.Millisecond)
	for i := range 12 {
		for name, token := range tokens {
			send(fmt.Sprint(name, "-", i), token, "paid", fmt.Sprint(name, "-", i))
		}
	}
	send("bad", tokens["one"], "$bad", "bad")
	for i := range 12 {
		for name := range tokens {
			key := fmt.Sprint(name, "-", i)
			a := <-answers[key]
			require.NoError(t, a.err)
			var made gen.EmittedEvent
			a.into(t, http.StatusOK, &made)
			require.Equal(t, key, query[string](t, s, "select b.key from tasker.broadcasts as b where b.event_uuid = $1", made.EventUUID))
		}
	}
	require.Equal(t, http.StatusUnprocessableEntity, (<-answers["bad"]).status)
	require.Less(t, query[int](t, s, `select count(distinct b.xmin::text)::int from tasker.broadcasts as b where b.key ~ '-'`), 24, "no two events shared a transaction")
	require.Zero(t, query[int](t, s, `select count(*)::int from (
		select from tasker.broadcasts as b group by b.xmin::text having count(distinct b.sent_by) > 1) as b`), "two tokens shared one")
	require.Equal(t, 12, query[int](t, s, `select count(*)::int from tasker.broadcasts as b where b.sent_by like '%two%' and b.key ~ '-'`))
	require.NoError(t, held.Commit(t.Context()))
	for name := range tokens {
		a := <-answers["held "+name]
		require.NoError(t, a.err)
		require.Contains(t, string(a.body), `"repeated":true`)
	}
}
