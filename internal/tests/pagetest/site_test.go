package pagetest

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// site is a server whose database has tasks of each kind.
type site struct {
	pool  *pgxpool.Pool
	url   string
	token string
	// away makes the server answer as it does without its database, and cut ends its connections.
	away atomic.Bool
	cut  func()
	// These are tasks by their situation.
	blocked, every, open, waiting, wide, entry, parent, logged, erased string
}

// newBareSite returns a server whose database is empty.
func newBareSite(t testing.TB) *site {
	t.Helper()
	s := &site{pool: pgtest.New(t)}
	served, err := pgxpool.NewWithConfig(t.Context(), s.pool.Config())
	require.NoError(t, err)
	t.Cleanup(served.Close)
	handler, err := serve.New(t.Context(), served, serve.Config{Loopback: true, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.away.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	s.cut = server.CloseClientConnections
	t.Cleanup(func() { handler.Close(); server.CloseClientConnections(); server.Close() })
	s.url = server.URL
	s.token = s.newToken(t, "ann", "operator")
	return s
}

func newSite(t testing.TB) *site {
	t.Helper()
	s := newBareSite(t)
	s.execute(t, fixture)
	s.blocked = s.query(t, "select tasker_test.make_task_in('blocked_by_failures')::text")
	s.every = s.query(t, "select tasker_test.make_task_with_steps_in_every_state()::text")
	s.open = s.create(t, "A-1")
	s.waiting = s.query(t, "select task_uuid::text from tasker.create_task('shop', 'refund', '{\"cents\": 12345678901234567890}')")
	s.wide = s.query(t, "select task_uuid::text from tasker.create_task('shop', 'wide', '{}')")
	s.parent = s.query(t, "select task_uuid::text from tasker.create_task('shop', 'month', '{}')")
	s.execute(t, `select tasker.emit_event('shop', 'market_open', 'XETRA', '{"at": "09:00"}')`)
	s.entry = s.query(t, "select tasker.create_dlq_entry(tasker_test.make_task_in('blocked_by_failures'))::text")
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "import", "identity_strategy": "always_unique", "steps": [{"name": "read_the_file"}]}')`)
	s.logged = s.query(t, "select task_uuid::text from tasker.create_task('shop', 'import', '{}')")
	s.execute(t, `with claimed as materialized (select c.* from tasker.claim_steps('{shop}', '22222222-2222-4222-8222-222222222222', 1, p_handlers => '{read_the_file}') as c)
		select count(*) from claimed as c, tasker.append_items(c.step_uuid, c.claim_no, 'log', (select jsonb_agg(jsonb_build_object('level', case n % 7 when 3 then 'ERROR' else 'INFO' end,
			'msg', 'row ' || n || ' of a file with a rather long name was read', 'customer', repeat('anna-', n))) from generate_series(1, 20) as n)) as a,
			tasker.set_value(c.step_uuid, c.claim_no, 'progress', '{"done": 0.4, "text": "20 of 50 rows"}') as v`)
	s.erased = s.query(t, "select task_uuid::text from tasker.create_task('shop', 'wide', '{\"who\": \"Anna\"}')")
	s.execute(t, "select tasker.cancel_task('"+s.erased+"', 'test')")
	s.execute(t, "select count(*) from tasker.erase_task('"+s.erased+"', 'Anna asked for it')")
	return s
}

func (s *site) newToken(t testing.TB, name, role string) string {
	t.Helper()
	token, hash := bearer.New()
	_, err := executor.New(s.pool).CreateToken(t.Context(), sqlfn.CreateTokenParams{Name: name, TokenHash: hash, RoleName: "tasker_" + role, Namespaces: []string{"*"}})
	require.NoError(t, err)
	return token
}

func (s *site) execute(t testing.TB, sql string) {
	t.Helper()
	_, err := s.pool.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func (s *site) query(t testing.TB, sql string, args ...any) (text string) {
	t.Helper()
	require.NoError(t, s.pool.QueryRow(t.Context(), sql, args...).Scan(&text))
	return text
}

func (s *site) number(t testing.TB, sql string) int {
	t.Helper()
	n, err := strconv.Atoi(s.query(t, sql))
	require.NoError(t, err)
	return n
}

func (s *site) create(t testing.TB, key string) string {
	t.Helper()
	return s.query(t, "select task_uuid::text from tasker.create_task('shop', 'order', '{}', p_identity_key => $1, p_tags => '{urgent}')", key)
}

func (s *site) state(t testing.TB, task string) string {
	t.Helper()
	return s.query(t, "select state::text from tasker.get_task($1)", task)
}

// fixture registers templates of each kind, a schedule, a worker, and a long name.
var fixture = fmt.Sprintf(`
	select tasker.register_task_template('{"namespace": "shop", "name": "order", "description": "Charged and packed at the same time, shipped when both are done.",
		"identity_strategy": "caller_provided", "steps": [{"name": "reserve"}, {"name": "charge", "dependencies": ["reserve"]},
		{"name": "pack", "dependencies": ["reserve"]}, {"name": "ship", "dependencies": ["charge", "pack"]}]}');
	select tasker.register_task_template('{"namespace": "shop", "name": "refund", "identity_strategy": "always_unique", "steps": [
		{"name": "approve", "description": "Look at the refund and say whether it may go.", "assignee": "finance", "timeout": "3d", "await": [
			{"signal": "approved", "schema": {"type": "object", "required": ["ok", "method", "lines"], "properties": {
				"ok": {"type": "boolean"}, "method": {"type": "string", "enum": ["card", "transfer", "voucher"]}, "cents": {"type": "integer", "minimum": 1},
				"note": {"type": "string", "maxLength": 40}, "lines": {"type": "array", "items": {"type": "integer"}}}}},
			{"signal": "rejected"}]},
		{"name": "pay", "dependencies": [{"step": "approve", "when": "$.name == \"approved\""}]}]}');
	select tasker.register_task_template('{"namespace": "shop", "name": "wide", "identity_strategy": "always_unique", "steps": %s}');
	select tasker.register_task_template('{"namespace": "shop", "name": "month", "identity_strategy": "always_unique", "steps": [
		{"name": "close", "task": {"name": "wide"}}, {"name": "send", "limit": "carrier"}]}');
	select tasker.register_task_template('{"namespace": "shop", "name": "basket", "identity_strategy": "always_unique", "steps": [
		{"name": "check"}, {"name": "price", "dependencies": ["check"], "for_each": "$.lines"}, {"name": "total", "dependencies": ["price"]},
		{"name": "invoice", "dependencies": ["total"], "task": {"name": "refund"}},
		{"name": "parcel", "handler": "pack_parcel", "dependencies": ["total"], "for_each": {"step": "total", "path": "$.parcels"}, "max_parallel": 3, "allow_failures": 1},
		{"name": "report", "dependencies": ["parcel", "invoice"]}]}');
	select tasker.set_limit('shop', 'carrier', 5);
	select tasker.set_schedule('shop', 'nightly', 'wide', p_cron => '0 3 * * *');
	select tasker.register_worker('11111111-1111-4111-8111-111111111111', 'worker-1.shop.example', '{shop}', '{reserve,charge}');
	select tasker.run_maintenance('rollups');
	insert into tasker.work_rollups
	select date_trunc('minute', now()) - n * interval '1 minute', (select task_namespace_uuid from tasker.task_namespaces where name = 'shop'),
		40 + (20 * sin(n / 7.0) + 8 * cos(n * 2.4))::integer, 38 + (20 * sin(n / 7.0) + 6 * cos(n * 1.7))::integer, (n %% 17 = 3)::integer * 2, 0, 0,
		(38 + 20 * sin(n / 7.0)) * (900 + 300 * sin(n / 5.0)), 160 + (80 * sin(n / 7.0) + 20 * cos(n * 2.1))::integer, 4 + (n %% 11 = 0)::integer * 18 + (3 * cos(n))::integer,
		160, 160 * (180 + 60 * sin(n / 9.0))
	  from generate_series(1, 60) as n`, wideSteps())

// wideSteps returns the steps of a graph with many columns, long edges and long names.
func wideSteps() string {
	text := `[{"name": "begin"}`
	for i := range 6 {
		after := "begin"
		if i > 2 {
			after = fmt.Sprintf("collect_the_figures_of_country_%d", i-2)
		}
		text += fmt.Sprintf(`, {"name": "collect_the_figures_of_country_%d", "dependencies": [%q]}`, i+1, after)
	}
	return text + `, {"name": "end", "dependencies": ["begin", "collect_the_figures_of_country_3", "collect_the_figures_of_country_4",
		"collect_the_figures_of_country_5", "collect_the_figures_of_country_6"]}]`
}
