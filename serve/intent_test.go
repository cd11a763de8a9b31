package serve_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

func TestServe_KeepsWhoAdministersAndWhy(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	for _, request := range []struct{ method, path, body, call string }{
		{"PUT", "/v1/limits/shop/api", `{"concurrency": 3, "reason": "slow", "actor": "ann"}`, "set_limit"},
		{"PUT", "/v1/limits/shop/api/keys", `{"limit_key": "premium", "concurrency": 3, "reason": "slow", "actor": "ann"}`, "set_limit_key"},
		{"DELETE", "/v1/limits/shop/api/keys?limit_key=premium&reason=slow&actor=ann", "", "drop_limit_key"},
		{"DELETE", "/v1/limits/shop/api?reason=slow&actor=ann", "", "drop_limit"},
		{"PUT", "/v1/settings/max_attempts", `{"value": "7", "reason": "slow", "actor": "ann"}`, "set_setting"},
		{"PUT", "/v1/namespaces/park", `{"reason": "slow", "actor": "ann"}`, "register_namespace"},
		{"POST", "/v1/namespaces/park/pause", `{"reason": "slow", "actor": "ann"}`, "pause_namespace"},
		{"POST", "/v1/namespaces/park/resume", `{"reason": "slow", "actor": "ann"}`, "resume_namespace"},
		{"POST", "/v1/templates?reason=slow&actor=ann", `{"namespace": "park", "name": "walk", "steps": [{"name": "a"}]}`, "register_task_template"},
		{"PUT", "/v1/schedules/park/daily", `{"task_name": "walk", "cron": "0 2 * * *", "reason": "slow", "actor": "ann"}`, "set_schedule"},
		{"POST", "/v1/schedules/park/daily/pause", `{"reason": "slow", "actor": "ann"}`, "pause_schedule"},
		{"POST", "/v1/schedules/park/daily/resume", `{"reason": "slow", "actor": "ann"}`, "resume_schedule"},
		{"DELETE", "/v1/schedules/park/daily?reason=slow&actor=ann", "", "delete_schedule"},
		{"POST", "/v1/templates/park/walk/0.1.0/retire", `{"reason": "slow", "actor": "ann"}`, "retire_task_template"},
		{"PUT", "/v1/subscriptions/feed", `{"reason": "slow", "actor": "ann"}`, "subscribe"},
		{"POST", "/v1/subscriptions/feed/replay", `{"since": "2026-01-01T00:00:00Z", "reason": "slow", "actor": "ann"}`, "replay_events"},
		{"DELETE", "/v1/subscriptions/feed?reason=slow&actor=ann", "", "unsubscribe"},
	} {
		s.send(t, token, request.method, request.path, request.body).into(t, http.StatusOK, &map[string]any{})
		var log struct {
			Items []gen.AdministrationEntry
		}
		s.send(t, token, "GET", "/v1/audit/administration?limit=1", "").into(t, http.StatusOK, &log)
		require.Len(t, log.Items, 1)
		entry := log.Items[0]
		require.Equal(t, []string{request.call, "ann", "slow", "ops"}, []string{*entry.Call, *entry.Actor, *entry.Reason, *entry.Token})
	}
}
