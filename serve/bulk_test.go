package serve_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

// blockedTasks makes a site with three tasks of namespace shop that are blocked by failures, each with an open investigation.
func blockedTasks(t *testing.T) *site {
	t.Helper()
	s := newSite(t, serve.Config{})
	s.execute(t, `
		select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
		select tasker.register_task_template('{"namespace": "shop", "name": "return", "identity_strategy": "caller_provided", "steps": [{"name": "b"}]}');
		select tasker.register_task_template('{"namespace": "bank", "name": "loan", "identity_strategy": "caller_provided", "steps": [{"name": "c"}]}');
		select tasker.create_task('shop', 'order', p_identity_key => 'k'), tasker.create_task('shop', 'return', p_identity_key => 'k'),
		       tasker.create_task('shop', 'order', p_identity_key => 'l'), tasker.create_task('bank', 'loan', p_identity_key => 'k');
		select tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{no}', '{t}') from tasker.claim_steps('{shop}', gen_random_uuid(), 10) as c;
		select tasker.create_dlq_entry(t.task_uuid, 'manual_dlq', 'odd') from tasker.list_tasks('shop') as t`)
	return s
}

func TestResetTasks_InBatches(t *testing.T) {
	t.Parallel()
	s := blockedTasks(t)
	token, bank := s.token(t, "ops", "operator", "shop"), s.token(t, "bank", "operator", "bank")
	outcomes := func(p page[gen.TaskReset]) (all []string) {
		for _, r := range p.Items {
			all = append(all, r.Outcome)
		}
		return all
	}
	var p page[gen.TaskReset]
	s.send(t, token, "POST", "/v1/tasks/reset", `{"reason": "the bank is back", "dry_run": true}`).into(t, 200, &p)
	require.Equal(t, []string{"matched", "matched", "matched"}, outcomes(p))
	require.Nil(t, p.NextCursor)
	s.send(t, bank, "POST", "/v1/tasks/reset", `{"reason": "the bank is back"}`).into(t, 200, &p)
	require.Empty(t, p.Items, "a token reaches its namespaces only")

	s.send(t, token, "POST", "/v1/tasks/reset", `{"reason": "the bank is back", "limit": 2}`).into(t, 200, &p)
	require.Equal(t, []string{"reset", "reset"}, outcomes(p))
	next := `"` + *p.NextCursor + `"`
	s.send(t, token, "POST", "/v1/tasks/reset", `{"reason": "the bank is back", "limit": 2, "cursor": `+next+`}`).into(t, 200, &p)
	require.Equal(t, []string{"reset"}, outcomes(p))
	require.Nil(t, p.NextCursor)
	s.send(t, token, "POST", "/v1/tasks/reset", `{"reason": "the bank is back", "state": "error"}`).into(t, 200, &p)
	require.Empty(t, p.Items)
	for _, body := range []string{`{}`, `{"reason": "x", "state": "complete"}`, `{"reason": "x", "limit": 1001}`, `{"reason": "x", "cursor": "x"}`} {
		s.send(t, token, "POST", "/v1/tasks/reset", body).problem(t, 422)
	}
	s.send(t, token, "POST", "/v1/dead-letters/requeue", `{"notes": "x", "cursor": `+next+`}`).problem(t, 422)
}

func TestRequeueDeadLetters_InBatches(t *testing.T) {
	t.Parallel()
	s := blockedTasks(t)
	token := s.token(t, "ops", "operator", "shop")
	requeued := map[uuid.UUID]string{}
	var p page[gen.DLQRequeue]
	s.send(t, token, "POST", "/v1/dead-letters/requeue", `{"notes": "mended", "dry_run": true, "reason": "manual_dlq", "namespace": "shop"}`).into(t, 200, &p)
	require.Len(t, p.Items, 3)
	cursor := "null"
	for range 2 {
		s.send(t, token, "POST", "/v1/dead-letters/requeue", `{"notes": "mended", "limit": 2, "cursor": `+cursor+`}`).into(t, 200, &p)
		for _, r := range p.Items {
			requeued[r.TaskUUID] = r.Outcome
		}
		if p.NextCursor != nil {
			cursor = `"` + *p.NextCursor + `"`
		}
	}
	require.Len(t, requeued, 3)
	for _, outcome := range requeued {
		require.Equal(t, "requeued", outcome)
	}
	require.Nil(t, p.NextCursor)
	s.send(t, token, "POST", "/v1/dead-letters/requeue", `{"dry_run": true}`).problem(t, 422)
}

func TestListTasks_ByIdentityKey(t *testing.T) {
	t.Parallel()
	s := blockedTasks(t)
	token := s.token(t, "look", "reader", "shop")
	var p page[executor.TaskDetail]
	names := func() (all []string) {
		for _, d := range p.Items {
			all = append(all, d.Namespace+"/"+d.Name)
		}
		return all
	}
	s.send(t, token, "GET", "/v1/tasks?key=k", "").into(t, 200, &p)
	require.ElementsMatch(t, []string{"shop/order", "shop/return"}, names(), "tasks of the token's namespaces")
	require.Nil(t, p.NextCursor)
	s.send(t, token, "GET", "/v1/tasks?key=k&namespace=shop&name=order", "").into(t, 200, &p)
	require.Equal(t, []string{"shop/order"}, names())
	s.send(t, token, "GET", "/v1/tasks?key=unknown", "").into(t, 200, &p)
	require.Empty(t, p.Items)

	seen := map[uuid.UUID]bool{}
	s.send(t, token, "GET", "/v1/tasks?key=k&limit=1", "").into(t, 200, &p)
	for p.NextCursor != nil {
		require.Len(t, p.Items, 1)
		seen[p.Items[0].TaskUUID] = true
		s.send(t, token, "GET", "/v1/tasks?key=k&limit=1&cursor="+*p.NextCursor, "").into(t, 200, &p)
	}
	require.Len(t, seen, 2)
	s.send(t, token, "GET", "/v1/tasks?key=k&state=error", "").into(t, 200, &p)
	require.Empty(t, p.Items, "the key goes with other filters")
	s.send(t, token, "GET", "/v1/tasks?key=k&state=open", "").into(t, 200, &p)
	require.NotEmpty(t, p.Items)
}
