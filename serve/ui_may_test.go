package serve_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// The page offers an action to a role exactly if the database lets the role call the function of the action.
func TestUI_OffersWhatTheDatabaseAllows(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	s.execute(t, "select tasker.set_limit('shop', 'carrier', 5), tasker.pause_namespace('shop')")
	open := s.createTask(t, "one")
	version := query[string](t, s, "select k.version from tasker.list_task_templates('shop') as k where k.name = 'order'")
	functions := map[string]string{
		"/ui/tasks/" + open + "/cancel":                   "cancel_task",
		"/ui/tasks/" + open + "/steps/1/complete":         "complete_step_manually",
		"/ui/tasks/" + open + "/pause":                    "pause_task",
		"/ui/limits/shop/carrier/set":                     "set_limit",
		"/ui/limits/shop/carrier/bound?key=acme":          "set_limit_key",
		"/ui/limits/shop/carrier/bound":                   "set_limit_key",
		"/ui/limits/shop/carrier/unbound?key=acme":        "drop_limit_key",
		"/ui/limits/new":                                  "set_limit",
		"/ui/settings/result_bytes/set":                   "set_setting",
		"/ui/namespaces/shop/resume":                      "resume_namespace",
		"/ui/templates/shop/order/" + version + "/pause":  "pause_template",
		"/ui/templates/shop/order/" + version + "/retire": "retire_task_template",
		"/ui/schedules/new?namespace=shop":                "set_schedule",
		"/ui/incidents/paused:shop/acknowledge":           "acknowledge_incident",
	}
	for _, role := range []string{"submitter", "worker", "orchestrator", "operator", "reader"} {
		b := s.loggedIn(t, s.token(t, role, role, "*"))
		for path, function := range functions {
			allowed := query[bool](t, s, "select bool_or(has_function_privilege('tasker_"+role+"', p.oid, 'execute')) from pg_proc as p where p.pronamespace = 'tasker'::regnamespace and p.proname = '"+function+"'")
			a := b.get(t, path)
			if a.status == 403 { // The role may not even read the thing.
				require.False(t, allowed, "%s %s", role, path)
				continue
			}
			require.Equal(t, 200, a.status, "%s %s: %s", role, path, told(a.body))
			require.Equal(t, !allowed, strings.Contains(a.body, "The role of your token may not do it."), "%s %s", role, path)
		}
	}
}

// A limit is created on the page, a key that has no step gets bounds, and loses them.
func TestUI_CreatesLimitsAndBoundsKeys(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	keys := func() string {
		return query[string](t, s, "select coalesce(string_agg(k.limit_key || ' ' || k.concurrency, ', '), 'none') from tasker.list_limit_keys('shop', 'carrier') as k where k.own_bounds")
	}
	b.do(t, "/ui/limits/new", url.Values{"namespace": {"shop"}, "limit": {"carrier"}, "concurrency": {"5"}, "reason": {"the carrier says so"}})
	require.Equal(t, int32(5), query[int32](t, s, "select l.concurrency from tasker.list_limits('shop') as l where l.name = 'carrier'"))
	b.do(t, "/ui/limits/shop/carrier/bound", url.Values{"limit_key": {"a&b/c"}, "concurrency": {"9"}})
	require.Equal(t, "a&b/c 9", keys())
	require.Contains(t, b.get(t, "/ui/limits/shop/carrier").body, "/ui/limits/shop/carrier/unbound?key=a%26b%2Fc")
	b.do(t, "/ui/limits/shop/carrier/unbound?key=a%26b%2Fc", url.Values{"reason": {"the contract has ended"}})
	require.Equal(t, "none", keys())
}
