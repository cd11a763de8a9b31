package serve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

func TestServe_SubscriptionsFromSetToDelete(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	s.execute(t, "select tasker.register_namespace('bank')")
	token := s.token(t, "feeder", "operator", "shop")
	path := "/v1/subscriptions/shop_billing"
	require.Equal(t, "TK404", s.send(t, token, "GET", path, "").problem(t, 404).Code)
	var set, got gen.SubscriptionDetail
	s.send(t, token, "PUT", path, `{"kinds": ["task"], "events": ["Create"], "target": {"webhook": {"url": "https://example.org/hook"}}}`).into(t, 200, &set)
	require.Equal(t, []string{"shop"}, set.Namespaces, "a token sees its namespaces only")
	require.JSONEq(t, `{"webhook": {"url": "https://example.org/hook", "own_secret": true}}`, string(set.Target))
	s.send(t, token, "GET", path, "").into(t, 200, &got)
	require.Equal(t, set.CreatedAt, got.CreatedAt)
	s.send(t, token, "PUT", path, `{"kinds": ["step"]}`).into(t, 200, &got)
	require.Equal(t, []string{"step"}, got.Kinds)
	s.send(t, token, "PUT", path, `{"kinds": ["task"], "to_states": ["complete", "error"]}`).into(t, 200, &got)
	require.Equal(t, []string{"complete", "error"}, got.ToStates)
	refused := s.send(t, token, "PUT", path, `{"kinds": ["task"], "events": ["Create", "Complete"]}`).problem(t, 422)
	require.Equal(t, "TK422", refused.Code)
	require.Equal(t, `a task has no event "Complete"`, refused.Detail)
	require.JSONEq(t, "null", string(got.Target), "a field that the request leaves out is null")

	since := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	s.send(t, token, "POST", path+"/replay", `{"since": "`+since.Format(time.RFC3339)+`"}`).into(t, 200, &got)
	require.Equal(t, since, got.CompleteUntil.UTC())
	require.Equal(t, "TK422", s.send(t, token, "POST", path+"/replay", `{"since": "2999-01-01T00:00:00Z"}`).problem(t, 422).Code)
	var dead page[gen.DeadEvent]
	s.send(t, token, "GET", path+"/dead-events", "").into(t, 200, &dead)
	require.Empty(t, dead.Items)
	var all page[gen.SubscriptionDetail]
	s.send(t, s.token(t, "banker", "operator", "bank"), "GET", "/v1/subscriptions", "").into(t, 200, &all)
	require.Empty(t, all.Items, "a subscription of another namespace is not listed")
	require.Equal(t, "TK403", s.send(t, token, "PUT", path, `{"namespaces": ["bank"]}`).problem(t, 403).Code)
	require.Equal(t, "TK403", s.send(t, s.token(t, "looker", "reader", "shop"), "DELETE", path, "").problem(t, 403).Code)
	for _, did := range []bool{true, false} {
		var c serve.Changed
		s.send(t, token, "DELETE", path, "").into(t, 200, &c)
		require.Equal(t, did, c.Changed)
	}
}
