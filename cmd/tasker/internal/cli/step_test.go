package cli

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStep_ShowsAndExplains(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order")
	execute(t, pool, `select tasker_test.complete_step($1, '{"shelf": 12}')`, stepOf(id, 1))
	execute(t, pool, "select tasker_test.move_step($1, 'enqueued', 'in_progress')", stepOf(id, 2))
	execute(t, pool, `select tasker_test.fail_step($1, '{"error": "card refused"}')`, stepOf(id, 2))
	execute(t, pool, "select tasker_test.move_step($1, 'error')", stepOf(id, 2))
	execute(t, pool, "select tasker_test.pass('2 h')")

	want := `
step          01234567-89ab-7cde-8f01-234567890001
name          reserve
task          01234567-89ab-7cde-8f01-234567890000
number        1
handler       reserve
state         complete
attempts      1 of 5
created       2026-01-01 12:00:00Z (2h ago)
last attempt  2026-01-01 12:00:00Z (2h ago)
processed     2026-01-01 12:00:00Z (2h ago)

inputs
{
  "warehouse": "north"
}

results
{
  "shelf": 12
}
`
	requireOutput(t, want, must(t, pool, "step", "show", stepOf(id, 1)))
	requireOutput(t, want, must(t, pool, "step", "show", id, "reserve"))

	require.Contains(t, must(t, pool, "step", "show", id, "charge"), "\nerror\ncard refused\n")
	require.Contains(t, must(t, pool, "step", "show", id, "ship"), "parents   0 of 2 settled, 0 satisfied, join all\n")

	out := must(t, pool, "step", "explain", id, "ship")
	require.Contains(t, out, "reason     dependencies_not_satisfied\n")
	require.Contains(t, out, "waits for\ncharge  error\npack    pending\n")
	require.Contains(t, out, "blocked by\ncharge    card refused\n")
}

func TestStep_ShowsWhatAFunctionHasKeptAndWaitsFor(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	id := createTask(t, pool, "shop/order")
	execute(t, pool, "select tasker_test.move_step($1, 'in_progress')", stepOf(id, 1))
	execute(t, pool, `
		select a.answer
		  from tasker.workflow_steps as s
		 cross join lateral tasker.keep_step_result(s.workflow_step_uuid, s.claim_no, 1, 'charge', 1, '{"receipt": "r1"}') as a
		 where s.task_uuid = tasker.task_uuid_of($1) and s.step_no = 1`, stepOf(id, 1))
	execute(t, pool, `
		select a.answer
		  from tasker.workflow_steps as s
		 cross join lateral tasker.keep_step_result(s.workflow_step_uuid, s.claim_no, 2, 'ship', 1, null, 'no truck') as a
		 where s.task_uuid = tasker.task_uuid_of($1) and s.step_no = 1`, stepOf(id, 1))
	execute(t, pool, `
		select a.answer
		  from tasker.workflow_steps as s
		 cross join lateral tasker.suspend_step(s.workflow_step_uuid, s.claim_no, 3, '$await.approved', 1, '{"await": {"signal": "approved"}}') as a
		 where s.task_uuid = tasker.task_uuid_of($1) and s.step_no = 1`, stepOf(id, 1))
	out := must(t, pool, "step", "show", id, "reserve")
	require.Contains(t, out, fmt.Sprintf(`waits for signal "approved": tasker task signal %s approved --payload JSON.`, id))
	require.Contains(t, out, "\nkept\n1  charge  {\"receipt\": \"r1\"}\n2  ship  error: no truck\n")
	require.Contains(t, must(t, pool, "step", "history", id, "reserve"), `signal "approved"`)
}
