package serve_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/serve"
)

// REST takes the filters of the page's list of tasks; it sorts, and counts what matches.
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
		"longer_than_seconds=100000": 0, "state=open&error=no&key=k": 2,
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

// Addresses with the names of orders that the page had before still work.
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
