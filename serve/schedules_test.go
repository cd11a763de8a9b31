package serve_test

import (
	"testing"

	"github.com/pgtasker/pgtasker/gen"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

func TestServe_SchedulesFromSetToDelete(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	s.execute(t, "select tasker.register_namespace('bank')")
	token := s.token(t, "planner", "operator", "shop")
	path := "/v1/schedules/shop/nightly"
	require.Equal(t, "TK404", s.send(t, token, "GET", path, "").problem(t, 404).Code)
	var set gen.Schedule
	s.send(t, token, "PUT", path, `{"task_name": "order", "cron": "0 2 * * *", "timezone": "Europe/Berlin", "actor": "ann"}`).into(t, 200, &set)
	require.Equal(t, "Europe/Berlin", set.Timezone)
	require.Equal(t, "ann, token planner", set.CreatedBy)
	var got gen.Schedule
	s.send(t, token, "GET", path, "").into(t, 200, &got)
	require.Equal(t, set, got)
	s.send(t, token, "PUT", path, `{"task_name": "order", "cron": "never"}`).problem(t, 422)
	s.send(t, token, "PUT", path, `{"task_name": "nothing", "every_seconds": 60}`).problem(t, 404)

	var runs page[gen.ScheduleRun]
	s.send(t, token, "GET", path+"/next-runs?limit=2", "").into(t, 200, &runs)
	require.Len(t, runs.Items, 2)
	for range 3 {
		s.send(t, token, "POST", path+"/run", "").into(t, 200, &gen.ScheduleTick{})
	}
	seen := map[int64]bool{}
	for cursor := ""; ; {
		var p page[gen.ScheduleTick]
		s.send(t, token, "GET", path+"/ticks?limit=2&cursor="+cursor, "").into(t, 200, &p)
		for _, tick := range p.Items {
			require.False(t, seen[tick.TickNo])
			seen[tick.TickNo] = true
			require.Equal(t, "made", tick.Outcome)
		}
		if p.NextCursor == nil {
			break
		}
		cursor = *p.NextCursor
	}
	require.Len(t, seen, 3)
	for _, one := range []struct {
		method, path string
		did          bool
	}{
		{"POST", path + "/pause", true},
		{"POST", path + "/pause", false},
		{"POST", path + "/resume", true},
		{"DELETE", path, true},
	} {
		var c serve.Changed
		s.send(t, token, one.method, one.path, "").into(t, 200, &c)
		require.Equal(t, one.did, c.Changed, one.path)
	}
	require.Equal(t, "TK403", s.send(t, token, "PUT", "/v1/schedules/bank/nightly", `{"task_name": "order", "every_seconds": 60}`).problem(t, 403).Code)
	require.Equal(t, "TK403", s.send(t, s.token(t, "looker", "reader", "shop"), "POST", path+"/run", "").problem(t, 403).Code)
}
