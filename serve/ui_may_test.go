package serve_test

import (
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
		"/ui/limits/shop/carrier/set":                     "set_limit",
		"/ui/limits/shop/carrier/bound?key=acme":          "set_limit_key",
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
