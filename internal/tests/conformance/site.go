package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/serve"
)

// Worker is a program under test.
type Worker struct {
	// Command starts the program in the folder Dir.
	Command []string
	Dir     string
	// Env is added to the program's environment.
	Env []string
	// SQL is true for a worker that uses the database directly.
	SQL bool
}

const (
	namespace = "conformance"
	within    = time.Minute
)

// site is a database with a REST server, and a proxy that can lose the server's answers.
type site struct {
	pool   *pgxpool.Pool
	e      *direct.Executor
	url    string
	token  string
	lease  string // in seconds
	path   string // the path of the requests that s.answer concerns
	losing atomic.Bool
	lost   atomic.Int64
	// While answer is not 0, it is the status of the answer to all requests of path. answered counts these requests, and
	// connections counts the opened connections.
	answer      atomic.Int32
	answered    atomic.Int64
	connections atomic.Int64
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := newDatabase(t)
	s.url = s.proxy(t, s.serve(t, s.pool, serve.Config{}))
	return s
}

// newDatabase returns a site without a server.
func newDatabase(t *testing.T) *site {
	t.Helper()
	s := &site{pool: pgtest.New(t), lease: "2", path: "/v1/exchange"}
	s.e = direct.New(s.pool)
	s.token = s.newToken(t, "conformance", "worker")
	return s
}

// serve starts a server and returns its address.
func (s *site) serve(t *testing.T, pool *pgxpool.Pool, config serve.Config) string {
	t.Helper()
	config.Loopback, config.Logger = true, slog.New(slog.DiscardHandler)
	handler, err := serve.New(t.Context(), pool, config)
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(handler.Close)
	return server.URL
}

func (s *site) newToken(t *testing.T, name, role string) string {
	t.Helper()
	token, hash := bearer.New()
	_, err := s.e.CreateToken(t.Context(), sqlfn.CreateTokenParams{
		Name: name, TokenHash: hash, RoleName: "tasker_" + role, Namespaces: []string{"*"},
	})
	require.NoError(t, err)
	return token
}

// proxy forwards to the server. While s.losing is set, the proxy closes the connection in place of the first answer, and in
// place of a random third of the other answers. While s.answer is set, the proxy answers exchanges itself.
func (s *site) proxy(t *testing.T, server string) string {
	t.Helper()
	target, err := url.Parse(server)
	require.NoError(t, err)
	reverse := httputil.NewSingleHostReverseProxy(target)
	reverse.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	reverse.ModifyResponse = func(response *http.Response) error {
		if s.losing.Load() && (s.lost.Load() == 0 || rand.N(3) == 0) {
			_, _ = io.Copy(io.Discard, response.Body)
			s.lost.Add(1)
			panic(http.ErrAbortHandler)
		}
		return nil
	}
	front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := int(s.answer.Load())
		if status == 0 || r.URL.Path != s.path {
			reverse.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		s.answered.Add(1)
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"status": %d, "code": "TK%d", "detail": "the proxy says so"}`, status, status)
	}))
	front.Config.ErrorLog = reverse.ErrorLog
	front.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	front.Start()
	t.Cleanup(front.Close)
	return front.URL
}

// process is a running worker.
type process struct {
	command *exec.Cmd
	done    chan error
	output  *output
}

// output is the output of a process.
type output struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// start starts a worker, which is killed at the end of the test.
func (s *site) start(t *testing.T, w Worker, stopSeconds string) *process {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), w.Command[0], w.Command[1:]...)
	command.Dir = w.Dir
	command.Env = append(append(os.Environ(), w.Env...),
		"TASKER_URL="+s.url, "TASKER_TOKEN="+s.token, "TASKER_NAMESPACE="+namespace, "TASKER_LEASE_SECONDS="+s.lease,
		"TASKER_STOP_SECONDS="+stopSeconds, "DATABASE_URL="+pgtest.URL(s.pool))
	output := &output{}
	command.Stdout, command.Stderr = output, output
	command.WaitDelay = time.Second
	require.NoError(t, command.Start())
	p := &process{command: command, done: make(chan error, 1), output: output}
	go func() { p.done <- command.Wait() }()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("the worker said:\n%s", output.String())
		}
	})
	return p
}

// run starts a worker and returns when the database knows it. SIGTERM would kill a worker before this point. A process with several
// exchanges under way registers a worker for each, one after the other. The first worker has the plain name.
func (s *site) run(t *testing.T, w Worker, stopSeconds string) *process {
	t.Helper()
	workers := func() (uuids []uuid.UUID) {
		rows, err := s.pool.Query(t.Context(), "select worker_uuid from tasker.workers where name !~ '#[0-9]+$' and name <> worker_uuid::text")
		require.NoError(t, err)
		uuids, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		require.NoError(t, err)
		return uuids
	}
	before := workers()
	p := s.start(t, w, stopSeconds)
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(workers(), func(w uuid.UUID) bool { return !slices.Contains(before, w) })
	}, within, 10*time.Millisecond, "the worker does not run")
	return p
}

// kill ends the worker with SIGKILL.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	err := <-p.done
	p.done <- err
}

func (p *process) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	require.NoError(t, p.command.Process.Signal(signal))
}

// stop stops the worker, which must exit without an error.
func (p *process) stop(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	select {
	case err := <-p.done:
		p.done <- err
		require.NoError(t, err)
	case <-time.After(within):
		require.Fail(t, "the worker did not stop")
	}
}

// register registers a template of these steps under a name.
func (s *site) register(t *testing.T, name, steps string) {
	t.Helper()
	_, err := s.e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "`+namespace+`", "name": "`+name+`", "steps": `+steps+`}`))
	require.NoError(t, err)
}

// create creates a task of a template that consists of these steps.
func (s *site) create(t *testing.T, name, steps, context string) uuid.UUID {
	t.Helper()
	s.register(t, name, steps)
	return s.another(t, name, context)
}

// another creates another task of a template.
func (s *site) another(t *testing.T, name, context string) uuid.UUID {
	t.Helper()
	task, err := s.e.CreateTask(t.Context(), executor.TaskRequest{Namespace: namespace, Name: name, Context: json.RawMessage(context)})
	require.NoError(t, err)
	return task.TaskUUID
}

// await returns when the task has reached a state.
func (s *site) await(t *testing.T, task uuid.UUID, state string) {
	t.Helper()
	last := ""
	require.Eventually(t, func() bool {
		return s.pool.QueryRow(t.Context(), "select state::text from tasker.tasks where task_uuid = $1", task).Scan(&last) == nil && last == state
	}, within, 10*time.Millisecond, "the task does not become %s: %s", state, latest{s, task})
}

// latest prints the present states of a task's steps.
type latest struct {
	s    *site
	task uuid.UUID
}

// String returns the states and errors of the task's steps.
func (l latest) String() (text string) {
	const query = "select string_agg(format('%s %s: %s', s.name, s.state, left(s.last_error, 200)), chr(10)) from tasker.list_steps($1) as s"
	if err := l.s.pool.QueryRow(context.Background(), query, l.task).Scan(&text); err != nil {
		return err.Error()
	}
	return text
}

// step returns a step by its name.
func (s *site) step(t *testing.T, task uuid.UUID, name string) executor.StepDetail {
	t.Helper()
	steps, err := s.e.PageSteps(t.Context(), task, 0, 100)
	require.NoError(t, err)
	for _, step := range steps {
		if step.Name == name {
			return step
		}
	}
	require.Fail(t, "there is no step "+name)
	return executor.StepDetail{}
}

// awaitStep returns a step when it has reached a state.
func (s *site) awaitStep(t *testing.T, task uuid.UUID, name, state string) executor.StepDetail {
	t.Helper()
	var step executor.StepDetail
	require.Eventually(t, func() bool {
		step = s.step(t, task, name)
		return string(step.State) == state
	}, within, 10*time.Millisecond, "step %s does not become %s", name, state)
	return step
}

// awaitBegun returns when handler slow has begun.
func (s *site) awaitBegun(t *testing.T, task uuid.UUID) {
	t.Helper()
	require.Eventually(t, func() bool { return string(s.step(t, task, "slow").Checkpoint) == `"began"` }, within, 10*time.Millisecond)
}

// result returns the result of a step of a complete task.
func (s *site) result(t *testing.T, task uuid.UUID, name string) string {
	t.Helper()
	s.await(t, task, "complete")
	var text string
	require.NoError(t, s.pool.QueryRow(t.Context(), "select results::text from tasker.workflow_steps where task_uuid = $1 and name = $2", task, name).Scan(&text))
	return text
}
