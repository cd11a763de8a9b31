package serve_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

// functions makes function_step, a step whose durable function has kept a value and an error and waits for a signal.
const functions = `;
	select tasker.register_task_template('{"namespace": "shop", "name": "function", "identity_strategy": "always_unique", "steps": [{"name": "fulfil"}]}');
	create function public.function_step() returns uuid language plpgsql as $$
	declare
		v_step  uuid := (select tasker.step_uuid(c.task_uuid, 1) from tasker.create_task('shop', 'function') as c);
		v_claim integer := (select c.claim_no from tasker.claim_step(v_step, tasker_test.worker(1)) as c);
	begin
		perform tasker.keep_step_result(v_step, v_claim, 1, 'charge', 1, '{"receipt": "r1"}');
		perform tasker.keep_step_result(v_step, v_claim, 2, 'ship', 1, null, 'no <b>truck</b>');
		perform tasker.suspend_step(v_step, v_claim, 3, '$await.approved', 1,
			'{"await": {"signal": "approved", "schema": {"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}}, "timeout": "3d"}');
		return v_step;
	end;
	$$;
	select tasker_test.worker(1)`

// stepPath returns the path of a step in REST, and the path of the same step on the page.
func stepPath(step string) (rest, page string) {
	task := step[:32] + "0000"
	return "/v1/tasks/" + task + "/workflow_steps/" + step, "/ui/tasks/" + task + "/steps/1"
}

func TestServe_ShowsWhatAFunctionHasKeptAndWaitsFor(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop+functions)
	path, _ := stepPath(query[string](t, s, functionStep))
	token := s.token(t, "looker", "reader", "shop")

	var first, second page[gen.KeptDetail]
	s.send(t, token, "GET", path+"/kept?limit=1", "").into(t, 200, &first)
	require.Len(t, first.Items, 1)
	require.Equal(t, "charge", first.Items[0].Name)
	require.JSONEq(t, `{"receipt": "r1"}`, string(first.Items[0].Value))
	s.send(t, token, "GET", path+"/kept?cursor="+*first.NextCursor, "").into(t, 200, &second)
	require.Len(t, second.Items, 1)
	require.Equal(t, "no <b>truck</b>", *second.Items[0].Error)
	require.Nil(t, second.NextCursor)
	s.send(t, token, "GET", path+"/kept?limit=1&cursor=x", "").problem(t, 422)

	var waits serve.StepWait
	s.send(t, token, "GET", path+"/wait", "").into(t, 200, &waits)
	require.Equal(t, []string{"approved"}, waits.Wait.Signals)
	require.NotNil(t, waits.Wait.DueAt)
	var why gen.StepExplanation
	s.send(t, token, "GET", path+"/explanation", "").into(t, 200, &why)
	require.Contains(t, why.Summary, `It waits for signal "approved"`)
	require.Contains(t, why.Summary, `Its function has kept 2 results, the last one as "ship".`)

	s.execute(t, "select tasker.register_namespace('bank')")
	stranger := s.token(t, "stranger", "operator", "bank")
	other, _ := stepPath(query[string](t, s, readyStep))
	for _, part := range []string{"/kept", "/wait"} {
		require.Equal(t, "TK403", s.send(t, stranger, "GET", path+part, "").problem(t, 403).Code)
		s.send(t, token, "GET", strings.TrimSuffix(path, "0001")+"0009"+part, "").problem(t, 404)
	}
	s.send(t, token, "GET", other+"/wait", "").into(t, 200, &waits)
	require.Nil(t, waits.Wait, "a step that does not wait has no wait")
	s.send(t, token, "GET", other+"/kept", "").into(t, 200, &first)
	require.Empty(t, first.Items, "a handler of another kind")
}

func TestUI_ShowsWhatAFunctionHasKeptAndSendsWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop+functions)
	_, path := stepPath(query[string](t, s, functionStep))
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	shown := b.get(t, path)
	requirePage(t, shown, http.StatusOK, path)
	require.Contains(t, shown.body, "<b>charge</b>")
	require.Contains(t, shown.body, "r1")
	require.Contains(t, shown.body, `<p class="err">no &lt;b&gt;truck&lt;/b&gt;</p>`)
	require.Contains(t, shown.body, path+"/signal?signal=approved")

	asked := path + "/signal?signal=approved"
	require.Contains(t, b.get(t, asked).body, "ok", "the form follows the function's schema")
	done := b.do(t, asked, url.Values{"p.0": {"yes"}})
	requirePage(t, done, http.StatusOK, path)
	require.Contains(t, done.body, "The signal was delivered to fulfil.")
	require.Contains(t, b.get(t, path).body, "<b>$await.approved</b>", "the signal that ended the wait is shown")
}
