package serve_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// People start tasks, fork them from a step, and create and change schedules.
func TestUI_StartsForksAndSchedules(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_task_template(jsonb_build_object('namespace', 'shop', 'name', 'sale', 'version', v, 'identity_strategy', 'always_unique',
		'steps', '[{"name": "charge"}, {"name": "ship", "dependencies": ["charge"]}]'::jsonb)) from unnest('{1.0.0,1.1.0}'::text[]) as v`)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))

	refused := b.do(t, "/ui/templates/shop/sale/1.1.0/start", url.Values{"context": {"[1]"}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Contains(t, refused.body, "The context is not a JSON object; nothing was changed.")
	started := b.do(t, "/ui/templates/shop/sale/1.1.0/start", url.Values{"context": {`{"order": 7}`}, "tags": {"eu, vip"}, "priority": {"5"}, "actor": {"Ann"}})
	require.Contains(t, started.body, "The task is started.")
	task := query[string](t, s, `select t.task_uuid::text from tasker.list_tasks('shop', 'sale', '1.1.0') as t`)
	require.Equal(t, `{"order": 7} {eu,vip} 5 Ann`, query[string](t, s, `select concat_ws(' ', t.context, t.tags, t.priority, t.initiator) from tasker.get_task($1) as t`, task))

	s.execute(t, `select tasker.complete_step_manually(tasker.step_uuid($1, 1), '{"paid": true}', 'test')`, task)
	forked := b.do(t, "/ui/tasks/"+task+"/fork?step=ship", url.Values{"step": {"ship"}, "version": {"1.0.0"}, "cancel": {"true"}, "reason": {"1.1.0 ships twice"}})
	require.Contains(t, forked.body, "from step ship on.")
	require.Equal(t, "charge complete, ship enqueued", query[string](t, s, `select string_agg(s.name || ' ' || s.state, ', ' order by s.step_no) from tasker.list_tasks('shop', 'sale', '1.0.0') as t, tasker.list_steps(t.task_uuid) as s`), "the result of charge was taken over")
	require.Equal(t, "cancelled", query[string](t, s, `select t.state::text from tasker.get_task($1) as t`, task))

	made := b.do(t, "/ui/schedules/new?namespace=shop&template=sale", url.Values{"namespace": {"shop"}, "schedule": {"nightly"}, "template": {"sale"}, "cron": {"0 3 * * *"}, "timezone": {"Europe/Berlin"}, "overlap": {"skip"}, "catch_up": {"all"}, "context": {`{"kind": "night"}`}})
	require.Contains(t, made.body, "The schedule is created.")
	again := b.do(t, "/ui/schedules/new", url.Values{"namespace": {"shop"}, "schedule": {"nightly"}, "template": {"sale"}, "cron": {"0 4 * * *"}, "overlap": {"skip"}, "catch_up": {"all"}})
	require.Contains(t, again.body, "There is a schedule of this name; nothing was changed.")
	s.execute(t, `select tasker.set_schedule('shop', 'nightly', 'sale', p_cron => '0 3 * * *', p_timezone => 'Europe/Berlin', p_jitter_seconds => 30, p_overlap => 'skip', p_catch_up => 'all')`)
	changed := b.do(t, "/ui/schedules/shop/nightly/edit", url.Values{"template": {"sale"}, "version": {"1.0.0"}, "every": {"3600"}, "timezone": {"UTC"}, "overlap": {"allow"}, "catch_up": {"one"}})
	require.Contains(t, changed.body, "The schedule is changed.")
	require.Equal(t, "sale 1.0.0 3600 UTC allow one 30", query[string](t, s, `select concat_ws(' ', x.task_name, x.task_version, x.cron, x.every_seconds, x.timezone, x.overlap, x.catch_up, x.jitter_seconds) from tasker.list_schedules('shop') as x`), "what the form does not ask for stays")

	slash := b.get(t, "/ui/")
	require.Equal(t, http.StatusMovedPermanently, slash.status, slash.body)
	require.Contains(t, b.get(t, "/ui/mass/01a20000-0000-7000-8000-000000000000").body, "“Mass actions” lists them.", "people have pages, not requests")
}
