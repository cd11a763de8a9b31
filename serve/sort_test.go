package serve_test

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// sorted reads all pages of a list.
func (s *site) sorted(t *testing.T, token, path string) (items []map[string]any) {
	t.Helper()
	for next := ""; ; {
		got := s.send(t, token, "GET", path+next, "")
		require.Equal(t, 200, got.status, "%s\n%s", path, got.body)
		var page struct {
			Items      []map[string]any
			NextCursor *string `json:"next_cursor"`
		}
		require.NoError(t, json.Unmarshal([]byte(got.body), &page))
		items = append(items, page.Items...)
		if page.NextCursor == nil {
			return items
		}
		next = "&cursor=" + url.QueryEscape(*page.NextCursor)
	}
}

// Every list that takes sort sorts by every field of its items in both directions, loses no row between its pages, and refuses other fields.
func TestSort_EveryListByEveryField(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, contractFixture)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "pay", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`)
	s.execute(t, `select tasker.create_task('shop', 'pay', '{}') from generate_series(1, 5)`)
	s.execute(t, "select tasker.create_dlq_entry(t.task_uuid) from tasker.list_tasks(p_limit => 3) as t")
	s.execute(t, `select tasker.set_limit('shop', 'b', 5), tasker.set_limit('shop', 'a', 7)`)
	token := s.token(t, "ops", "operator", "*")
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.send(t, token, "GET", "/v1/openapi.json", "").body), &document))
	lists := 0
	for path, methods := range document.Paths {
		of := methods["get"].Parameters
		takes := func(name, in string) bool {
			return slices.ContainsFunc(of, func(p struct{ Name, In string }) bool { return p.Name == name && p.In == in })
		}
		if !takes("sort", "query") || strings.Contains(path, "{") || path == "/v1/runs" {
			continue
		}
		lists++
		more := "?"
		if takes("limit", "query") {
			more = "?limit=2"
		}
		all := s.sorted(t, token, path+more)
		require.Equal(t, 422, s.send(t, token, "GET", path+"?sort=nothing_like_it", "").status, path)
		require.Equal(t, 422, s.send(t, token, "GET", path+"?sort="+url.QueryEscape(`x";select 1`), "").status, path)
		if len(all) == 0 {
			continue
		}
		for field := range all[0] {
			if field == "snapshot" || field == "role" && path == "/v1/health/workers" {
				continue
			}
			up, down := s.sorted(t, token, path+more+"&sort="+field), s.sorted(t, token, path+more+"&sort=-"+field)
			require.Len(t, up, len(all), "%s by %s", path, field)
			require.Len(t, down, len(all), "%s by %s", path, field)
			numbers := func(items []map[string]any) (n []float64) {
				for _, i := range items {
					if v, is := i[field].(float64); is {
						n = append(n, v)
					}
				}
				return n
			}
			require.True(t, slices.IsSorted(numbers(up)), "%s by %s: %v", path, field, numbers(up))
			require.True(t, slices.IsSortedFunc(numbers(down), func(a, b float64) int { return cmp.Compare(b, a) }), "%s by -%s", path, field)
		}
	}
	require.GreaterOrEqual(t, lists, 14)
	// The oldest tasks are the oldest of all tasks, and a task without an end has its duration until now.
	newest := s.sorted(t, token, "/v1/tasks?limit=2")
	oldest := s.sorted(t, token, "/v1/tasks?limit=2&sort=requested_at")
	slices.Reverse(oldest)
	require.Equal(t, newest, oldest)
	require.Len(t, s.sorted(t, token, "/v1/tasks?limit=2&sort=-duration"), len(newest))
	// A cursor belongs to its order.
	first := s.send(t, token, "GET", "/v1/tasks?limit=2&sort=name", "")
	var page struct {
		NextCursor string `json:"next_cursor"`
	}
	require.NoError(t, json.Unmarshal([]byte(first.body), &page))
	require.Equal(t, 422, s.send(t, token, "GET", "/v1/tasks?limit=2&sort=-name&cursor="+page.NextCursor, "").status)
	require.Equal(t, 422, s.send(t, token, "GET", "/v1/tasks?limit=2&cursor="+page.NextCursor, "").status)
}

// The page sorts the cards of workers by links, and settings by their heads.
func TestSort_CardsOfWorkersAndSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_worker(gen_random_uuid(), n, '{}', null) from unnest('{packer,adder,zipper}'::text[]) as n`)
	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	for path, c := range map[string]struct{ row, first, next, says string }{
		"/ui/workers?sort=name":           {`<h2>(\w+) <code>`, "adder", "sort=-name", `<span class="sr">, ascending</span>`},
		"/ui/workers?sort=-name":          {`<h2>(\w+) <code>`, "zipper", "sort=name", `<span class="sr">, descending</span>`},
		"/ui/settings":                    {`<tr id="s-(\w+)"`, "", "sort=-name", `aria-sort="ascending"`},
		"/ui/settings?sort=-name":         {`<tr id="s-(\w+)"`, "", "/ui/settings", `aria-sort="descending"`},
		"/ui/workers?all=1&sort=-version": {`<h2>(\w+) <code>`, "", "all=1&amp;sort=version", `<span class="sr">, descending</span>`},
	} {
		a := b.get(t, path)
		requirePage(t, a, 200, path)
		var rows []string
		for _, row := range regexp.MustCompile(c.row).FindAllStringSubmatch(a.body, -1) {
			rows = append(rows, row[1])
		}
		require.GreaterOrEqual(t, len(rows), 3, path)
		if c.first != "" {
			require.Equal(t, c.first, rows[0], path)
		} else if strings.HasPrefix(path, "/ui/settings") {
			require.Equal(t, !strings.Contains(path, "-"), slices.IsSorted(rows), path)
		}
		require.Contains(t, a.body, c.next+`"`, path)
		require.Contains(t, a.body, c.says, path)
	}
}
