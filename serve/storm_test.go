package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/serve"
)

// seed is that of PGTASKER_SEED, to repeat a run.
func seed(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(os.Getenv("PGTASKER_SEED"), 10, 64)
	if err != nil {
		n = rand.Uint64()
	}
	t.Logf("PGTASKER_SEED=%d", n)
	return n
}

func requests(short, long int) int {
	if os.Getenv("PGTASKER_SOAK") != "" {
		return long
	}
	return short
}

// TestFuzz_OnlyDocumentedAnswers sends requests that no client would: whole paths, methods, queries, headers and bodies
// at random, byte by byte, past any client's own checks.
func TestFuzz_OnlyDocumentedAnswers(t *testing.T) {
	t.Parallel()
	s, c := newContract(t), newChecker(t)
	token := s.token(t, "ops", "operator", "*")
	r := rand.New(rand.NewPCG(seed(t), 0))
	operations := documented(t)
	// Beside those of the document: no such page or method, and what net/http refuses before the handler.
	elsewhere := []int{400, 408, 414, 417, 431, 501, 505}
	codes := regexp.MustCompile(`^(TK[0-9]{3}|HTTP[0-9]{3})$`)
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	counts := map[int]int{}
	for range requests(1000, 30000) {
		o := operations[r.IntN(len(operations))]
		parts := strings.Split(strings.NewReplacer("{", "", "}", "").Replace(o.path), "/")
		for range r.IntN(3) {
			parts[r.IntN(len(parts))] = url.PathEscape(cut(pick(hostileTexts)))
		}
		target := strings.Join(parts, "/")
		if r.IntN(3) == 0 {
			target += "?" + pick([]string{"limit=1", "limit=0", "cursor=%%%", "limit=1&limit=2", "a;b", "\x7f", "tag=" + url.QueryEscape(pick(hostileTexts))})
		}
		if r.IntN(20) == 0 {
			target = pick([]string{"*", "//", "/v1//tasks", "/v1/../v1/tasks", "/v1/tasks/", "http://x/v1/tasks", "/%2e%2e/", "/v1/%74asks", strings.Repeat("/a", 5000)})
		}
		method := pick([]string{"GET", "GET", o.method, o.method, "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW", "CONNECT"})
		body := pick(hostileBodies)
		body = body[:min(len(body), 1<<16)]
		headers := "Authorization: " + pick([]string{"Bearer " + token, "Bearer " + token, "Bearer " + token, "Basic x", "Bearer", "", "Digest " + token}) + "\r\n"
		headers += pick([]string{"", "X-Request-Id: \x01\r\n", "X-Request-Id: " + token + "\r\n", "Idempotency-Key: " + pick([]string{"k", "", "é", strings.Repeat("k", 5000)}) + "\r\n", "Expect: 100-continue\r\n"})
		headers += pick([]string{"Content-Type: application/json\r\n", "Content-Type: application/json; charset=latin1\r\n", "Content-Type: \xff\r\n", ""})
		raw := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s", method, target, headers, len(body), body)
		status, header, text := s.raw(t, raw)
		counts[status]++
		what := strconv.Quote(raw[:min(len(raw), 300)])
		if kind := header.Get("Content-Type"); !strings.HasPrefix(kind, "application/") && (status != 200 || !strings.HasPrefix(target, "/ui")) {
			// The answer of net/http itself, before the handler, or none that has a body.
			require.True(t, slices.Contains(elsewhere, status) || method == "HEAD" || method == "OPTIONS", "%d %s %s", status, kind, what)
			continue
		}
		if method == "HEAD" {
			continue
		}
		if o := matching(operations, method, target); o != nil {
			requireDocumented(t, c, *o, answer{status: status, body: text}, what)
			continue
		}
		// No operation beyond doubt: if it is refused, the answer is a problem nonetheless.
		require.Contains(t, []int{200, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429}, status, what)
		if status == 200 {
			continue
		}
		require.Equal(t, "application/problem+json", header.Get("Content-Type"), what)
		var p serve.Problem
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&p), "%s %s", what, text)
		require.Equal(t, status, p.Status, what)
		require.Regexp(t, codes, p.Code, what)
		for _, said := range []string{p.Type, p.Title, p.Detail, p.RequestID} {
			require.NotEmpty(t, said, "%s %s", what, text)
		}
	}
	t.Log(counts)
	require.Positive(t, counts[200])
	require.NotContains(t, s.log.String(), token, "the log has no token")
	require.NotContains(t, s.log.String(), "panic")
}

func cut(text string) string { return text[:min(len(text), 200)] }

// matching returns the operation that a target belongs to, if it is one beyond doubt.
func matching(operations []route, method, target string) *route {
	target, _, _ = strings.Cut(target, "?")
	parts := strings.Split(target, "/")
	for i, o := range operations {
		want := strings.Split(o.path, "/")
		if o.method != method || len(want) != len(parts) {
			continue
		}
		same := true
		for j := range want {
			same = same && (want[j] == parts[j])
		}
		if same {
			return &operations[i]
		}
	}
	return nil
}

// raw sends bytes and returns what comes back.
func (s *site) raw(t *testing.T, text string) (status int, header http.Header, body []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")) //nolint:noctx // It has a deadline.
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(within)))
	_, _ = conn.Write([]byte(text)) // The server may have answered and closed already.
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	for err == nil && response.StatusCode < http.StatusOK { // 100: go on.
		response, err = http.ReadResponse(reader, nil)
	}
	require.NoError(t, err, "%q", text[:min(len(text), 300)])
	defer func() { _ = response.Body.Close() }()
	body, _ = io.ReadAll(response.Body) // Cut off, perhaps, since not all of the request was read.
	return response.StatusCode, response.Header, body
}

// TestStorm_LeavesNoRoleBehind has many clients send requests that succeed, fail, and are aborted halfway: no
// connection of the pool keeps a role, a token or namespaces.
func TestStorm_LeavesNoRoleBehind(t *testing.T) {
	t.Parallel()
	s := newContract(t)
	storm(t, s, requests(1000, 10000))
	requireNoIdentity(t, s)
	replaytest.Recorded(t, s.admin) // It exports what the requests made. No worker runs, so no step has ended that could be replayed.
}

// storm sends mixed requests.
func storm(t *testing.T, s *site, n int) {
	t.Helper()
	tokens := []string{s.token(t, "all", "operator", "*"), s.token(t, "shop", "submitter", "shop"), s.token(t, "none", "reader")}
	s.execute(t, "select tasker.create_token('gone', sha256('gone'), 'tasker_reader', '{*}')")
	task := s.createTask(t, "storm")
	var left, aborted, answered atomic.Int64
	left.Store(int64(n))
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			r := rand.New(rand.NewPCG(uint64(client), 1))
			for left.Add(-1) >= 0 {
				ctx, cancel := context.WithCancel(t.Context())
				if r.IntN(4) == 0 {
					timer := time.AfterFunc(time.Duration(r.IntN(4000))*time.Microsecond, cancel)
					defer timer.Stop()
				}
				var err error
				token := tokens[r.IntN(len(tokens))]
				switch r.IntN(6) {
				case 0:
					_, err = s.try(ctx, token, "POST", "/v1/tasks", fmt.Sprintf(`{"namespace": "shop", "name": "order", "identity_key": "%d"}`, r.Uint64()))
				case 1:
					_, err = s.try(ctx, token, "GET", "/v1/tasks/"+task+"/history", "")
				case 2:
					_, err = s.try(ctx, token, "POST", "/v1/tasks/"+task+"/reset", `{"reason": "storm"}`)
				case 3:
					_, err = s.try(ctx, token, "GET", "/v1/tasks/"+task+"/wait?timeout_seconds=1", "")
				case 4:
					_, err = s.try(ctx, token, "PUT", "/v1/settings/notify", `{"value": "nonsense"}`)
				default:
					_, err = s.try(ctx, token, "GET", "/v1/tasks?limit=3", "")
				}
				cancel()
				if err != nil {
					aborted.Add(1)
				} else {
					answered.Add(1)
				}
			}
		})
	}
	clients.Wait()
	t.Logf("%d answered, %d aborted", answered.Load(), aborted.Load())
	require.Positive(t, aborted.Load())
	require.Greater(t, answered.Load(), int64(n/2))
}

// requireNoIdentity fails the test if a connection of the server's pool acts as anything but its login.
func requireNoIdentity(t *testing.T, s *site) {
	t.Helper()
	looked := 0
	for _, conn := range s.web.AcquireAllIdle(t.Context()) {
		var role, user, namespaces, token string
		require.NoError(t, conn.QueryRow(t.Context(),
			"select current_setting('role'), current_user::text, coalesce(current_setting('tasker.namespaces', true), ''), coalesce(current_setting('tasker.token', true), '')").
			Scan(&role, &user, &namespaces, &token))
		conn.Release()
		require.Equal(t, []string{"none", s.login, "", ""}, []string{role, user, namespaces, token})
		looked++
	}
	require.Positive(t, looked)
}

// TestLogs_HaveNoToken looks for the secret in all that PostgreSQL logs when it logs everything, and in what the server logs.
func TestLogs_HaveNoToken(t *testing.T) {
	t.Parallel()
	admin, _ := pgtest.NewPrivate(t)
	for _, sql := range []string{
		"alter system set log_statement = 'all'", "alter system set log_min_duration_statement = 0",
		"alter system set log_parameter_max_length = -1", "select pg_reload_conf()",
	} {
		_, err := admin.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	s := newSiteOn(t, admin, serve.Config{})
	s.execute(t, shop)
	token := s.token(t, "ops", "operator", "*")
	task := s.createTask(t, "one")
	for range 20 {
		s.send(t, token, "GET", "/v1/tasks/"+task, "")
		s.send(t, token, "GET", "/v1/tasks/"+token, "")
		s.send(t, token, "GET", "/v1/tasks?"+token, "")
		s.send(t, token, "GET", "/"+token, "", "X-Request-Id", token)
		s.send(t, token, "GET", "/v1/tasks", "", "X-Request-Id", "a:"+token)
		s.send(t, token, "GET", "/v1/tasks", "", "X-Request-Id", "a:T"+token[1:])
		s.send(t, token, "POST", "/v1/tasks/"+task+"/cancel", "")
		s.send(t, token+"x", "GET", "/v1/tasks", "")
	}
	directory := query[string](t, s, "select current_setting('data_directory')")
	const last = "the last statement" // what the server process says passes through a pipe
	query[string](t, s, "select '"+last+"'")
	var text []byte
	require.Eventually(t, func() bool {
		var err error
		text, err = os.ReadFile(filepath.Join(filepath.Dir(directory), "server.log"))
		return err == nil && bytes.Contains(text, []byte(last))
	}, within, 10*time.Millisecond)
	require.Contains(t, string(text), "assume_token", "the log has the statements")
	require.NotContains(t, string(text), token[7:])
	require.Eventually(t, func() bool { return strings.Count(s.log.String(), "msg=request") == 20*8 }, within, 10*time.Millisecond, "a line for each request")
	require.Contains(t, s.log.String(), "token=ops")
	require.NotContains(t, s.log.String(), token[7:])
}
