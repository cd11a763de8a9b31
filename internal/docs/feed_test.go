package docs

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/relay"
)

// If a page makes a subscription with the command, the subscription delivers the end of a task as a webhook.
func TestPages_SubscriptionsGetTheEndOfATask(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `
		select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`)
	require.NoError(t, err)
	got := make(chan string, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.URL.Path[1:] + " " + string(body)
	}))
	t.Cleanup(server.Close)

	waiting := map[string]bool{}
	command := regexp.MustCompile(`tasker subscription create ([a-z]\w*) (-.*)`)
	for _, file := range []string{"docs/cli.md", "docs/feed.md", "docs/howto/webhook.md", "docs/serve.md", "docs/operations.md", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		for _, match := range command.FindAllStringSubmatch(string(text), -1) {
			name := match[1] + "_" + regexp.MustCompile(`\W`).ReplaceAllString(strings.ToLower(file), "_")
			filter, err := json.Marshal(documentedFilter(t, match[2]))
			require.NoError(t, err)
			_, err = executor.New(pool).Subscribe(t.Context(), sqlfn.SubscribeParams{
				Subscription: name, Filter: filter, Target: json.RawMessage(`{"webhook": {"url": "` + server.URL + "/" + name + `"}}`),
			})
			require.NoError(t, err, "%s: %s", file, match[0])
			waiting[name] = true
		}
	}
	require.GreaterOrEqual(t, len(waiting), 3)

	hook := &relay.Webhook{
		Secrets: func(string, bool) ([]string, error) {
			return []string{"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}, nil
		},
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}, AllowHTTP: true,
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- relay.Run(ctx, pool, relay.Config{Targets: map[string]relay.Open{"webhook": hook.Open}, ListInterval: 10 * time.Millisecond, PollInterval: 10 * time.Millisecond})
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	_, err = pool.Exec(t.Context(), `select from tasker.create_task('shop', 'order')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `select tasker.complete_steps(array[c.step_uuid], array[c.claim_no]) from tasker.claim_steps('{shop}', gen_random_uuid()) as c`)
	require.NoError(t, err)

	page, err := os.ReadFile(filepath.Join(root, "docs/howto/webhook.md"))
	require.NoError(t, err)
	for len(waiting) > 0 {
		select {
		case delivery := <-got:
			name, body, _ := strings.Cut(delivery, " ")
			var message struct {
				Type string
				Data struct{ Kind, Event, ToState string }
			}
			require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(body, `"to_state"`, `"ToState"`)), &message))
			if message.Data.Kind == "task" && message.Data.ToState == "complete" {
				delete(waiting, name)
				require.Contains(t, string(page), `{"type": "`+message.Type+`"`, "the sample of the page is such a message")
				require.Contains(t, string(page), `"event": "`+message.Data.Event+`"`)
			}
		case <-time.After(time.Minute):
			t.Fatalf("these got no end of the task: %v", waiting)
		}
	}
}

// documentedFilter reads the flags of a documented command.
func documentedFilter(t *testing.T, flags string) (filter executor.FeedFilter) {
	t.Helper()
	words := strings.Fields(flags)
	lists := map[string]*[]string{
		"--namespace": &filter.Namespaces, "-n": &filter.Namespaces, "--template": &filter.Templates, "--kind": &filter.Kinds,
		"--event": &filter.Events, "--to-state": &filter.ToStates,
	}
	for i := 0; i+1 < len(words); i += 2 {
		if list, ok := lists[words[i]]; ok {
			*list = strings.Split(words[i+1], ",")
			continue
		}
		require.Contains(t, []string{"--webhook", "--pgmq", "--rabbitmq", "--since"}, words[i])
	}
	return filter
}
