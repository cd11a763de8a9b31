package metrics_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/metrics"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// newDatabase returns a database in which every metric has a value.
func newDatabase(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `
		select tasker_test.make_task_in('complete');
		select tasker.set_limit('test', 'stripe', 20);
		select tasker.set_schedule('test', 'nightly', (select t.name from tasker.list_task_templates('test') as t limit 1), '0 2 * * *');
		select tasker_test.make_task_in('blocked_by_failures');
		select tasker.emit_event('test', 'market_open');
		select tasker.create_dlq_entry(tasker_test.start_task());
		select tasker.subscribe('billing');
		select tasker.run_maintenance('rollups')`)
	require.NoError(t, err)
	return pool
}

func TestCollector_ShowsWhatTheDatabaseSays(t *testing.T) {
	t.Parallel()
	pool := newDatabase(t)
	collector := metrics.NewCollector(pool, metrics.Config{})
	require.NoError(t, testutil.CollectAndCompare(collector, strings.NewReader(`
		# HELP pgtasker_broadcasts_kept Broadcast events that are kept, counted up to 100,000.
		# TYPE pgtasker_broadcasts_kept gauge
		pgtasker_broadcasts_kept{namespace="test"} 1
		# HELP pgtasker_broadcasts_undelivered Broadcast events that have not been delivered to all steps that wait for them.
		# TYPE pgtasker_broadcasts_undelivered gauge
		pgtasker_broadcasts_undelivered{namespace="test"} 1
		# HELP pgtasker_broadcasts_waits Waits of steps for broadcast events, counted up to 100,000.
		# TYPE pgtasker_broadcasts_waits gauge
		pgtasker_broadcasts_waits{namespace="test"} 0
		# HELP pgtasker_dlq_pending_entries Open investigations in the dead-letter queue.
		# TYPE pgtasker_dlq_pending_entries gauge
		pgtasker_dlq_pending_entries 1
		# HELP pgtasker_limit_concurrency How many steps of one key may run at once; infinite without a bound.
		# TYPE pgtasker_limit_concurrency gauge
		pgtasker_limit_concurrency{limit="stripe",namespace="test"} 20
		# HELP pgtasker_limit_waiting_steps Steps that wait in the queue and name the limit.
		# TYPE pgtasker_limit_waiting_steps gauge
		pgtasker_limit_waiting_steps{limit="stripe",namespace="test"} 0
		# HELP pgtasker_queue_ready_steps Steps that a worker could claim now.
		# TYPE pgtasker_queue_ready_steps gauge
		pgtasker_queue_ready_steps{lane="high",namespace="test"} 0
		pgtasker_queue_ready_steps{lane="limited",namespace="test"} 0
		pgtasker_queue_ready_steps{lane="low",namespace="test"} 0
		pgtasker_queue_ready_steps{lane="normal",namespace="test"} 1
		pgtasker_queue_ready_steps{lane="paused",namespace="test"} 0
		pgtasker_queue_ready_steps{lane="results",namespace="test"} 0
		pgtasker_queue_ready_steps{lane="running",namespace="test"} 0
		# HELP pgtasker_schedule_failures How often in a row a schedule's task could not be created.
		# TYPE pgtasker_schedule_failures gauge
		pgtasker_schedule_failures{namespace="test",schedule="nightly"} 0
		# HELP pgtasker_schedule_late_seconds How long a schedule's next tick has been due.
		# TYPE pgtasker_schedule_late_seconds gauge
		pgtasker_schedule_late_seconds{namespace="test",schedule="nightly"} 0
		# HELP pgtasker_step_results_total Results of attempts, by outcome.
		# TYPE pgtasker_step_results_total counter
		pgtasker_step_results_total{namespace="test",outcome="failure"} 1
		pgtasker_step_results_total{namespace="test",outcome="success"} 4
		# HELP pgtasker_tasks_ended_total Tasks that ended, by outcome.
		# TYPE pgtasker_tasks_ended_total counter
		pgtasker_tasks_ended_total{namespace="test",outcome="cancelled"} 0
		pgtasker_tasks_ended_total{namespace="test",outcome="complete"} 1
		pgtasker_tasks_ended_total{namespace="test",outcome="error"} 0
		pgtasker_tasks_ended_total{namespace="test",outcome="resolved_manually"} 0
		# HELP pgtasker_up 1 if the database could be read.
		# TYPE pgtasker_up gauge
		pgtasker_up 1
	`), "pgtasker_broadcasts_kept", "pgtasker_broadcasts_undelivered", "pgtasker_broadcasts_waits", "pgtasker_dlq_pending_entries", "pgtasker_limit_concurrency", "pgtasker_limit_waiting_steps", "pgtasker_queue_ready_steps", "pgtasker_schedule_failures", "pgtasker_schedule_late_seconds", "pgtasker_step_results_total",
		"pgtasker_tasks_ended_total", "pgtasker_up"))

	problems, err := testutil.CollectAndLint(collector)
	require.NoError(t, err)
	require.Empty(t, problems, "names and help texts follow Prometheus's rules")
}

// TestCollector_ShowsPercentilesByHandlerAndTemplate has one attempt whose worker reported how long it took.
func TestCollector_ShowsPercentilesByHandlerAndTemplate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `
		select tasker.register_task_template('{"namespace": "shop", "name": "one", "version": "1.2.0", "steps": [{"name": "only"}]}');
		select tasker.create_task('shop', 'one', '{}')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `
		select a.answer
		  from tasker.claim_steps('{shop}', '11111111-1111-4111-8111-111111111111', 1) as s
		 cross join lateral tasker.complete_steps(array[s.step_uuid], array[s.claim_no], array['{}'::jsonb], array[2000]) as a`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.run_maintenance('rollups')`)
	require.NoError(t, err)
	shown := scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Regexp(t, `pgtasker_handler_duration_seconds\{handler="only",namespace="shop",percentile="95"\} (1\.[89]|2)`, shown)
	require.Contains(t, shown, `pgtasker_handler_results{handler="only",namespace="shop",outcome="success"} 1`)
	require.Contains(t, shown, `pgtasker_template_duration_seconds{namespace="shop",percentile="50",template="one",version="1.2.0"}`)
	require.Contains(t, shown, `pgtasker_template_ended_tasks{namespace="shop",outcome="other",template="one",version="1.2.0"} 1`)
}

// The label handler of a SQL step has its function.
func TestCollector_NamesTheFunctionOfASQLStep(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.StepsRole(t, pool)
	_, err := pool.Exec(t.Context(), `
		create function public.reserve(p_input jsonb) returns jsonb language sql as $$ select '{}'::jsonb $$;
		select tasker.register_namespace('shop');
		select tasker.bind_sql_role('shop', 'pgtest_steps');
		select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "only", "sql": "public.reserve"}]}');
		select tasker.create_task('shop', 'one')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select * from tasker.run_sql_steps()`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.run_maintenance('rollups')`)
	require.NoError(t, err)
	shown := scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, `pgtasker_handler_results{handler="sql:public.reserve",namespace="shop",outcome="success"} 1`)
	require.Contains(t, shown, `pgtasker_handler_duration_seconds{handler="sql:public.reserve",namespace="shop",percentile="95"}`)
}

// TestCollector_TellsAMissingHandlerFromABusyQueue has a step that waits for a person and that no worker has a
// handler for, in the same queue as a step that a worker could claim.
func TestCollector_TellsAMissingHandlerFromABusyQueue(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `
		select tasker_test.freeze();
		select tasker.register_task_template('{"namespace": "shop", "name": "two", "version": "1.0.0", "steps": [{"name": "approve"}, {"name": "ship"}]}');
		select tasker.create_task('shop', 'two', '{}');
		select tasker_test.pass('10 minutes');
		select tasker.register_worker('11111111-1111-4111-8111-111111111111', 'one', '{shop}', '{shop.other}')`)
	require.NoError(t, err)
	const missing = `pgtasker_unserved_oldest_seconds{handler="approve",namespace="shop"} 600`
	shown := scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, missing)
	require.Contains(t, shown, `pgtasker_queue_oldest_ready_seconds{lane="normal",namespace="shop"} 600`)
	require.Contains(t, shown, `pgtasker_queue_oldest_served_seconds{lane="normal",namespace="shop"} 0`)

	_, err = pool.Exec(t.Context(), `select tasker.register_worker('22222222-2222-4222-8222-222222222222', 'two', '{shop}', '{ship}')`)
	require.NoError(t, err)
	shown = scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, missing)
	require.Contains(t, shown, `pgtasker_queue_oldest_served_seconds{lane="normal",namespace="shop"} 600`)

	_, err = pool.Exec(t.Context(), `select tasker_test.pass('2 minutes')`)
	require.NoError(t, err)
	shown = scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, `pgtasker_queue_oldest_served_seconds{lane="normal",namespace="shop"} 720`, "no worker runs")
}

func TestCollector_ShowsHowSubscriptionsFare(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `
		select tasker_test.freeze();
		select tasker.subscribe('billing', '{"events": ["Create"]}');
		select tasker.register_task_template('{"namespace": "shop", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
		select tasker.create_task('shop', 'one', '{}') from generate_series(1, 4)`)
	require.NoError(t, err)
	sql, reader := executor.New(pool), uuid.New()
	events, err := sql.ReadEvents(t.Context(), sqlfn.ReadEventsParams{Subscription: "billing", ReaderUUID: reader, Limit: 10, LeaseSeconds: 30})
	require.NoError(t, err)
	require.Len(t, events, 4)
	_, err = sql.AcknowledgeEvents(t.Context(), sqlfn.AcknowledgeEventsParams{Subscription: "billing", ReaderUUID: reader, Place: events[1].Place, Events: 2})
	require.NoError(t, err)
	_, err = sql.BuryEvent(t.Context(), sqlfn.BuryEventParams{
		Subscription: "billing", ReaderUUID: reader, Place: events[2].Place, EventUUID: events[2].EventUUID, Event: []byte(`{}`), Error: "refused",
	})
	require.NoError(t, err)
	for range 3 {
		_, err = sql.FailDelivery(t.Context(), sqlfn.FailDeliveryParams{Subscription: "billing", ReaderUUID: reader, Error: "refused", RetrySeconds: 1})
		require.NoError(t, err)
	}
	_, err = pool.Exec(t.Context(), `
		select tasker_test.pass('10 minutes');
		insert into tasker.missed_events (subscription, suffix, dropped_at) values ('billing', 'p20260101', tasker.clock())`)
	require.NoError(t, err)
	shown := scrape(t, metrics.Handler(pool, metrics.Config{}))
	for _, sample := range []string{
		`pgtasker_subscription_lag_seconds{subscription="billing"} 600`,
		`pgtasker_subscription_delivered_total{subscription="billing"} 2`,
		`pgtasker_subscription_dead_total{subscription="billing"} 1`,
		`pgtasker_subscription_failures{subscription="billing"} 3`,
		`pgtasker_subscription_behind{subscription="billing"} 1`,
	} {
		require.Contains(t, shown, sample+"\n")
	}
}

func TestHealth_SaysWhetherTheDatabaseAnswers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ask := func() *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil)
		metrics.Health(pool, metrics.Config{Logger: slog.New(slog.DiscardHandler)}).ServeHTTP(recorder, request)
		return recorder
	}
	got := ask()
	require.Equal(t, http.StatusOK, got.Code)
	require.Equal(t, "ok\n", got.Body.String())
	pool.Close()
	got = ask()
	require.Equal(t, http.StatusServiceUnavailable, got.Code)
	require.Equal(t, "the database does not answer\n", got.Body.String())
}

func TestCollector_CountsTheStatesOfHealth(t *testing.T) {
	t.Parallel()
	pool := newDatabase(t)
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(metrics.NewCollector(pool, metrics.Config{})))
	families, err := registry.Gather()
	require.NoError(t, err)
	counts, err := executor.New(pool).GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	for _, family := range families {
		total := 0.0
		for _, m := range family.GetMetric() {
			total += m.GetGauge().GetValue()
		}
		switch family.GetName() {
		case "pgtasker_tasks":
			require.Len(t, family.GetMetric(), 12)
			require.InDelta(t, counts.TotalTasks, total, 0)
		case "pgtasker_steps":
			require.Len(t, family.GetMetric(), 11)
			require.InDelta(t, counts.TotalSteps, total, 0)
		}
	}
}

func TestHandler_SaysThatTheDatabaseIsDown(t *testing.T) {
	t.Parallel()
	pool := newDatabase(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	conn, err := pool.Acquire(ctx)
	require.NoError(t, err)
	gone := conn.Hijack()
	require.NoError(t, gone.Close(ctx))

	body := scrape(t, metrics.Handler(gone, metrics.Config{Logger: slog.New(slog.DiscardHandler)}))
	require.Contains(t, body, "pgtasker_up 0")
	require.NotContains(t, body, "pgtasker_tasks", "old figures are not shown while the database is down")
}

func TestObserve_ShowsTheSameThroughOpenTelemetry(t *testing.T) {
	t.Parallel()
	pool := newDatabase(t)
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	defer func() { require.NoError(t, provider.Shutdown(context.WithoutCancel(t.Context()))) }()
	registration, err := metrics.Observe(provider.Meter("pgtasker"), pool, metrics.Config{})
	require.NoError(t, err)

	var seen metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &seen))
	values := map[string]float64{}
	for _, m := range seen.ScopeMetrics[0].Metrics {
		var points []metricdata.DataPoint[float64]
		switch data := m.Data.(type) {
		case metricdata.Gauge[float64]:
			points = data.DataPoints
		case metricdata.Sum[float64]:
			require.True(t, data.IsMonotonic)
			points = data.DataPoints
		}
		for _, p := range points {
			values[m.Name+"{"+p.Attributes.Encoded(attribute.DefaultEncoder())+"}"] = p.Value
		}
	}
	require.InDelta(t, 1, values["pgtasker.tasks.ended{namespace=test,outcome=complete}"], 0)
	require.InDelta(t, 1, values["pgtasker.queue.ready_steps{lane=normal,namespace=test}"], 0)
	require.InDelta(t, 1, values["pgtasker.tasks{state=blocked_by_failures}"], 0)
	require.Contains(t, values, "pgtasker.rollup_age{}")
	require.NoError(t, registration.Unregister())
	pool.Close()
}

// scrape returns the answer of a handler.
func scrape(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	response, err := server.Client().Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", body)
	return string(body)
}

// TestCollector_ShowsTheVerdictOfHealth has a namespace that is paused, which is for today, and is acknowledged.
func TestCollector_ShowsTheVerdictOfHealth(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	execute := func(sql string) {
		t.Helper()
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	shown := scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, "pgtasker_verdict 0\n")
	require.NotContains(t, shown, "pgtasker_incidents{")

	execute(`select tasker.register_namespace('shop'), tasker.pause_namespace('shop', 'ann')`)
	execute(`select from tasker.run_maintenance('incidents')`)
	shown = scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, "pgtasker_verdict 1\n")
	require.Contains(t, shown, `pgtasker_incidents{kind="paused",namespace="shop",severity="look_today"} 1`)

	execute(`select tasker.acknowledge_incident('paused:shop')`)
	shown = scrape(t, metrics.Handler(pool, metrics.Config{}))
	require.Contains(t, shown, "pgtasker_verdict 0\n")
	require.Contains(t, shown, `pgtasker_incidents{kind="paused",namespace="shop",severity="information"} 1`)
}
