package cli

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/judge"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/metrics"
)

// situation is what happens in a database: once at the beginning, and then every quarter of a minute.
type situation struct {
	begin   []string
	quarter string
	// want is the severity after the last minute.
	want string
}

// judged lets a quarter of a minute pass, in which the worker lives, and judges.
const judged = `select tasker_test.pass('15 seconds'), tasker.heartbeat_worker(tasker_test.worker()), tasker_test.judge()`

// situations are twenty; the first four stand in docs/howto/incidents.md, and a person on call must tell them apart.
var situations = map[string]situation{
	"one declined card in a thousand":   {[]string{`select tasker_test.simulate_work(0.001)`}, `select tasker_test.quarter(60, (random() < 0.06)::integer)`, judge.Well},
	"a provider is down":                {[]string{`select tasker_test.simulate_work(0.001)`}, `select tasker_test.quarter(60, 60, 5)`, judge.ActNow},
	"a deployment breaks three percent": {[]string{`select tasker_test.simulate_work(0, 14400, true)`}, `select tasker_test.quarter(60, 2, 2)`, judge.LookToday},
	"one of thousands of orders fails":  {[]string{`select tasker_test.simulate_work(0, 4000, true)`}, `select tasker_test.quarter(17, 1, 1)`, judge.LookToday},

	"nothing":               {[]string{`select 1`}, judged, judge.Well},
	"a namespace is paused": {[]string{`select tasker.pause_namespace('test', 'ann')`}, judged, judge.LookToday},
	"it has been for a day": {[]string{`select tasker.pause_namespace('test', 'ann'), tasker_test.pass('24 hours')`}, judged, judge.ActNow},
	"and was acknowledged": {[]string{`do $$ begin perform tasker.pause_namespace('test', 'ann'); perform tasker_test.pass('24 hours'); perform tasker_test.judge();
		perform tasker.acknowledge_incident('paused:test', p_actor => 'ann'); end $$`}, judged, judge.Well},
	"a handler is lost":      {[]string{`select tasker_test.launch('sale')`, `select tasker_test.pass('2 minutes')`, `select tasker.register_worker(tasker_test.worker(), 'one', '{test}', '{other}')`}, judged, judge.LookToday},
	"steps wait for workers": {[]string{`select tasker_test.launch('sale'), tasker_test.pass('16 minutes')`}, judged, judge.ActNow},
	"a schedule fails":       {[]string{`select tasker.set_schedule('test', 'nightly', 'sale', p_every_seconds => 3600)`, `update tasker.schedules set last_error = 'no template', last_error_at = tasker.clock(), failures = 2`}, judged, judge.LookToday},
	"and fails again":        {[]string{`select tasker.set_schedule('test', 'nightly', 'sale', p_every_seconds => 3600)`, `update tasker.schedules set last_error = 'no template', last_error_at = tasker.clock(), failures = 3`}, judged, judge.ActNow},
	"a dead letter":          {[]string{`select tasker.create_dlq_entry(tasker_test.launch('sale'), 'manual_dlq')`}, judged, judge.LookToday},
	"a target does not hear": {[]string{`select tasker_test.subscribe()`, `update tasker.subscriptions set failures = 50, last_error = 'connection refused', last_error_at = tasker.clock()`}, judged, judge.ActNow},
	"a duty fails":           {[]string{`update tasker.maintenance_duties set last_error = 'disk full' where duty = 'retention'`}, judged, judge.LookToday},
	"no orchestrator":        {[]string{`insert into tasker.waiting_tasks (task_uuid, waiting_since) select tasker_test.launch('sale'), tasker.clock() - interval '1 hour' on conflict (task_uuid) do update set waiting_since = excluded.waiting_since`}, judged, judge.ActNow},
	"no partition":           {[]string{`select tasker_test.pass('15 years')`}, judged, judge.ActNow},
	"nobody judges":          {[]string{`select tasker_test.judge(), tasker.pause_namespace('test', 'ann'), tasker_test.pass('16 minutes')`}, `select tasker_test.pass('15 seconds')`, judge.ActNow},
	"two things at once":     {[]string{`select tasker.pause_namespace('test', 'ann')`, `update tasker.maintenance_duties set last_error = 'disk full', failures = 5 where duty = 'retention'`}, judged, judge.LookToday},
	"a mass action stopped":  {[]string{`do $$ declare v_set uuid; begin perform tasker_test.fail_orders(20); select s.selection_uuid into v_set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') as s; perform tasker.start_mass_action(v_set, 'reset', 20, 'again', p_canary_seconds => 60); perform tasker_test.mass(); perform tasker_test.pass('61 seconds'); perform tasker_test.mass(); end $$`}, judged, judge.LookToday},
}

// The first screen, tasker health, doctor, metrics, alerts, REST and /readyz say the same, minute by minute.
func TestVerdict_IsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	require.Len(t, situations, 20)
	for _, name := range slices.Sorted(maps.Keys(situations)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := situations[name]
			pool := pgtest.New(t)
			execute(t, pool, `select setseed(0.5)`)
			execute(t, pool, `select tasker_test.freeze('2026-11-21 10:00:00Z')`)
			execute(t, pool, `select tasker_test.register('sale', 'charge'), tasker.register_worker(tasker_test.worker(), 'one', '{test}', '{charge}')`)
			for _, sql := range s.begin {
				execute(t, pool, sql)
			}
			severities := []string{}
			for minute := range 3 {
				for range 4 {
					execute(t, pool, s.quarter)
				}
				severities = append(severities, requireAgreement(t, pool, fmt.Sprintf("%s, minute %d", name, minute)))
			}
			require.Equal(t, s.want, severities[2], "%v", severities)
			t.Log(severities)
		})
	}
}

// requireAgreement reads the verdict everywhere, and returns its severity.
func requireAgreement(t *testing.T, pool *pgxpool.Pool, when string) string {
	t.Helper()
	want, err := judge.ReadVerdict(t.Context(), executor.New(pool))
	require.NoError(t, err)
	requireCommandsAgree(t, pool, want, when)
	requireMetricsAgree(t, pool, want, when)

	page, err := openPage(t.Context(), pool, "127.0.0.1:0", "agree")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- page.serve(t.Context()) }()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(path, token string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page.address()+path, nil)
		require.NoError(t, err)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := client.Do(r)
		require.NoError(t, err)
		defer func() { require.NoError(t, answer.Body.Close()) }()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(body)
	}

	_, body := get("/v1/incidents/verdict", page.token)
	var rest judge.Verdict
	require.NoError(t, json.Unmarshal([]byte(body), &rest), body)
	require.Equal(t, [2]string{want.Severity, want.Sentence}, [2]string{rest.Severity, rest.Sentence}, "%s: REST", when)

	unready := slices.ContainsFunc(want.Incidents, func(i gen.IncidentDetail) bool {
		return i.Severity == judge.ActNow && (i.Kind == "partitions" || i.Kind == "orchestrator")
	})
	wantStatus := map[bool]int{true: http.StatusServiceUnavailable, false: http.StatusOK}[unready]
	words := severityWord(want.Severity)
	status, body := get("/readyz", "")
	require.Equal(t, wantStatus, status, "%s: /readyz: %s", when, body)
	require.Contains(t, body, "\n"+words, "%s: /readyz", when)
	for _, i := range want.Incidents {
		require.Equal(t, i.Severity != judge.Information, strings.Contains(body, i.Kind), "%s: /readyz: %s", when, body)
	}
	status, body = get("/readyz", page.token)
	require.Equal(t, wantStatus, status, "%s: /readyz with a token", when)
	require.Contains(t, body, words+": "+want.Sentence, "%s: /readyz with a token", when)

	login, err := http.NewRequestWithContext(t.Context(), http.MethodPost, page.address()+"/ui/login", strings.NewReader(url.Values{"token": {page.token}}.Encode()))
	require.NoError(t, err)
	login.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := client.Do(login)
	require.NoError(t, err)
	first, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	banner := regexp.MustCompile(`<div class="verdict (\w+)">.*?<b>(.*?)</b>`).FindStringSubmatch(string(first))
	require.NotNil(t, banner, "%s: the page has no banner", when)
	require.Equal(t, want.Sentence, html.UnescapeString(banner[2]), "%s: banner", when)
	require.Equal(t, map[string]string{judge.ActNow: "failed", judge.LookToday: "warn", judge.Well: "done"}[want.Severity], banner[1], "%s: banner", when)

	require.NoError(t, page.close(t.Context()))
	<-ended
	return want.Severity
}

// requireCommandsAgree compares what tasker health and tasker doctor say.
func requireCommandsAgree(t *testing.T, pool *pgxpool.Pool, want judge.Verdict, when string) {
	t.Helper()
	health := tasker(t, pool, "health")
	require.Equal(t, map[string]int{judge.ActNow: exitNo, judge.LookToday: exitLook, judge.Well: exitDone}[want.Severity], health.code, "%s: health: %s", when, health.out)
	line, _, _ := strings.Cut(health.out, "\n")
	require.Equal(t, severityWord(want.Severity)+": "+want.Sentence, line, "%s: health", when)

	doctor := tasker(t, pool, "doctor", "--json")
	var findings []gen.InstallationFinding
	require.NoError(t, json.Unmarshal([]byte(doctor.out), &findings), doctor.err)
	at := slices.IndexFunc(findings, func(f gen.InstallationFinding) bool { return f.Name == "incidents" })
	require.GreaterOrEqual(t, at, 0, "%s: doctor", when)
	require.Equal(t, want.Sentence, findings[at].Message, "%s: doctor", when)
	statuses := map[string]string{judge.ActNow: statusFail, judge.LookToday: statusWarn, judge.Well: statusOK}
	require.Equal(t, statuses[want.Severity], findings[at].Status, "%s: doctor", when)
}

// requireMetricsAgree compares the metrics, and the two alerts that read them.
func requireMetricsAgree(t *testing.T, pool *pgxpool.Pool, want judge.Verdict, when string) {
	t.Helper()
	w := httptest.NewRecorder()
	metrics.Handler(pool, metrics.Config{}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	shown := w.Body.String()
	require.Contains(t, shown, fmt.Sprintf("pgtasker_verdict %d\n", map[string]int{judge.ActNow: 2, judge.LookToday: 1}[want.Severity]), "%s: metrics", when)
	rules, err := os.ReadFile("../../../../deploy/prometheus/pgtasker.rules.yml")
	require.NoError(t, err)
	for severity, alert := range map[string]string{judge.ActNow: "PgtaskerActNow", judge.LookToday: "PgtaskerLookToday"} {
		require.Regexp(t, `alert: `+alert+`\n +expr: "sum by \(kind, namespace\) \(pgtasker_incidents\{severity=\\"`+severity+`\\"\}\) > 0"\n +for: 0s`, string(rules))
		fires := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^pgtasker_incidents\{kind="(\w+)",namespace="([^"]*)",severity="`+severity+`"\} [1-9]`).FindAllStringSubmatch(shown, -1) {
			fires[m[1]+"/"+m[2]] = true
		}
		wanted := map[string]bool{}
		for _, i := range want.Incidents {
			if i.Severity == severity {
				wanted[i.Kind+"/"+text(i.Namespace)] = true
			}
		}
		require.Equal(t, wanted, fires, "%s: alert %s", when, alert)
	}
}
