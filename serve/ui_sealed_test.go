package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/serve"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

// The page names the key of each encrypted payload in place of the ciphertext, shows the fields in the clear, and says what it cannot do.
func TestUI_SaysWithWhichKeyAPayloadIsEncrypted(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "claim", "encrypted": {"clear": ["customers"]}, "steps": [
		{"name": "charge", "retry": {"max_attempts": 1}}, {"name": "paid"}, {"name": "each", "for_each": "$.customers", "handler": "paid"},
		{"name": "ok", "await": {"signal": "ok"}, "dependencies": ["paid"]}]}')`)
	keys, err := codec.NewKeys("k1", map[string][]byte{"k1": bytes.Repeat([]byte("k"), 32)})
	require.NoError(t, err)
	client := executor.NewClient(executor.WithCodec(s.admin, keys))
	created, err := client.Tasks().Create(t.Context(), executor.TaskRequest{
		Namespace: "shop", Name: "claim", Context: json.RawMessage(`{"customers": [7], "card": "zebra"}`),
	})
	require.NoError(t, err)
	_, err = client.Schedules().Set(t.Context(), executor.ScheduleRequest{
		Name: "nightly", Task: executor.TemplateRef{Namespace: "shop", Name: "claim"}, Cron: "0 2 * * *", Context: json.RawMessage(`{"card": "zebra"}`),
	}, executor.By{Actor: "ann"})
	require.NoError(t, err)
	w, err := worker.New(s.admin, worker.Config{Codec: keys})
	require.NoError(t, err)
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[map[string]any]) (string, error) {
		return "", worker.Permanent(fmt.Errorf("no %s", job.Input["card"]))
	})
	worker.Handle(w, "paid", func(_ context.Context, job *worker.Job[map[string]any]) (any, error) { return job.Input["card"], nil })
	workertest.Run(t, s.admin, w, created.TaskUUID)
	_, err = client.Signals().Send(t.Context(), created.TaskUUID, executor.Signal{Name: "later", Payload: json.RawMessage(`"zebra"`)})
	require.NoError(t, err)

	b := s.loggedIn(t, s.token(t, "ops", "operator", "*"))
	path := "/ui/tasks/" + created.TaskUUID.String()
	const sealed, failed = `(encrypted with key &#34;k1&#34;)`, `encrypted *errors.errorString`
	for _, page := range []struct {
		path string
		says []string
	}{
		{path, []string{failed, `(key &#34;k1&#34;)`}},
		{path + "?show=story", []string{`(key &#34;k1&#34;)`}},
		{path + "?show=audit", []string{sealed, `(key &#34;k1&#34;)`}},
		{path + "?show=data", []string{`{&#34;customers&#34;:[7]}`, "<code>" + sealed}},
		{path + "/steps/1", []string{failed}},
		{path + "/steps/2", []string{sealed}},
		{path + "/steps/3", nil},
		{path + "/steps/4/signal?signal=ok", []string{"The payloads of the task are encrypted", sealed, "<dt>customers</dt>"}},
		{path + "/steps/1/complete", []string{"only null is stored"}},
		{path + "/steps/2/correct", []string{"only null is stored"}},
		{"/ui/templates/shop/claim/0.1.0/start", []string{"the page has no key. The command line starts a task, with --key."}},
		{"/ui/schedules/shop/nightly", []string{sealed}},
		{"/ui/tasks", nil},
		{path + "/steps/5", []string{sealed}},
		{"/ui", nil},
		{"/ui/waits", nil},
	} {
		found := b.get(t, page.path)
		require.Equal(t, http.StatusOK, found.status, page.path)
		for _, text := range page.says {
			require.Contains(t, found.body, text, page.path)
		}
		require.NotContains(t, found.body, "zebra", page.path)
		require.NotContains(t, found.body, "&#34;ct&#34;", page.path)
	}

	// Changes by hand. A payload in the clear is refused with words, and a schedule keeps its encrypted context.
	refused := b.do(t, path+"/steps/1/complete", url.Values{"results": {`{"card": "zebra"}`}, "reason": {"by hand"}})
	require.Equal(t, http.StatusUnprocessableEntity, refused.status)
	require.Contains(t, refused.body, "is not encrypted")
	require.Contains(t, b.do(t, path+"/steps/1/complete", url.Values{"results": {`null`}, "reason": {"by hand"}}).body, "complete")
}
