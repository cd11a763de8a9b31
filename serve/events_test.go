package serve_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

func TestEvents_AreEmittedOnceAndListedInPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, "select tasker.register_namespace('shop'); select tasker.register_namespace('bank')")
	token, reader := s.token(t, "hook", "submitter", "shop"), s.token(t, "looker", "reader", "shop")
	var first, again gen.EmittedEvent
	body := `{"namespace": "shop", "name": "paid", "key": "7", "payload": {"amount": 120}}`
	s.send(t, token, "POST", "/v1/events", body, "Idempotency-Key", "evt 1").into(t, 200, &first)
	s.send(t, token, "POST", "/v1/events", body, "Idempotency-Key", "evt 1").into(t, 200, &again)
	require.False(t, first.Repeated)
	require.True(t, again.Repeated)
	require.Equal(t, first.EventUUID, again.EventUUID)
	s.send(t, token, "POST", "/v1/events", `{"namespace": "shop", "name": "paid", "idempotency_key": "a"}`, "Idempotency-Key", "b").problem(t, 422)
	require.Equal(t, "TK403", s.send(t, token, "POST", "/v1/events", `{"namespace": "bank", "name": "paid"}`).problem(t, 403).Code)
	require.Equal(t, "TK403", s.send(t, reader, "POST", "/v1/events", body).problem(t, 403).Code)
	for range 2 {
		s.send(t, token, "POST", "/v1/events", `{"namespace": "shop", "name": "paid"}`).into(t, 200, &again)
		require.False(t, again.Repeated)
	}

	var listed page[gen.BroadcastDetail]
	s.send(t, reader, "GET", "/v1/events?limit=2", "").into(t, 200, &listed)
	require.Len(t, listed.Items, 2)
	s.send(t, reader, "GET", "/v1/events?limit=2&cursor="+*listed.NextCursor, "").into(t, 200, &listed)
	require.Equal(t, first.EventUUID, listed.Items[0].EventUUID)
	require.Nil(t, listed.NextCursor)
	s.send(t, reader, "GET", "/v1/events?key=", "").into(t, 200, &listed)
	require.Len(t, listed.Items, 2)
	var one gen.BroadcastDetail
	s.send(t, reader, "GET", "/v1/events/"+first.EventUUID.String(), "").into(t, 200, &one)
	require.JSONEq(t, `{"amount": 120}`, string(one.Payload))
	require.Equal(t, "TK404", s.send(t, reader, "GET", "/v1/events/"+uuid.NewString(), "").problem(t, 404).Code)
}
