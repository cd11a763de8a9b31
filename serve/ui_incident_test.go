package serve_test

import (
	"html"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

// deployed has a worker of an old version that succeeds, and one of a new version that fails, each for one tenant.
const deployed = `
	select tasker_test.freeze('2026-11-21 10:00:00Z');
	select tasker_test.register_as('order', '{}', 'charge');
	select tasker.set_setting('tenant', 'tag:tenant/');
	select tasker.register_namespace('test');
	select tasker.register_worker(tasker_test.worker(1), 'host-1', '{test}', '{charge}', '1.4.2');
	select tasker_test.pass('8 days');
	select tasker.heartbeat_worker(tasker_test.worker(1));
	select tasker.register_worker(tasker_test.worker(2), 'host-2', '{test}', '{charge}', '1.5.0-<b>');
	select tasker.create_task('test', 'order', jsonb_build_object('no', g), p_tags => '{tenant/acme}') from generate_series(1, 9) as g;
	select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('{}'::jsonb)) from tasker.claim_steps('{test}', tasker_test.worker(1), p_limit => 9) as c;
	select tasker.create_task('test', 'order', jsonb_build_object('no', g), p_tags => '{tenant/globex}') from generate_series(11, 13) as g;
	select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('the bank is closed'::text), p_permanent => array_agg(true)) from tasker.claim_steps('{test}', tasker_test.worker(2), p_limit => 3) as c;
	select tasker_test.pass('5 minutes');
	select tasker_test.judge()`

// The page of an incident says where its failures concentrate, and marks the deployment.
func TestUI_SaysWhereFailuresConcentrate(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, deployed)
	token := s.token(t, "ops", "operator", "*")
	var incidents page[gen.IncidentDetail]
	s.send(t, token, "GET", "/v1/incidents", "").into(t, 200, &incidents)
	require.Equal(t, "failing", incidents.Items[0].Kind)
	var shares page[gen.IncidentShare]
	s.send(t, token, "GET", "/v1/incidents/"+incidents.Items[0].Incident+"/shares", "").into(t, 200, &shares)
	require.Len(t, shares.Items, 6)
	require.Equal(t, "tenant globex", shares.Items[0].Dimension+" "+shares.Items[0].Value)
	require.InDelta(t, 1, shares.Items[0].FailedShare, 0.001)
	require.InDelta(t, 0.25, shares.Items[0].AttemptedShare, 0.001)

	a := s.loggedIn(t, token).get(t, "/ui/incidents/"+incidents.Items[0].Incident)
	requirePage(t, a, 200, "the incident")
	shown := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(a.body, ""))
	for _, want := range []string{
		"100 % of the failures are of tenant globex, which has 25 % of the attempts.",
		"100 % of the failures are of version 1.5.0-<b>, which has 25 % of the attempts.",
		"Version 1.5.0-<b> was deployed",
	} {
		require.Contains(t, shown, want)
	}
	require.Contains(t, a.body, `class="deployed"`, "the chart marks the deployment")
	require.NotContains(t, a.body, "1.5.0-<b>", "what a worker says is text")
}

// The first screen says what is wrong in the namespace that it shows, and draws the queues of the time before anybody opened it.
func TestUI_FirstScreenFollowsItsNamespace(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, deployed)
	s.execute(t, `select tasker.register_namespace('bank')`)
	s.execute(t, `select tasker.create_task('test', 'order', jsonb_build_object('no', g)) from generate_series(21, 27) as g`)
	s.execute(t, `select count(*) from tasker.run_maintenance('rollups')`)
	s.execute(t, `select tasker_test.pass('20 minutes')`)
	s.execute(t, `select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no)) from tasker.claim_steps('{test}', tasker_test.worker(1), p_limit => 9) as c`)
	s.execute(t, `select count(*) from tasker.run_maintenance('rollups')`)
	s.execute(t, `select tasker_test.judge()`)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	shown := func(path string) (verdict, depth string) {
		a := b.get(t, path)
		requirePage(t, a, 200, path)
		verdict = regexp.MustCompile(`(?s)<section data-live="verdict".*?</section>`).FindString(a.body)
		return html.UnescapeString(verdict), regexp.MustCompile(`(?s)<h3>Queue depth</h3>.*?</figure>`).FindString(a.body)
	}
	for _, path := range []string{"/ui", "/ui?namespace=test"} {
		verdict, depth := shown(path)
		require.Contains(t, verdict, "the bank is closed", path)
		require.NotContains(t, verdict, "Nothing is wrong", path)
		require.Contains(t, depth, `<td class="num">7</td>`, path)
	}
	verdict, depth := shown("/ui?namespace=bank")
	require.Contains(t, verdict, "Nothing is wrong")
	require.NotContains(t, verdict, "the bank is closed")
	require.Contains(t, depth, "All queues were empty in this time.")
}

// A failed task that holds up the sequence of its key is on the first screen, with the way to it.
func TestUI_LeadsToTheTaskThatHoldsUpASequence(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker_test.register_runs('{"key": "$.key", "sequence": true}', '{"on_failure": "fail"}')`)
	first := query[string](t, s, `select tasker_test.job(1, '<b>')::text`)
	s.execute(t, `select tasker_test.finish_jobs(true); select tasker_test.job(2, '<b>'); select tasker_test.judge()`)
	token := s.token(t, "ops", "operator", "*")
	var incidents page[gen.IncidentDetail]
	s.send(t, token, "GET", "/v1/incidents", "").into(t, 200, &incidents)
	require.True(t, slices.ContainsFunc(incidents.Items, func(i gen.IncidentDetail) bool { return i.Incident == "sequence:test/job" && i.Entries == 1 }))
	a := s.loggedIn(t, token).get(t, "/ui")
	requirePage(t, a, 200, "the first screen")
	require.Contains(t, html.UnescapeString(a.body), `A failed task of test/job holds up the sequence of key "<b>"`)
	require.NotContains(t, a.body, "<b>\"", "a key is text")
	require.Regexp(t, `href="/ui/tasks/`+first+`"[^>]*>Show the first task<`, a.body)
}
