package cli

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// The drills of a person on call at the command line: "tasker incidents" is the first look, and at most two commands follow. What was
// acted on is counted in the database. The same drills on the page are in internal/tests/pagetest.

// drillTemplates have one step, which fails or succeeds as a test says.
const drillTemplates = `select tasker.register_task_template(jsonb_build_object('namespace', n, 'name', 'sale', 'version', v, 'identity_strategy', 'always_unique',
	'steps', jsonb_build_array(jsonb_build_object('name', 'charge', 'handler', h, 'retry', '{"retryable": false}'::jsonb))))
	from (values ('shop', 'charge', '1.0.0'), ('shop', 'charge', '1.1.0'), ('bank', 'transfer', '1.0.0')) as t (n, h, v)`

// sell creates tasks and returns after their steps have ended, as failure says; empty is success.
func sell(t *testing.T, pool *pgxpool.Pool, namespace, version string, many int, failure string) {
	t.Helper()
	execute(t, pool, `select tasker.create_task($1, 'sale', '{}', p_version => $2) from generate_series(1, $3)`, namespace, version, many)
	finish(t, pool, namespace, failure)
}

// finish ends the ready steps of a namespace.
func finish(t *testing.T, pool *pgxpool.Pool, namespace, failure string) {
	t.Helper()
	e := direct.New(pool)
	for {
		steps, err := e.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{namespace}, Limit: 500})
		require.NoError(t, err)
		if len(steps) == 0 {
			return
		}
		results := make([]direct.StepResult, len(steps))
		for i, s := range steps {
			results[i] = direct.StepResult{StepClaim: direct.StepClaim{StepUUID: s.StepUUID, ClaimNo: s.ClaimNo}, Error: failure, Permanent: failure != ""}
			if failure == "" {
				results[i].Results = json.RawMessage(`{}`)
			}
		}
		report := e.CompleteSteps
		if failure != "" {
			report = e.FailSteps
		}
		_, err = report(t.Context(), results)
		require.NoError(t, err)
	}
}

// judgeTwice lets time pass, and the engine judge what is wrong.
func judgeTwice(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for range 2 {
		execute(t, pool, `select tasker_test.pass('15 s')`)
		execute(t, pool, `select count(*) from tasker.run_maintenance('incidents')`)
	}
}

// actOn runs the mass action that was started to its end.
func actOn(t *testing.T, pool *pgxpool.Pool, namespace string) {
	t.Helper()
	for range 40 {
		execute(t, pool, `select count(*) from tasker.run_maintenance('mass_actions')`)
		execute(t, pool, `select tasker_test.pass('10 s')`)
		finish(t, pool, namespace, "")
		if answer(t, pool, `select (m.passed + m.failed + m.skipped = m.entries)::text from tasker.list_mass_actions() as m`) == "true" {
			return
		}
	}
}

func newDrill(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := newShop(t)
	execute(t, pool, drillTemplates)
	return pool
}

// answer returns the one value that a query finds.
func answer(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) (text string) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&text))
	return text
}

// caller is a person at the command line. The commands after a look are counted: there are at most two.
type caller struct {
	pool     *pgxpool.Pool
	commands int
}

func (c *caller) look(t *testing.T, args ...string) string {
	t.Helper()
	c.commands = 0
	return must(t, c.pool, args...)
}

func (c *caller) must(t *testing.T, args ...string) string {
	t.Helper()
	c.commands++
	require.LessOrEqual(t, c.commands, 2, "commands after the look")
	return must(t, c.pool, args...)
}

func TestDrill_APaymentProviderIsDown(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	c := &caller{pool: pool}
	sell(t, pool, "shop", "1.0.0", 420, "503 Service Unavailable: psp.example did not answer (request 4711)")
	sell(t, pool, "shop", "1.0.0", 3, "the card was declined")
	sell(t, pool, "bank", "1.0.0", 2, "503 Service Unavailable: psp.example did not answer (request 4712)")
	judgeTwice(t, pool)

	require.Equal(t, must(t, pool, "incidents", "list"), must(t, pool, "incidents"), "incidents alone lists")
	require.Regexp(t, `(?m)^act now +failing:-?\d+ .*charge of shop fails: .*420 steps stand failed`, c.look(t, "incidents", "--wide"))
	c.must(t, "handler", "pause", "shop/charge", "--until", "2h", "--reason", "the provider is down")
	require.Equal(t, "shop/charge", answer(t, pool, `select string_agg(p.namespace || '/' || p.handler, ', ') from tasker.list_handler_pauses() as p`))

	must(t, pool, "handler", "resume", "shop/charge")
	require.Contains(t, c.look(t, "incidents"), "failing:", "the second look, when the provider is back")
	incident := answer(t, pool, `select i.incident from tasker.list_incidents() as i where i.entries = 420`)
	var selection struct {
		UUID string `json:"selection_uuid"`
	}
	require.NoError(t, json.Unmarshal([]byte(c.must(t, "selection", "create", "steps", "--incident", incident, "--json")), &selection))
	c.must(t, "mass", "start", selection.UUID, "retry", "--entries", "420", "--reason", "the provider is back")
	actOn(t, pool, "shop")
	require.Equal(t, "420 passed", answer(t, pool, `select string_agg(n || ' ' || state, ', ') from (select count(*) as n, concat_ws(': ', e.state, e.note) as state from tasker.list_mass_actions() as m, tasker.list_selection_entries(m.selection_uuid, p_limit => 1000) as e group by 2) as s`))
	require.Equal(t, "420 420 done", answer(t, pool, `select m.entries || ' ' || m.passed || ' ' || m.state from tasker.list_mass_actions() as m`))
	require.Equal(t, "3 2", answer(t, pool, `select (select count(*) from tasker.list_tasks('shop', p_state => 'blocked_by_failures')) || ' ' || (select count(*) from tasker.list_tasks('bank', p_state => 'blocked_by_failures'))`), "declined cards and the other namespace were left alone")
}

func TestDrill_ATenantFloods(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	c := &caller{pool: pool}
	execute(t, pool, `select tasker.register_task_template('{"namespace": "shop", "name": "bill", "identity_strategy": "always_unique", "steps": [{"name": "send", "limit": "tenant", "limit_key": "$.tenant"}]}')`)
	execute(t, pool, `select tasker.set_limit('shop', 'tenant', 4)`)
	execute(t, pool, `select tasker.create_task('shop', 'bill', '{"tenant": "acme & co/1"}') from generate_series(1, 150)`)
	execute(t, pool, `select tasker.create_task('shop', 'bill', '{"tenant": "small"}') from generate_series(1, 6)`)
	steps, err := direct.New(pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"shop"}, Handlers: []string{"send"}, Limit: 500})
	require.NoError(t, err)
	require.Len(t, steps, 8, "4 of each tenant run")
	judgeTwice(t, pool)
	require.Contains(t, c.look(t, "incidents", "--wide"), `Limit tenant of shop is full for key "acme & co/1"`)
	c.must(t, "limit", "set", "shop/tenant", "--key", "acme & co/1", "--concurrency", "50", "--reason", "the tenant has paid for more")
	require.Equal(t, "acme & co/1: 50", answer(t, pool, `select string_agg(k.limit_key || ': ' || k.concurrency, ', ') from tasker.list_limit_keys('shop', 'tenant') as k where k.own_bounds`))
	steps, err = direct.New(pool).ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"shop"}, Handlers: []string{"send"}, Limit: 500})
	require.NoError(t, err)
	require.Len(t, steps, 46, "50 of the tenant run, and 4 of the other")
}

func TestDrill_ADeploymentLostAHandler(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	c := &caller{pool: pool}
	execute(t, pool, `select tasker.create_task('bank', 'sale', '{}') from generate_series(1, 120)`)
	execute(t, pool, `select tasker_test.pass('11 min')`)
	for range 2 {
		execute(t, pool, `select tasker_test.pass('15 s')`)
		execute(t, pool, `select tasker.register_worker('22222222-2222-4222-8222-222222222222', 'packer.shop.example', '{bank}', '{transfers}')`)
		execute(t, pool, `select count(*) from tasker.run_maintenance('incidents')`)
	}
	require.Regexp(t, `(?m)^act now .*transfer.*120`, c.look(t, "incidents", "--wide"))
}

func TestDrill_ATaskWaitsForEver(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	c := &caller{pool: pool}
	execute(t, pool, `select tasker.register_task_template('{"namespace": "shop", "name": "refund", "identity_strategy": "always_unique", "steps": [{"name": "approve", "await": [{"signal": "approved"}]}]}')`)
	task := createTask(t, pool, "shop/refund")
	require.Contains(t, c.look(t, "step", "explain", task, "approve"), `It waits for signal "approved"`)
	c.must(t, "task", "signal", task, "approved")
	require.Equal(t, "complete", answer(t, pool, `select s.state::text from tasker.list_steps($1) as s`, task))
}

func TestDrill_AWrongVersionRanOvernight(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	c := &caller{pool: pool}
	sell(t, pool, "shop", "1.0.0", 30, "")
	sell(t, pool, "shop", "1.1.0", 70, "")
	var selection struct {
		UUID string `json:"selection_uuid"`
	}
	require.NoError(t, json.Unmarshal([]byte(c.must(t, "selection", "create", "tasks", "--namespace", "shop", "--name", "sale", "--version", "1.1.0", "--json")), &selection))
	c.must(t, "mass", "start", selection.UUID, "fork", "--version", "1.0.0", "--from-step", "charge", "--entries", "70", "--reason", "1.1.0 charges twice")
	actOn(t, pool, "shop")
	require.Equal(t, "70 70", answer(t, pool, `select m.entries || ' ' || m.passed from tasker.list_mass_actions() as m`))
	require.Equal(t, "100", answer(t, pool, `select count(*)::text from tasker.list_tasks('shop', 'sale', '1.0.0', p_limit => 1000)`), "30 of its own and 70 forks")
}

func TestDrill_ThreeOrdersFailAmongThousands(t *testing.T) {
	t.Parallel()
	pool := newDrill(t)
	c := &caller{pool: pool}
	sell(t, pool, "shop", "1.0.0", 2000, "")
	sell(t, pool, "shop", "1.0.0", 3, "no tax rate for country XK")
	judgeTwice(t, pool)
	require.Regexp(t, `(?m)^(act now|look today) .*no tax rate for country XK, 3 steps stand failed`, c.look(t, "incidents", "--wide"))
}
