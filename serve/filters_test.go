package serve_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/serve"
)

// REST takes the filters of the page's list of tasks. It sorts the matching tasks and counts them.
func TestListTasks_TakesTheFiltersOfThePage(t *testing.T) {
	t.Parallel()
	s := blockedTasks(t)
	s.execute(t, `select tasker.create_task('shop', 'return', p_identity_key => 'm', p_initiator => 'ann')`)
	token := s.token(t, "look", "reader", "shop")
	var p page[executor.TaskDetail]
	var n struct {
		Tasks int32
		More  bool
	}
	for query, want := range map[string]int{
		"error=NO": 3, "error=NO&handler=a": 2, "error=NO&step=b": 1, "handler=c": 0, "initiator=ann": 1, "schedule=nightly": 0,
		"longer_than_seconds=100000": 0, "state=open&error=no&key=k": 2, "where=$.none": 0, "where=!($.none+%3E+1)&error=NO": 3,
	} {
		s.send(t, token, "GET", "/v1/tasks?"+query, "").into(t, 200, &p)
		require.Len(t, p.Items, want, query)
		s.send(t, token, "GET", "/v1/tasks/count?"+query, "").into(t, 200, &n)
		require.EqualValues(t, want, n.Tasks, query)
		require.False(t, n.More)
	}
	s.send(t, token, "GET", "/v1/tasks/count", "").problem(t, 422)
	s.send(t, token, "GET", "/v1/tasks/count?namespace=bank", "").problem(t, 403)

	var oldest, newest []uuid.UUID
	for order, found := range map[string]*[]uuid.UUID{"&oldest_first=true": &oldest, "": &newest} {
		for cursor := ""; ; {
			s.send(t, token, "GET", "/v1/tasks?limit=2"+order+cursor, "").into(t, 200, &p)
			for _, d := range p.Items {
				*found = append(*found, d.TaskUUID)
			}
			if p.NextCursor == nil {
				break
			}
			cursor = "&cursor=" + *p.NextCursor
		}
	}
	require.Len(t, oldest, 4)
	for i, id := range newest {
		require.Equal(t, id, oldest[len(oldest)-1-i])
	}
}

// A list whose filter has no index stops after a bounded number of rows and says so. A page that is full before that bound has
// no count.
func TestTasks_AListThatItsBoundEndsSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	s.execute(t, `select tasker.set_setting('list_reads', '1000', 'the test', 'few tasks')`)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "bulk", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`)
	s.execute(t, `select count(*) from tasker.create_tasks('shop', 'bulk', array(select jsonb_build_object('n', n) from generate_series(1, 1200) as n))`)
	token := s.token(t, "look", "reader", "shop")
	refused := s.send(t, token, "GET", "/v1/tasks?name=bulk&where=$.n+%3C+1", "").problem(t, 422)
	require.Equal(t, []string{"TK422", "the list has read 1,000 tasks without filling the page"}, []string{refused.Code, refused.Detail})
	require.Contains(t, refused.Hint, "Narrow the list by time")
	var p page[executor.TaskDetail]
	s.send(t, token, "GET", "/v1/tasks?name=bulk&limit=100&where=$.n+%3E+1100", "").into(t, 200, &p)
	require.Len(t, p.Items, 100)

	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	full := b.get(t, "/ui/tasks?name=bulk&where=$.n+%3E+1100")
	requirePage(t, full, http.StatusOK, "a full page")
	require.NotContains(t, full.body, "tasks match")
	counted := b.get(t, "/ui/tasks?where=$.n+%3E+1100&since=15m&state=complete")
	requirePage(t, counted, http.StatusOK, "a page with a count")
	require.Contains(t, counted.body, "0 tasks match")
	ended := b.get(t, "/ui/tasks?name=bulk&where=$.n+%3C+1")
	requirePage(t, ended, http.StatusUnprocessableEntity, "a page that the bound ends")
	require.Contains(t, told(ended.body), "the list has read 1,000 tasks without filling the page")
}

func TestTasks_OldNamesOfOrders(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	b := s.loggedIn(t, token)
	require.Equal(t, 200, b.get(t, "/ui/tasks?sort=newest").status)
	require.Regexp(t, `name="sort" value="requested_at"`, b.get(t, "/ui/tasks?sort=oldest").body)
	require.Equal(t, 200, s.send(t, token, "GET", "/v1/tasks?oldest_first=true", "").status)
}

// REST and the page search and sort by attributes that a template declares.
func TestTasks_AreSearchedAndSortedByAttributes(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique",
		"attributes": {"customer": "$.customer", "total": {"type": "number", "context": "$.total"}}, "steps": [{"name": "a"}]}')`)
	s.execute(t, `select count(*) from tasker.create_tasks('shop', 'sale', array(
		select jsonb_build_object('customer', case i % 2 when 0 then 'ann <b>' else 'bob' end, 'total', case i when 7 then '"many"'::jsonb else to_jsonb(i) end)
		  from generate_series(1, 7) as i))`)
	token := s.token(t, "look", "reader", "shop")
	var p page[executor.TaskDetail]
	for query, want := range map[string]int{
		"attribute=customer%3Dbob": 4, "attribute=customer%3Dbob&attribute=total%3E%3D3": 2, "sort=-attribute.total": 6, "attribute=total%3C3&namespace=shop&state=open": 2,
	} {
		s.send(t, token, "GET", "/v1/tasks?"+query, "").into(t, 200, &p)
		require.Len(t, p.Items, want, query)
	}
	var n struct{ Tasks int32 }
	s.send(t, token, "GET", "/v1/tasks/count?attribute=customer%3Dbob", "").into(t, 200, &n)
	require.EqualValues(t, 4, n.Tasks)
	require.Contains(t, s.send(t, token, "GET", "/v1/tasks?attribute=custmer%3Dbob", "").problem(t, 422).Hint, `Did you mean "customer"?`)

	var totals []string
	for cursor := ""; ; {
		s.send(t, token, "GET", "/v1/tasks?sort=-attribute.total&limit=4"+cursor, "").into(t, 200, &p)
		uuids := ""
		for _, d := range p.Items {
			uuids += "&task_uuid=" + d.TaskUUID.String()
		}
		var values page[gen.AttributeValue]
		s.send(t, token, "GET", "/v1/task-attributes?"+uuids[1:], "").into(t, 200, &values)
		for _, v := range values.Items {
			if v.Name == "total" {
				totals = append(totals, string(v.Value))
			}
		}
		if p.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *p.NextCursor
	}
	require.Equal(t, []string{"6", "5", "4", "3", "2", "1"}, totals)
	var known page[gen.AttributeDetail]
	s.send(t, token, "GET", "/v1/attributes?namespace=shop", "").into(t, 200, &known)
	require.Len(t, known.Items, 2)

	b := s.loggedIn(t, token)
	a := b.get(t, "/ui/tasks?namespace=shop&attribute=customer%3Dann+%3Cb%3E,+total%3E%3D2&sort=-attribute.total")
	requirePage(t, a, 200, "sorted")
	require.Contains(t, a.body, "3 tasks match")
	require.Contains(t, a.body, `aria-sort="descending"><a href="/ui/tasks?attribute=customer`)
	require.Contains(t, a.body, "<td>ann &lt;b&gt;</td><td>6</td>")
	require.Contains(t, a.body, "customer=ann &lt;b&gt;, total&gt;=2")
	many := query[string](t, s, `select t.task_uuid::text from tasker.list_tasks('shop', p_limit => 1) as t`)
	detail := b.get(t, "/ui/tasks/"+many)
	requirePage(t, detail, 200, "the task")
	require.Contains(t, detail.body, "&#34;many&#34; is no number")
}
