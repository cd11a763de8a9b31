package serve_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// call is a request that succeeds: what stands for the parameters of the path, the query, and the body.
type call struct {
	path        map[string]string
	query, body string
	// before makes what the call is about, and returns what {task} and {step} or {entry} are.
	before string
}

// What the calls are about, as SQL that returns its UUID as text.
const (
	openTask     = "select task_uuid::text from tasker.create_task('shop', 'order', '{}', p_identity_key => gen_random_uuid()::text)"
	blockedTask  = "select tasker_test.make_task_in('blocked_by_failures')::text"
	failedStep   = "select public.failed_step()::text"
	claimedStep  = "select public.claimed_step()::text"
	writingStep  = "select public.writing_step()::text"
	readyStep    = "select tasker.step_uuid(task_uuid, 1)::text from tasker.create_task('shop', 'order', '{}', p_identity_key => gen_random_uuid()::text)"
	waitingTask  = "select public.waiting_task()::text"
	emitted      = "select event_uuid::text from tasker.emit_event('shop', 'paid', '7')"
	functionStep = "select public.function_step()::text"
	scheduled    = "select public.scheduled()::text"
	selected     = "select selection_uuid::text from tasker.create_selection('tasks', null, array[tasker_test.make_task_in('blocked_by_failures')])"
	massAction   = "select public.mass_action()::text"
	blockedRun   = "select tasker_test.blocked_run()::text"
	endedTask    = "select tasker_test.make_task_in('cancelled')::text"
	investigated = "select tasker.create_dlq_entry(tasker_test.make_task_in('blocked_by_failures'))::text"
)

// good has a request for every operation. One that is missing here fails the test.
var good = map[string]call{
	"createTask":    {body: `{"namespace": "shop", "name": "order", "identity_key": "contract", "tags": ["x"], "priority": 5, "identity_scope": "open", "throttle_limit": 1000, "throttle_seconds": 1}`},
	"createTasks":   {body: `{"namespace": "shop", "name": "order", "contexts": [{}, {}], "identity_keys": ["contract 1", "contract 2"]}`},
	"listTasks":     {query: "?namespace=shop&limit=1&tag=x&requested_after=2020-01-01T00:00:00Z&oldest_first=true"},
	"countTasks":    {query: "?namespace=shop&error=x&longer_than_seconds=5&where=$.total+%3E+100"},
	"getTask":       {before: openTask},
	"waitForTask":   {before: openTask, query: "?timeout_seconds=0"},
	"getTaskResult": {before: blockedTask, query: "?step=a"},
	"explainTask":   {before: blockedTask},
	"getTaskAudit":  {before: blockedTask},

	"getTaskHistory":    {before: blockedTask, query: "?limit=10"},
	"getTaskGraph":      {before: openTask},
	"getTaskTree":       {before: openTask, query: "?limit=10"},
	"getTaskStory":      {before: blockedTask, query: "?limit=10"},
	"exportTask":        {before: blockedTask, query: "?payloads=false&blank=$.x"},
	"cancelTask":        {before: openTask, body: `{"reason": "contract", "actor": "ann"}`},
	"resetTasks":        {before: blockedTask, body: `{"reason": "contract", "tags": [], "requested_after": "2020-01-01T00:00:00Z", "limit": 1, "actor": "ann"}`},
	"pauseTask":         {before: openTask, body: `{"reason": "contract", "actor": "ann"}`},
	"resumeTask":        {before: openTask},
	"changeTask":        {before: openTask, body: `{"priority": 5, "deadline": "2100-01-01T00:00:00Z", "context": {"n": 1}, "reason": "contract", "actor": "ann"}`},
	"resetTask":         {before: blockedTask},
	"cancelTasks":       {before: openTask, body: `{"reason": "contract", "namespace": "test", "tags": [], "requested_after": "2020-01-01T00:00:00Z", "limit": 1, "actor": "ann"}`},
	"eraseTask":         {before: endedTask, body: `{"reason": "contract", "children": true, "actor": "ann"}`},
	"eraseTasks":        {before: endedTask, body: `{"reason": "contract", "requested_before": "2100-01-01T00:00:00Z", "limit": 1, "children": true, "actor": "ann"}`},
	"listErasures":      {before: endedTask, query: "?limit=1&namespace=test"},
	"resolveTask":       {before: blockedTask},
	"giveUpTask":        {before: blockedTask},
	"skipBlockedRun":    {before: blockedRun, body: `{"reason": "contract", "actor": "ann"}`},
	"listRuns":          {before: blockedRun, query: "?namespace=test&name=sequence&limit=1"},
	"forkTask":          {before: openTask, body: `{"from_step": "b", "cancel": true, "reason": "contract", "actor": "ann", "key": "f1"}`},
	"getTaskAttributes": {before: openTask, query: "?task_uuid=01980000-0000-7000-8000-000000000000"},
	"listAttributes":    {query: "?namespace=shop"},

	"listSteps":           {before: blockedTask},
	"getStep":             {before: failedStep},
	"explainStep":         {before: failedStep},
	"getStepHistory":      {before: failedStep},
	"getStepAudit":        {before: failedStep},
	"getStepDependencies": {before: failedStep},
	"getKeptResults":      {before: functionStep, query: "?limit=1"},
	"getStepWait":         {before: functionStep},
	"retryStep":           {before: failedStep},
	"retrySteps":          {before: failedStep, body: `{"reason": "contract", "namespace": "test", "error": "no", "limit": 1, "actor": "ann"}`},
	"completeStep":        {before: readyStep, body: `{"results": {"n": 12345678901234567890}}`},
	"previewRerun":        {before: failedStep},
	"rerunStep":           {before: failedStep, body: `{"reason": "contract", "actor": "ann", "results": {"n": 12345678901234567890}}`},
	"resolveStep":         {before: failedStep},

	"listStreams":  {before: writingStep, query: "?limit=1&name=rows&after_step_no=0&after_name=a"},
	"listProgress": {before: writingStep, query: "?task_uuid=01980000-0000-7000-8000-000000000000"},
	"readStream":   {before: writingStep, path: map[string]string{"stream": "rows"}, query: "?after=0&limit=2&search=one"},
	"waitForValue": {before: writingStep, path: map[string]string{"name": "progress"}, query: "?after=0&timeout_seconds=1"},
	"appendItems":  {before: claimedStep, path: map[string]string{"stream": "rows"}, body: `{"claim_no": 1, "items": ["one", {"n": 12345678901234567890}], "batch_no": 1}`},
	"setValue":     {before: claimedStep, path: map[string]string{"name": "progress"}, body: `{"claim_no": 1, "value": {"done": 0.5, "text": "half"}}`},

	"exchangeSteps": {before: readyStep, body: `{"worker_uuid": "22222222-2222-4222-8222-222222222222", "request_uuid": "33333333-3333-4333-8333-333333333333",
		"namespaces": ["shop"], "handlers": ["a"], "limit": 1, "lease_seconds": 30, "results": [{"step_uuid": "{uuid}", "claim_no": 1, "result": {"n": 12345678901234567890}}]}`},
	"registerWorker":    {body: `{"worker_uuid": "22222222-2222-4222-8222-222222222222", "name": "contract", "namespaces": ["shop"], "handlers": ["a"]}`},
	"extendLeases":      {before: claimedStep, body: `{"claims": [{"step_uuid": "{uuid}", "claim_no": 1}], "lease_seconds": 30}`},
	"releaseSteps":      {before: claimedStep, body: `{"claims": [{"step_uuid": "{uuid}", "claim_no": 1}]}`},
	"checkpointStep":    {before: claimedStep, body: `{"claim_no": 1, "checkpoint": {"n": 12345678901234567890}}`},
	"keepStepResult":    {before: claimedStep, body: `{"claim_no": 1, "position": 1, "name": "charge", "occurrence": 1, "value": {"n": 12345678901234567890}}`},
	"snoozeStep":        {before: claimedStep, body: `{"claim_no": 1, "seconds": 60, "reason": "the service is closed"}`},
	"suspendStep":       {before: claimedStep, body: `{"claim_no": 1, "position": 1, "name": "$sleep", "occurrence": 1, "wait": {"await": [{"for": "1h"}]}}`},
	"divergeStep":       {before: claimedStep, body: `{"claim_no": 1, "position": 0, "name": "make"}`},
	"continueStep":      {before: claimedStep, body: `{"claim_no": 1, "round": 0, "state": {"n": 1}}`},
	"getParentResults":  {before: claimedStep, query: "?limit=1"},
	"getAncestorResult": {before: claimedStep, query: "?name=a"},

	"listLimits":    {query: "?namespace=shop"},
	"getLimit":      {path: map[string]string{"namespace": "shop", "name": "stripe"}},
	"listLimitKeys": {path: map[string]string{"namespace": "shop", "name": "stripe"}, query: "?limit=1"},
	"setLimit":      {path: map[string]string{"namespace": "shop", "name": "stripe"}, body: `{"concurrency": 20, "rate": 100, "per_seconds": 60, "burst": 5, "actor": "ann"}`},
	"setLimitKey":   {path: map[string]string{"namespace": "shop", "name": "stripe"}, body: `{"limit_key": "premium", "concurrency": 50, "rate": 100, "per_seconds": 60, "burst": 5, "actor": "ann"}`},
	"dropLimitKey":  {path: map[string]string{"namespace": "shop", "name": "stripe"}, query: "?limit_key=premium"},
	"dropLimit":     {path: map[string]string{"namespace": "shop", "name": "stripe"}},

	"listWaits":       {before: waitingTask, query: "?namespace=shop&task_name=return&signal=approved&assignee=finance&older_than_seconds=0&limit=1"},
	"sendSignal":      {before: waitingTask, body: `{"name": "approved", "payload": {"ok": true}, "idempotency_key": "evt"}`},
	"listSignals":     {before: waitingTask, query: "?limit=1"},
	"testEvent":       {body: `{"namespace": "shop", "name": "paid", "key": "7", "payload": {"n": 1}}`},
	"emitEvent":       {body: `{"namespace": "shop", "name": "paid", "key": "7", "payload": {"n": 1}, "idempotency_key": "evt"}`},
	"getEvent":        {before: emitted},
	"listEvents":      {before: emitted, query: "?namespace=shop&name=paid&key=7&limit=1"},
	"sendSignalByKey": {body: `{"namespace": "shop", "task_name": "return", "identity_key": "contract", "name": "approved", "payload": {"ok": true}, "start": true, "context": {"n": 1}, "tags": ["x"]}`},

	"listSchedules":     {before: scheduled, query: "?namespace=shop"},
	"getSchedule":       {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}},
	"setSchedule":       {path: map[string]string{"namespace": "shop", "schedule": "hourly"}, body: `{"task_name": "order", "cron": "0 * * * *", "timezone": "Europe/Berlin", "overlap": "skip", "tags": ["x"], "context": {"n": 1}}`},
	"deleteSchedule":    {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}},
	"pauseSchedule":     {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}, body: `{"actor": "ann"}`},
	"resumeSchedule":    {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}},
	"runSchedule":       {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}},
	"backfillSchedule":  {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}, body: `{"from": "2020-01-01T00:00:00Z", "until": "2020-01-03T00:00:00Z", "overlap": "allow"}`},
	"listScheduleTicks": {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}, query: "?limit=1"},
	"listNextRuns":      {before: scheduled, path: map[string]string{"namespace": "shop", "schedule": "nightly"}, query: "?limit=3"},

	"registerTemplate":    {body: `{"namespace": "shop", "name": "contract", "steps": [{"name": "a"}]}`},
	"checkTemplateChange": {body: `{"namespace": "shop", "name": "order", "steps": [{"name": "a"}]}`},
	"validateTemplate":    {body: `{"namespace": "shop", "name": "contract", "steps": []}`},
	"listTemplates":       {},
	"getTemplate":         {path: map[string]string{"namespace": "shop", "name": "order"}},
	"retireTemplate":      {path: map[string]string{"namespace": "shop", "name": "old", "version": "0.1.0"}},

	"listNamespaces":    {},
	"registerNamespace": {path: map[string]string{"namespace": "made"}, body: `{"description": "By the test"}`},
	"pauseNamespace":    {path: map[string]string{"namespace": "quiet"}},
	"resumeNamespace":   {path: map[string]string{"namespace": "quiet"}},

	"listQueues":        {},
	"listMessageQueues": {},
	"listMessages":      {path: map[string]string{"queue": "worker_shop_queue"}, query: "?limit=1"},

	"listSubscriptions":  {},
	"getSubscription":    {path: map[string]string{"subscription": "kept"}},
	"setSubscription":    {path: map[string]string{"subscription": "made"}, body: `{"namespaces": ["shop"], "kinds": ["task"], "events": ["Create", "AllStepsSuccessful"], "to_states": ["pending", "complete"], "target": {"webhook": {"url": "https://example.org/hook"}}, "since": "2026-01-01T00:00:00Z"}`},
	"replaySubscription": {path: map[string]string{"subscription": "kept"}, body: `{"since": "2026-01-01T00:00:00Z"}`},
	"deleteSubscription": {path: map[string]string{"subscription": "gone"}},
	"listDeadEvents":     {path: map[string]string{"subscription": "kept"}, query: "?limit=1"},

	"listDeadLetters":      {before: investigated},
	"summarizeDeadLetters": {before: investigated},
	"listInvestigations":   {before: investigated},
	"getDeadLetter":        {before: investigated},
	"createDeadLetter":     {before: blockedTask, body: `{"task_uuid": "{uuid}", "notes": "contract"}`},
	"resolveDeadLetter":    {before: investigated, body: `{"resolution_status": "cancelled"}`},
	"requeueDeadLetter":    {before: investigated},
	"requeueDeadLetters":   {before: investigated, body: `{"notes": "contract", "dry_run": false, "limit": 1}`},

	"listAudit":             {before: failedStep, query: "?since=2020-01-01T00:00:00Z"},
	"getAuditByCorrelation": {before: blockedTask},
	"getAuditByWorker":      {path: map[string]string{"worker_uuid": "11111111-1111-4111-8111-111111111111"}},
	"checkIntegrity":        {},
	"listAdministration":    {query: "?kind=named_tasks&object=shop/order/1.0.0&limit=1"},

	"getHealth": {}, "listStaleTasks": {before: openTask}, "listWorkers": {}, "listUnservedSteps": {before: openTask}, "listMaintenance": {}, "checkInstallation": {},
	"listIncidents": {}, "getVerdict": {}, "listIncidentRules": {},
	"getIncident":          {path: map[string]string{"incident": "paused:calm"}},
	"listIncidentShares":   {path: map[string]string{"incident": "failing:7"}},
	"listIncidentSteps":    {path: map[string]string{"incident": "failing:7"}, query: "?limit=1"},
	"acknowledgeIncident":  {path: map[string]string{"incident": "paused:calm"}, body: `{"until": "2099-01-01T00:00:00Z", "reason": "contract"}`},
	"createSelection":      {before: openTask, body: `{"kind": "tasks", "ids": ["{uuid}"], "actor": "ann"}`},
	"previewSelection":     {body: `{"kind": "tasks", "filters": {"namespace": "shop"}}`},
	"getSelection":         {before: selected},
	"listSelectionEntries": {before: massAction, query: "?limit=1&state=waits"},
	"startMassAction":      {before: selected, body: `{"action": "reset", "entries": 1, "reason": "contract", "arguments": {}, "at_once": true, "per_minute": 60, "stop_share": 0.5, "canary_seconds": 60, "actor": "ann"}`},
	"listMassActions":      {before: massAction, query: "?limit=1"},
	"getMassAction":        {before: massAction},
	"stopMassAction":       {before: massAction, body: `{"reason": "contract"}`},
	"resumeMassAction":     {before: massAction},
	"listHandlerPauses":    {query: "?namespace=calm"},
	"pauseTemplate":        {path: map[string]string{"namespace": "quiet", "name": "still"}, body: `{"until": "2099-01-01T00:00:00Z", "shared": true, "reason": "contract"}`},
	"resumeTemplate":       {path: map[string]string{"namespace": "quiet", "name": "still"}},
	"pauseHandler":         {path: map[string]string{"namespace": "quiet", "handler": "a"}, body: `{"until": "2099-01-01T00:00:00Z", "reason": "contract"}`},
	"resumeHandler":        {path: map[string]string{"namespace": "quiet", "handler": "a"}},
	"getAnalytics":         {}, "getThroughput": {query: "?bucket_seconds=3600"}, "getQueueHistory": {query: "?bucket_seconds=3600&namespace=shop"}, "getSlowestSteps": {}, "getSlowestTasks": {}, "getTotals": {},
	"listSettings": {}, "setSetting": {path: map[string]string{"setting": "result_bytes"}, body: `{"value": "2000000"}`},
	"getPartitioning": {}, "listPartitions": {}, "listHeldPartitions": {}, "analyzeGrowth": {}, "ensurePartitions": {}, "listRetentions": {},
	"setRetention": {path: map[string]string{"namespace": "shop"}, body: `{"keep_for": "2 years"}`},
}

const contractFixture = shop + functions + `;
	create function public.failed_step() returns uuid language plpgsql as $$
	declare
		v_task uuid := tasker_test.make_task_in('blocked_by_failures');
	begin
		return (select s.workflow_step_uuid from tasker.workflow_steps as s where s.task_uuid = v_task and s.state = 'error');
	end;
	$$;
	create function public.scheduled() returns uuid language plpgsql as $$
	declare
		v_schedule uuid := (select s.schedule_uuid from tasker.set_schedule('shop', 'nightly', 'return', '0 2 * * *') as s);
	begin
		perform tasker.run_schedule_now('shop', 'nightly') from generate_series(1, 2);
		perform tasker.backfill_schedule('shop', 'nightly', null, null);
		return v_schedule;
	end;
	$$;
	create function public.mass_action() returns uuid language plpgsql as $$
	declare
		v_set uuid := (select s.selection_uuid from tasker.create_selection('tasks', null, array[tasker_test.make_task_in('blocked_by_failures')]) as s);
	begin
		perform tasker.start_mass_action(v_set, 'reset', 1, 'contract');
		return v_set;
	end;
	$$;
	create function public.writing_step() returns uuid language plpgsql as $$
	declare
		v_step uuid := public.claimed_step();
	begin
		perform tasker.append_items(v_step, 1, 'rows', '["one", {"n": 2}]');
		perform tasker.set_value(v_step, 1, 'progress', '{"done": 0.25, "text": "a quarter"}');
		return v_step;
	end;
	$$;
	create function public.claimed_step() returns uuid language plpgsql as $$
	begin
		perform tasker.create_task('shop', 'order', '{}', p_identity_key => gen_random_uuid()::text);
		return (select c.step_uuid from tasker.claim_steps('{shop}', gen_random_uuid(), 1, p_handlers => '{a}') as c);
	end;
	$$;
	create function public.waiting_task() returns uuid language plpgsql as $$
	declare
		v_task uuid := (select task_uuid from tasker.create_task('shop', 'return', '{}', p_identity_key => gen_random_uuid()::text));
	begin
		perform tasker.send_signal(v_task, 'seen', '1');
		perform tasker.send_signal(v_task, 'seen', '2');
		return v_task;
	end;
	$$;
	select tasker.register_task_template('{"namespace": "shop", "name": "return", "identity_strategy": "caller_provided", "steps": [
	  {"name": "approve", "description": "May it come back?", "assignee": "finance", "timeout": "3d",
	   "await": {"signal": "approved", "schema": {"required": ["ok"]}}}]}');
	select tasker.register_task_template('{"namespace": "shop", "name": "old", "steps": [{"name": "a", "limit": "stripe"}]}');
	select tasker.set_limit('shop', 'stripe', 20);
	select tasker.register_namespace('quiet');
	select tasker.register_task_template('{"namespace": "quiet", "name": "still", "steps": [{"name": "still"}]}');
	select tasker.register_namespace('calm');
	select tasker.pause_namespace('calm', 'ann');
	insert into tasker.error_causes (fingerprint, namespace, handler, masked, first_error, first_step, first_at, last_at)
	values (7, 'shop', 'a', 'it broke', 'it broke', gen_random_uuid(), tasker.clock(), tasker.clock());
	select tasker.judge_incidents();
	select tasker.subscribe('kept', '{"namespaces": ["shop"]}');
	select tasker.ensure_task_queue('worker_shop_queue');
	select tasker.pgmq_send_batch_with_notify('worker_shop_queue', array['{}', '{"n": 9007199254740993}']::jsonb[]);
	select tasker.register_worker('11111111-1111-4111-8111-111111111111', 'contract', '{shop}', '{a}')`

// newContract returns a site with everything that the calls name.
func newContract(t testing.TB) *site {
	t.Helper()
	for _, o := range documented(t) {
		callOf(t, o)
	}
	s := newSite(t, serve.Config{})
	s.execute(t, contractFixture)
	return s
}

// callOf returns the call of an operation.
func callOf(t testing.TB, o route) call {
	t.Helper()
	c, found := good[o.id]
	if !found {
		t.Fatalf("operation %s has no call: add one that succeeds to good in serve/contract_test.go", o.id)
	}
	return c
}

// url returns where a call goes, and its body.
func (c call) url(t testing.TB, s *site, o route) (path, body string) {
	t.Helper()
	path, body = o.path, c.body
	if c.before != "" {
		id := query[string](t, s, c.before)
		path = strings.NewReplacer("{step_uuid}", id, "{task_uuid}", id[:32]+"0000", "{dlq_entry_uuid}", id, "{event_uuid}", id, "{selection_uuid}", id, "{correlation_id}", id).Replace(path)
		body = strings.ReplaceAll(body, "{uuid}", id)
	}
	for name, value := range c.path {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	require.NotContains(t, path, "{", "the call of %s lacks a parameter", o.id)
	return path + c.query, body
}

// requireDocumented fails the test unless the document has the answer, status and form.
func requireDocumented(t testing.TB, c checker, o route, a answer, what ...any) {
	t.Helper()
	schema, found := o.responses[strconv.Itoa(a.status)]
	require.True(t, found, "%s answers %d: %s %s", o.id, a.status, a.body, fmt.Sprint(what...))
	require.NotEqual(t, 500, a.status, "%s: %s %s", o.id, a.body, fmt.Sprint(what...))
	require.Empty(t, c.check(o.id, schema, decoded(t, a.body)), "%s %s", a.body, fmt.Sprint(what...))
}

func TestContract_EveryOperationAnswersAsDocumented(t *testing.T) {
	t.Parallel()
	s, c := newContract(t), newChecker(t)
	token := s.token(t, "ops", "operator", "*")
	gone := maps.Clone(good)
	for _, o := range documented(t) {
		path, body := callOf(t, o).url(t, s, o)
		delete(gone, o.id)
		a := s.send(t, token, o.method, path, body)
		require.Equal(t, 200, a.status, "%s: %s", o.id, a.body)
		requireDocumented(t, c, o, a)
	}
	require.Empty(t, slices.Collect(maps.Keys(gone)), "good in serve/contract_test.go has calls of operations that there are not")
}

func TestContract_EveryRoleAndForeignTokensGetDocumentedAnswers(t *testing.T) {
	t.Parallel()
	s, c := newContract(t), newChecker(t)
	tokens := map[string]string{}
	for _, role := range []string{"submitter", "worker", "orchestrator", "operator", "reader"} {
		tokens[role] = s.token(t, role, role, "*")
		tokens[role+" of shop"] = s.token(t, role+"-shop", role, "shop")
		tokens[role+" of nothing"] = s.token(t, role+"-none", role)
	}
	answered := map[string]int{}
	for _, o := range documented(t) {
		for name, token := range tokens {
			path, body := callOf(t, o).url(t, s, o)
			a := s.send(t, token, o.method, path, body)
			requireDocumented(t, c, o, a, name)
			if a.status == 200 {
				answered[name]++
			}
			if strings.HasSuffix(name, "of nothing") && a.status == 200 {
				require.NotRegexp(t, `shop|"test"`, string(a.body), "%s as %s", o.id, name)
			}
			if strings.HasSuffix(name, "of shop") && a.status == 200 {
				require.NotContains(t, string(a.body), `"namespace":"test"`, "%s as %s", o.id, name)
			}
		}
		s.send(t, "", o.method, strings.NewReplacer("{", "", "}", "").Replace(o.path), "").problem(t, 401)
	}
	require.Greater(t, answered["operator"], answered["reader"])
	require.Greater(t, answered["reader"], answered["reader of shop"])
	require.Greater(t, answered["reader of shop"], 10)
}

// tooLarge has a context that is larger than the setting context_bytes.
var tooLarge = `{"namespace": "shop", "name": "order", "identity_key": "large", "context": {"x": "` + strings.Repeat("x", 2<<20) + `"}}`

// Bad values for a parameter and for a body.
var (
	hostileTexts = []string{
		"", "0", "-1", "99999999999999999999", "1e3", "null", "NaN", "''; drop table tasker.tasks; --", "\x00", "\xff\xfe", "é\u202e", strings.Repeat("x", 3000),
		"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "{}", "%s",
	}
	hostileBodies = []string{
		"", "null", "[]", "1", `"x"`, "{", `{"x": 1}`, "{}{}", `{"namespace": "shop", "name": "order", "context": {"a": "\u0000"}}`,
		`{"namespace": "shop", "name": "order", "context": []}`, `{"namespace": 1}`, `{"namespace": "shop", "name": "order", "priority": 1e9}`,
		tooLarge, strings.Repeat("[", 20000), "\xff", `{"reason": "\ud800"}`,
		`{"reason": "` + strings.Repeat("x", 100000) + `"}`, `{"actor": "` + strings.Repeat("x", 1000) + `"}`, `{"value": null}`, `{"steps": {}}`,
	}
)

func TestContract_BadInputGetsDocumentedAnswers(t *testing.T) {
	t.Parallel()
	s, c := newContract(t), newChecker(t)
	token := s.token(t, "ops", "operator", "*")
	refused := map[int]int{}
	turn := 0
	some := func(all []string) (part []string) { // All of them take minutes: PGTASKER_SOAK tries them.
		for range requests(6, len(all)) {
			part = append(part, all[turn%len(all)])
			turn++
		}
		return part
	}
	for _, o := range documented(t) {
		path, body := callOf(t, o).url(t, s, o)
		bare, _, _ := strings.Cut(path, "?")
		for _, p := range o.parameters {
			for _, value := range some(hostileTexts) {
				to, headers := bare, []string(nil)
				switch p.In {
				case "query":
					to += "?" + url.Values{p.Name: {value}}.Encode()
				case "path":
					to = strings.ReplaceAll(o.path, "{"+p.Name+"}", url.PathEscape(value))
					given := strings.Split(bare, "/")
					for i, part := range strings.Split(o.path, "/") {
						if strings.HasPrefix(part, "{") && part != "{"+p.Name+"}" {
							to = strings.ReplaceAll(to, part, given[i])
						}
					}
					if value == "" {
						continue // Another path.
					}
				case "header":
					if strings.ContainsAny(value, "\x00") {
						continue // Not sent by a client.
					}
					headers = []string{p.Name, value}
				}
				a := s.send(t, token, o.method, to, body, headers...)
				requireDocumented(t, c, o, a, p.Name, " ", strconv.Quote(value[:min(60, len(value))]))
				refused[a.status]++
			}
		}
		if o.id == "createTask" { // Larger than a context may be.
			a := s.send(t, token, o.method, bare, tooLarge)
			require.Equal(t, 413, a.status, string(a.body[:min(300, len(a.body))]))
			requireDocumented(t, c, o, a)
		}
		if o.body != nil {
			for _, text := range some(hostileBodies) {
				a := s.send(t, token, o.method, bare, text)
				requireDocumented(t, c, o, a, text[:min(100, len(text))])
				refused[a.status]++
			}
			a := s.send(t, token, o.method, bare, "x=1", "Content-Type", "application/x-www-form-urlencoded")
			require.Equal(t, 415, a.status, o.id)
			requireDocumented(t, c, o, a)
		}
		a := s.send(t, token, o.method, bare+"?surprise=1", body)
		require.Equal(t, 422, a.status, "%s: %s", o.id, a.body)
		requireDocumented(t, c, o, a)
	}
	for _, status := range []int{200, 400, 404, 413, 422}[requests(4, 0):] {
		require.Positive(t, refused[status], refused)
	}
}
