package serve_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

const returns = `select tasker.register_task_template('{"namespace": "shop", "name": "return", "identity_strategy": "caller_provided", "steps": [
	{"name": "approve", "await": {"signal": "approved", "schema": {"type": "object", "required": ["ok"]}}},
	{"name": "refund", "dependencies": ["approve"]}]}')`

type page[Row any] struct {
	Items      []Row   `json:"items"`
	NextCursor *string `json:"next_cursor"`
}

func TestServe_SignalsByTaskAndByKey(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, returns+"; select tasker.register_namespace('bank')")
	token := s.token(t, "hook", "submitter", "shop")
	byKey := `{"namespace": "shop", "task_name": "return", "identity_key": "R-1", "name": "approved", "payload": {"ok": true}`
	p := s.send(t, token, "POST", "/v1/signals", byKey+`}`).problem(t, http.StatusNotFound)
	require.Contains(t, p.Detail, `no task of template "shop/return" has identity key "R-1"`)

	var first, again gen.SignalAnswer
	s.send(t, token, "POST", "/v1/signals", byKey+`, "start": true}`, "Idempotency-Key", "evt 1").into(t, 200, &first)
	require.True(t, first.Created)
	require.EqualValues(t, "delivered", first.Answer)
	require.Equal(t, "token hook", query[string](t, s, "select initiator from tasker.tasks where task_uuid = $1", first.TaskUUID))
	s.send(t, token, "POST", "/v1/signals", byKey+`, "start": true, "idempotency_key": "evt 1"}`).into(t, 200, &again)
	require.False(t, again.Created)
	require.EqualValues(t, "repeated", again.Answer)
	require.Equal(t, first.StepUUID, again.StepUUID)
	s.send(t, token, "POST", "/v1/signals", byKey+`, "idempotency_key": "a"}`, "Idempotency-Key", "b").problem(t, 422)

	path := "/v1/tasks/" + first.TaskUUID.String() + "/signals"
	s.send(t, token, "POST", path, `{"payload": 1}`).problem(t, 422)
	s.send(t, token, "POST", path, `{"name": "not a name"}`).problem(t, 422)
	s.send(t, token, "POST", path, `{"name": "later", "payload": null}`).into(t, 200, &again)
	require.EqualValues(t, "kept", again.Answer)

	reader := s.token(t, "looker", "reader", "shop")
	require.Equal(t, "TK403", s.send(t, reader, "POST", path, `{"name": "approved"}`).problem(t, 403).Code)
	stranger := s.token(t, "stranger", "operator", "bank")
	require.Equal(t, "TK403", s.send(t, stranger, "POST", path, `{"name": "approved"}`).problem(t, 403).Code)
	require.Equal(t, "TK403", s.send(t, stranger, "POST", "/v1/signals", byKey+`, "start": true}`).problem(t, 403).Code)
	require.Equal(t, "TK403", s.send(t, stranger, "GET", path, "").problem(t, 403).Code)

	var sent page[gen.SignalDetail]
	s.send(t, reader, "GET", path+"?limit=1", "").into(t, 200, &sent)
	require.True(t, sent.Items[0].Consumed)
	require.Equal(t, "approve", *sent.Items[0].StepName)
	s.send(t, reader, "GET", path+"?limit=1&cursor="+*sent.NextCursor, "").into(t, 200, &sent)
	require.Equal(t, "later", sent.Items[0].Name)
	require.False(t, sent.Items[0].Consumed)
	require.JSONEq(t, "null", string(sent.Items[0].Payload))

	s.execute(t, "select tasker.cancel_task($1)", first.TaskUUID)
	var late gen.SignalAnswer
	s.send(t, token, "POST", path, `{"name": "approved", "payload": {"ok": 1}}`).into(t, 200, &late)
	require.Equal(t, executor.Ended, late.Answer)
}

func TestServe_PagesThroughTheInbox(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, returns)
	s.execute(t, "select tasker.create_task('shop', 'return', '{}', p_identity_key => g::text) from generate_series(1, 5) as g")
	s.execute(t, `select tasker.register_task_template('{"namespace": "bank", "name": "loan", "steps": [{"name": "sign", "await": {"signal": "signed"}}]}')`)
	s.execute(t, "select tasker.create_task('bank', 'loan')")
	token := s.token(t, "inbox", "reader", "shop")
	seen := map[string]bool{}
	for cursor, pages := "", 0; ; pages++ {
		var p page[gen.WaitDetail]
		s.send(t, token, "GET", "/v1/waits?limit=2&cursor="+url.QueryEscape(cursor), "").into(t, 200, &p)
		for _, w := range p.Items {
			require.Equal(t, "shop", w.Namespace, "a token sees its namespaces")
			require.Equal(t, []string{"approved"}, w.Signals)
			require.False(t, seen[w.StepUUID.String()])
			seen[w.StepUUID.String()] = true
		}
		if p.NextCursor == nil {
			require.Equal(t, 2, pages)
			break
		}
		cursor = *p.NextCursor
	}
	require.Len(t, seen, 5)
	for query, found := range map[string]int{"namespace=shop": 5, "signal=approved": 5, "signal=other": 0, "assignee=finance": 0, "task_name=loan": 0, "older_than_seconds=3600": 0} {
		var p page[gen.WaitDetail]
		s.send(t, token, "GET", "/v1/waits?"+query, "").into(t, 200, &p)
		require.Len(t, p.Items, found, query)
	}
	for _, cursor := range []string{"x", "bGlzdFRhc2tzIHg", "bGlzdFdhaXRzIHg", "bGlzdFdhaXRzIDIwMjYtMDEtMDFUMDA6MDA6MDBa"} {
		s.send(t, token, "GET", fmt.Sprintf("/v1/waits?cursor=%s", cursor), "").problem(t, 422)
	}
	s.send(t, token, "GET", "/v1/waits?namespace=bank", "").problem(t, 403)
}
