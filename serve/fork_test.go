package serve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

func TestForkTask_IsRepeatedByItsKey(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "a"}, {"name": "b"}]}')`)
	token := s.token(t, "ops", "operator", "shop")
	var task, first, again serve.Forked
	s.send(t, token, "POST", "/v1/tasks", `{"namespace": "shop", "name": "order"}`).into(t, 200, &task)
	path := "/v1/tasks/" + task.TaskUUID.String() + "/fork"
	s.send(t, token, "POST", path, `{"from_step": "a"}`, "Idempotency-Key", "k").into(t, 200, &first)
	s.send(t, token, "POST", path, `{"from_step": "a", "key": "k"}`).into(t, 200, &again)
	require.Equal(t, first, again)
	s.send(t, token, "POST", path, `{"from_step": "a"}`).into(t, 200, &again)
	require.NotEqual(t, first, again)
	require.Equal(t, "TK409", s.send(t, token, "POST", path, `{"from_step": "b", "key": "k"}`).problem(t, 409).Code)
	s.send(t, token, "POST", path, `{"from_step": "a", "key": "k"}`, "Idempotency-Key", "other").problem(t, 422)
}
