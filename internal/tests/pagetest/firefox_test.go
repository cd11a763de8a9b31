package pagetest

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"github.com/stretchr/testify/require"
)

// firefox is a tab of a real Firefox, which is driven by WebDriver BiDi.
type firefox struct {
	conn net.Conn
	last int
	tab  string
	// complaints are errors that the browser logs.
	complaints []string
}

var listening = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// openFirefox starts a Firefox with an empty profile.
func openFirefox(t *testing.T) *firefox {
	t.Helper()
	if os.Getenv("PGTASKER_TEST_FIREFOX") == "" {
		t.Skip("make test-firefox runs it")
	}
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, "firefox-esr", "--headless", "--remote-debugging-port=0", "--profile", t.TempDir(), "--no-remote")
	command.Env = append(os.Environ(), "HOME="+t.TempDir(), "MOZ_REMOTE_SETTINGS_DEVTOOLS=0")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 20 * time.Second
	said, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { stop(); _ = command.Wait() })
	lines, address := bufio.NewScanner(said), ""
	for address == "" && lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			address = found[1]
		}
	}
	require.NotEmpty(t, address, "Firefox has ended")
	go func() { _, _ = io.Copy(io.Discard, said) }()
	f := &firefox{}
	f.conn, _, _, err = ws.Dial(t.Context(), address+"/session")
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.conn.Close() })
	f.call(t, "session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	f.call(t, "session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	var tree struct {
		Contexts []struct{ Context string }
	}
	f.call(t, "browsingContext.getTree", map[string]any{}, &tree)
	f.tab = tree.Contexts[0].Context
	return f
}

// call sends a command and waits for its answer. Events that come before the answer are kept.
func (f *firefox) call(t *testing.T, method string, params map[string]any, result any) {
	t.Helper()
	f.last++
	text, err := json.Marshal(map[string]any{"id": f.last, "method": method, "params": params})
	require.NoError(t, err)
	require.NoError(t, f.conn.SetDeadline(time.Now().Add(within)))
	require.NoError(t, wsutil.WriteClientText(f.conn, text))
	for {
		heard, err := wsutil.ReadServerText(f.conn)
		require.NoError(t, err)
		var m struct {
			ID             int
			Type, Method   string
			Error, Message string
			Result         json.RawMessage
			Params         struct{ Level, Text string }
		}
		require.NoError(t, json.Unmarshal(heard, &m))
		// Firefox logs each stream that ends because its page is left.
		if m.Method == "log.entryAdded" && m.Params.Level == "error" && !strings.Contains(m.Params.Text, "was interrupted while the page was loading") {
			f.complaints = append(f.complaints, m.Params.Text)
		}
		if m.ID != f.last {
			continue
		}
		require.Equal(t, "success", m.Type, "%s: %s %s", method, m.Error, m.Message)
		if result != nil {
			require.NoError(t, json.Unmarshal(m.Result, result))
		}
		return
	}
}

func (f *firefox) visit(t *testing.T, url string) {
	t.Helper()
	f.call(t, "browsingContext.navigate", map[string]any{"context": f.tab, "url": url, "wait": "complete"}, nil)
}

// evaluate returns the JSON of an expression's value in the page.
func (f *firefox) evaluate(t *testing.T, expression string) string {
	t.Helper()
	var found struct {
		Type   string
		Result struct{ Value string }
	}
	f.call(t, "script.evaluate", map[string]any{"expression": "JSON.stringify(" + expression + ") ?? 'null'", "target": map[string]any{"context": f.tab}, "awaitPromise": true}, &found)
	require.Equal(t, "success", found.Type, expression)
	return found.Result.Value
}

func (f *firefox) until(t *testing.T, expression string) {
	t.Helper()
	require.Eventually(t, func() bool { return f.evaluate(t, "!!("+expression+")") == "true" }, within, 50*time.Millisecond, expression)
}

func (f *firefox) press(t *testing.T, keys ...string) {
	t.Helper()
	var actions []map[string]any
	for _, key := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": key}, map[string]any{"type": "keyUp", "value": key})
	}
	f.call(t, "input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

func (f *firefox) keepPicture(t *testing.T, look, name string) {
	t.Helper()
	var shot struct{ Data string }
	f.call(t, "browsingContext.captureScreenshot", map[string]any{"context": f.tab}, &shot)
	picture, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(t, err)
	write(t, filepath.Join("..", "..", "..", ".cache", "page", look, name+".png"), picture)
}

// All screens fit and are quiet in a Firefox, on a desktop and a phone. Changes come by themselves, keys and heads of columns work, and an
// action is asked and done.
func TestFirefox(t *testing.T) {
	t.Parallel()
	f := openFirefox(t)
	s := newSite(t)
	f.visit(t, s.url+"/ui/login")
	f.evaluate(t, `(document.getElementById("token").value = "`+s.token+`", document.querySelector("form button:not(.tool)").click(), 1)`)
	f.until(t, `document.readyState == "complete" && document.querySelector("nav.menu")`)
	screens := s.screens()
	for _, l := range []look{lightDesktop, lightPhone} {
		f.call(t, "browsingContext.setViewport", map[string]any{"context": f.tab, "viewport": map[string]any{"width": l.width, "height": l.height}}, nil)
		for _, name := range slices.Sorted(maps.Keys(screens)) {
			s.execute(t, seen)
			f.visit(t, s.url+screens[name])
			require.Equal(t, "1", f.evaluate(t, `document.querySelectorAll("h1").length`), name)
			require.Equal(t, "true", f.evaluate(t, `document.documentElement.scrollWidth <= innerWidth`), "%s is not wider than the screen", name)
			f.keepPicture(t, "firefox-"+l.name, name)
		}
	}
	require.Empty(t, f.complaints)

	f.call(t, "browsingContext.setViewport", map[string]any{"context": f.tab, "viewport": map[string]any{"width": 1280, "height": 800}}, nil)
	f.visit(t, s.url+"/ui/tasks")
	f.until(t, `document.querySelector(".live.on")`)
	added := s.create(t, "F-1")
	f.until(t, `document.getElementById("t`+added+`")`)
	f.press(t, "j", "x")
	f.until(t, `document.querySelector(".picked").innerText == "1 selected"`)
	f.visit(t, s.url+"/ui/tasks")
	f.evaluate(t, `(document.querySelector("thead th a").focus(), 1)`)
	f.press(t, "\ue007") // Enter
	f.until(t, `document.readyState == "complete" && location.search == "?sort=name" && document.querySelector("th[aria-sort=ascending]")`)
	f.press(t, "g", "q")
	f.until(t, `document.readyState == "complete" && document.querySelector("h1").innerText == "Queues"`)
	f.visit(t, s.url+"/ui/tasks/"+s.open+"/cancel")
	f.evaluate(t, `(document.getElementById("reason").focus(), 1)`)
	f.press(t, "w", "h", "y", "\ue007")
	f.until(t, `document.querySelector(".note.done")`)
	require.Equal(t, "cancelled", s.state(t, s.open))
	require.Empty(t, f.complaints)
}
