package serve_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// event is a server-sent event.
type sentEvent struct{ id, name, data string }

// events reads events until n have come, or the answer ends.
func events(t *testing.T, from *bufio.Scanner, n int) (found []sentEvent) {
	t.Helper()
	var e sentEvent
	for len(found) < n && from.Scan() {
		key, rest, _ := strings.Cut(from.Text(), ": ")
		switch key {
		case "id":
			e.id = rest
		case "event":
			e.name = rest
		case "data":
			e.data = rest
		case "":
			if e.data != "" {
				found = append(found, e)
			}
			e = sentEvent{}
		}
	}
	return found
}

func TestServe_FollowsAStreamAsServerSentEvents(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, "select"+functions)
	step := query[string](t, s, "select tasker.step_uuid(c.task_uuid, 1)::text from tasker.create_task('shop', 'function') as c")
	token := s.token(t, "op", "operator", "shop")
	s.execute(t, "select tasker.claim_step('"+step+"', tasker_test.worker(1))")
	write := func(items string) {
		s.execute(t, "select tasker.append_items('"+step+"', (select s.claim_no from tasker.workflow_steps as s where s.workflow_step_uuid = '"+step+"'), 'rows', '"+items+"')")
	}
	write(`["one", "two"]`)
	rest, _ := stepPath(step)
	follow := func(last string) (status int, kind string, lines *bufio.Scanner) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+rest+"/streams/rows", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Accept", "text/event-stream")
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
		response, err := s.http.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		return response.StatusCode, response.Header.Get("Content-Type"), bufio.NewScanner(response.Body)
	}
	_, kind, lines := follow("")
	require.Equal(t, "text/event-stream", kind)
	first := events(t, lines, 2)
	require.Len(t, first, 2)
	require.Equal(t, []string{"1", "2"}, []string{first[0].id, first[1].id})
	require.Contains(t, first[1].data, `"item":"two"`)
	write(`["three"]`)
	require.Equal(t, "3", events(t, lines, 1)[0].id, "an item that is appended later comes in the same answer")

	_, _, lines = follow("1")
	again := events(t, lines, 2)
	require.Equal(t, []string{"2", "3"}, []string{again[0].id, again[1].id}, "a client that connects again misses none and gets none twice")
	s.execute(t, "select tasker.cancel_task(tasker.task_uuid_of('"+step+"'))")
	end := events(t, lines, 1)
	require.Equal(t, "end", end[0].name)
	require.False(t, lines.Scan(), "the answer ends with the step")

	status, _, _ := follow("x")
	require.Equal(t, http.StatusUnprocessableEntity, status)
}

func TestServe_WaitsForAValue(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, "select"+functions)
	step := query[string](t, s, "select tasker.step_uuid(c.task_uuid, 1)::text from tasker.create_task('shop', 'function') as c")
	token := s.token(t, "op", "operator", "shop")
	s.execute(t, "select tasker.claim_step('"+step+"', tasker_test.worker(1))")
	rest, _ := stepPath(step)
	none := s.send(t, token, http.MethodGet, rest+"/values/total", "")
	require.JSONEq(t, `{"value": null}`, string(none.body))
	got := make(chan answer, 1)
	go func() { got <- s.send(t, token, http.MethodGet, rest+"/values/total?timeout_seconds=30", "") }()
	s.execute(t, "select tasker.set_value('"+step+"', (select s.claim_no from tasker.workflow_steps as s where s.workflow_step_uuid = '"+step+"'), 'total', '7')")
	require.Contains(t, string((<-got).body), `"value":7`)
}
