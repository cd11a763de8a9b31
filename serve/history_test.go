package serve_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// pages reads a list page by page. It returns the items and the number of pages.
func (s *site) pages(t *testing.T, token, path, limit string) (items []json.RawMessage, pages int) {
	t.Helper()
	for cursor := ""; ; pages++ {
		var page struct {
			Items      []json.RawMessage
			NextCursor *string `json:"next_cursor"`
		}
		s.send(t, token, "GET", path+"?limit="+limit+"&cursor="+cursor, "").into(t, http.StatusOK, &page)
		items = append(items, page.Items...)
		if page.NextCursor == nil {
			return items, pages + 1
		}
		cursor = *page.NextCursor
	}
}

func TestServe_PagesThroughHistories(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "reader", "reader", "shop")
	task := s.createTask(t, "k")
	step := task[:32] + "0001"
	// Create many events, some of which have the same time. Then record results, since each result leaves an audit entry.
	s.execute(t, `
		do $$
		declare
		  v_worker uuid := gen_random_uuid();
		begin
		  for i in 1 .. 7 loop
		    perform tasker.release_steps(array_agg(c.step_uuid), array_agg(c.claim_no))
		       from tasker.claim_steps('{shop}', v_worker, 10) as c;
		  end loop;
		end;
		$$`)
	for range 3 {
		s.execute(t, `
			select tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('no'::text), p_backoff_seconds => array_agg(0))
			  from tasker.claim_steps('{shop}', gen_random_uuid(), 10) as c`)
		s.execute(t, "select tasker.retry_step($1)", step)
	}
	one := "/v1/tasks/" + task + "/workflow_steps/" + step
	for _, path := range []string{"/v1/tasks/" + task + "/history", "/v1/tasks/" + task + "/audit", one + "/history", one + "/audit"} {
		all, pages := s.pages(t, token, path, "1000")
		require.Equal(t, 1, pages, path)
		require.NotEmpty(t, all, path)
		for _, limit := range []string{"1", "2"} {
			some, pages := s.pages(t, token, path, limit)
			require.Greater(t, pages, 1, path)
			require.Equal(t, all, some, "%s by %s", path, limit)
		}
	}

	var page struct {
		NextCursor string `json:"next_cursor"`
	}
	s.send(t, token, "GET", one+"/history?limit=1", "").into(t, http.StatusOK, &page)
	for _, path := range []string{"/v1/tasks/" + task + "/history", "/v1/tasks/" + task + "/audit", one + "/audit"} {
		s.send(t, token, "GET", path+"?cursor="+page.NextCursor, "").problem(t, http.StatusUnprocessableEntity)
	}
}
