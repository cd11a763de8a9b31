//go:build unix

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/localpg"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// devEvent is a line of tasker dev --json.
type devEvent struct {
	devStarted
	File      string        `json:"file"`
	Templates []application `json:"templates"`
	Error     *problem      `json:"error"`
}

// devServer is a tasker dev in a process group of its own, as a terminal gives it one.
type devServer struct {
	t       *testing.T
	cmd     *exec.Cmd
	events  chan devEvent
	stderr  *strings.Builder
	started devEvent
}

func startDev(t *testing.T, args ...string) *devServer {
	t.Helper()
	programs := os.Getenv(envPrograms)
	if programs == "" {
		var err error
		if programs, err = localpg.Find(t.Context()); err != nil {
			t.Skip("no programs of a PostgreSQL server on this machine")
		}
	}
	s := &devServer{t: t, events: make(chan devEvent, 100), stderr: &strings.Builder{}}
	s.cmd = exec.CommandContext(t.Context(), os.Args[0], append([]string{"dev", "--json", "--postgres", programs, "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Env = append(os.Environ(), envChild+"=1", "DATABASE_URL=")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Stderr = s.stderr
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	go func() {
		defer close(s.events)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var event devEvent
			if json.Unmarshal(lines.Bytes(), &event) == nil {
				s.events <- event
			}
		}
	}()
	t.Cleanup(func() { _ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }) // if the test fails
	s.started = s.next("started")
	return s
}

// next returns the next event, which is of this kind.
func (s *devServer) next(kind string) devEvent {
	s.t.Helper()
	select {
	case event, more := <-s.events:
		if !more {
			_ = s.cmd.Wait()
			require.Failf(s.t, "tasker dev has ended", "%s", s.stderr)
		}
		require.Equal(s.t, kind, event.Event, "%+v", event)
		return event
	case <-time.After(time.Minute):
		require.Failf(s.t, "tasker dev says nothing", "expected %s", kind)
	}
	return devEvent{}
}

// interrupt does what Ctrl+C does: every process of the group gets SIGINT. It returns when the command has ended.
func (s *devServer) interrupt() {
	s.t.Helper()
	require.NoError(s.t, syscall.Kill(-s.cmd.Process.Pid, syscall.SIGINT))
	s.next("stopped")
	_, more := <-s.events
	require.False(s.t, more, "the last word is that it has stopped")
	require.NoError(s.t, s.cmd.Wait(), s.stderr)
	require.Empty(s.t, s.stderr.String())
}

// command runs the tool on the database of the dev server.
func (s *devServer) command(args ...string) string {
	s.t.Helper()
	r := taskerWith(s.t, s.started.DatabaseURL, "", args...)
	require.Equal(s.t, exitDone, r.code, r.err)
	return r.out
}

// request sends a request with the token and returns status and body.
func (s *devServer) request(address, token, method, path, body string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, address+path, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return response.StatusCode, string(text)
}

// versions returns the versions of a template, the newest first.
func (s *devServer) versions(namespace string) []string {
	s.t.Helper()
	var listed []gen.TaskTemplateSummary
	require.NoError(s.t, json.Unmarshal([]byte(s.command("template", "list", namespace, "--json")), &listed))
	var versions []string
	for _, one := range listed {
		versions = append(versions, one.Name+"@"+one.Version)
	}
	return versions
}

// openFolder returns a folder that every user can enter, with a short path, which holds the data of a dev server.
func openFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "pgtasker-devtest-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(folder, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	return folder
}

const napping = `namespace: dev
name: nap
version: 1.0.0
steps:
  - {name: rest, await: {for: 0.1}}
`

// The whole way of a developer: start, write a file, change it, break it, mend it, create tasks by REST and by the command line,
// stop, and go on with the same data.
func TestDev_IsTheWholeWayOfADeveloper(t *testing.T) {
	t.Parallel()
	folder, data := t.TempDir(), filepath.Join(openFolder(t), "kept")
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	s := startDev(t, folder, "--data", data)
	require.False(t, s.started.Scratch)
	require.Equal(t, data, s.started.Data)
	if os.Geteuid() == 0 {
		require.Contains(t, []string{"postgres", "nobody"}, s.started.Account)
	}

	file := write("nap.yaml", napping)
	applied := s.next("applied")
	require.Equal(t, file, applied.File)
	require.Equal(t, actionCreate, applied.Templates[0].Action)
	require.Equal(t, []string{"nap@dev-1"}, s.versions("dev"))

	write("nap.yaml", strings.Replace(napping, "0.1", "0.2", 1))
	applied = s.next("applied")
	require.Equal(t, "dev-1", applied.Templates[0].Previous)
	require.Contains(t, applied.Templates[0].Diff, "0.2")
	require.Equal(t, []string{"nap@dev-2", "nap@dev-1"}, s.versions("dev"))

	write("nap.yaml", strings.Replace(napping, "await", "awiat", 1))
	refused := s.next("refused")
	require.Equal(t, file, refused.File)
	require.Equal(t, exitInvalid, refused.Error.Exit)
	require.Contains(t, refused.Error.Problems[0], file+":5: steps[0].awiat: a step has no such field")
	require.Equal(t, []string{"nap@dev-2", "nap@dev-1"}, s.versions("dev"), "a broken file changes nothing")

	// A second file does not suffer from the broken one. The broken one is tried again with it.
	write("other.yaml", "namespace: dev\nname: other\nsteps: [{name: only}]\n")
	require.Equal(t, "other", s.next("applied").Templates[0].Name)
	require.Equal(t, file, s.next("refused").File)
	// What only the database knows, it says, too.
	write("nap.yaml", strings.Replace(napping, "rest,", "rest, dependencies: [nowhere],", 1))
	require.Contains(t, s.next("refused").Error.Problems[0], `there is no step "nowhere"`)
	write("nap.yaml", strings.Replace(napping, "0.1", "0.2", 1))
	require.Equal(t, actionUnchanged, s.next("applied").Templates[0].Action)
	require.NoError(t, os.Remove(filepath.Join(folder, "other.yaml")))
	require.Equal(t, filepath.Join(folder, "other.yaml"), s.next("removed").File)

	// By REST, with the token; the orchestrator fires the timer of the step.
	status, body := s.request(s.started.Address, s.started.Token, http.MethodPost, "/v1/tasks", `{"namespace": "dev", "name": "nap"}`)
	require.Equal(t, http.StatusOK, status, body)
	var created struct {
		UUID string `json:"task_uuid"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &created))
	require.Contains(t, s.command("task", "wait", created.UUID), "complete")
	status, _ = s.request(s.started.Address, "wrong", http.MethodGet, "/v1/tasks", "")
	require.Equal(t, http.StatusUnauthorized, status)
	// By the command line; the orchestrator starts it.
	require.NoError(t, json.Unmarshal([]byte(s.command("task", "create", "dev/nap", "--deferred", "-c", `{"by": "hand"}`, "--json")), &created))
	require.Contains(t, s.command("task", "wait", created.UUID), "complete")
	// The page, by its link.
	require.Equal(t, s.started.Address+"/ui/login#"+s.started.Token, s.started.Page)
	status, body = s.request(s.started.Address, "", http.MethodGet, "/ui/login", "")
	require.Equal(t, http.StatusOK, status, body)

	s.interrupt()
	require.NoFileExists(t, filepath.Join(data, "data", "postmaster.pid"), "the server has ended cleanly")

	again := startDev(t, folder, "--data", data)
	require.Equal(t, actionUnchanged, again.next("applied").Templates[0].Action)
	require.Contains(t, again.command("task", "show", created.UUID), "complete")
	status, _ = again.request(again.started.Address, s.started.Token, http.MethodGet, "/v1/tasks", "")
	require.Equal(t, http.StatusUnauthorized, status, "the token has ended with the command")
	require.Equal(t, s.started.DatabaseURL, again.started.DatabaseURL, "other programs need no new address")
	again.interrupt()
}

func TestDev_ThrowsItsDataAway(t *testing.T) {
	t.Parallel()
	s := startDev(t)
	require.True(t, s.started.Scratch)
	info, err := os.Stat(s.started.Data)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	s.interrupt()
	require.NoDirExists(t, s.started.Data)

	// A killed command cannot clean up. The kernel ends its server on Linux, and the next command removes the folder.
	killed := startDev(t)
	require.NoError(t, killed.cmd.Process.Kill())
	require.Error(t, killed.cmd.Wait())
	require.DirExists(t, killed.started.Data)
	require.Eventually(t, func() bool {
		lock, err := os.Open(filepath.Join(killed.started.Data, "data", "postmaster.pid"))
		if err != nil {
			return true
		}
		defer func() { _ = lock.Close() }()
		var pid int
		_, err = fmt.Fscan(lock, &pid)
		return err == nil && syscall.Kill(pid, 0) != nil
	}, 30*time.Second, 20*time.Millisecond)
	next := startDev(t)
	require.NoDirExists(t, killed.started.Data)
	next.interrupt()
}

func TestDev_UsesADatabaseThatIsNamed(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := watch("Stop with Ctrl+C.")
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, Process{
			Args: []string{"dev", "--listen", "127.0.0.1:0"}, In: strings.NewReader(""), Out: out, Err: out,
			Getenv: func(name string) string { return map[string]string{"DATABASE_URL": pgtest.URL(pool)}[name] },
		})
	}()
	select {
	case <-out.seen:
	case code := <-ended:
		require.Fail(t, "it has ended", "%d\n%s", code, out.String())
	}
	require.NotContains(t, out.String(), "PostgreSQL")
	cancel()
	require.Zero(t, <-ended, out.String())
	require.Contains(t, out.String(), "Stopped.")
	require.Contains(t, must(t, pool, "token", "list"), "revoked")
}

func TestDev_SaysWhyItCannotStart(t *testing.T) {
	t.Parallel()
	base := openFolder(t)
	full := filepath.Join(base, "full")
	require.NoError(t, os.MkdirAll(full, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(full, "letter"), nil, 0o600))
	other := filepath.Join(base, "other")
	require.NoError(t, os.MkdirAll(filepath.Join(other, "data"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(other, "data", "PG_VERSION"), []byte("9\n"), 0o600))
	dev := func(args ...string) result { return run(t.Context(), nil, "", append([]string{"dev"}, args...)...) }

	for _, c := range []struct {
		want string
		exit int
		args []string
	}{
		{`"` + full + `/letter" is not a folder`, exitInvalid, []string{full + "/letter"}},
		{"there is no PostgreSQL server in", exitInvalid, []string{"--postgres", base}},
		{"tasker dev serves this machine only", exitUsage, []string{"--listen", "0.0.0.0:8480"}},
		{"are for a PostgreSQL that tasker dev starts", exitUsage, []string{"--data", full, "-d", "postgres://h/d"}},
		{"has other files, and no data of tasker dev", exitInvalid, []string{"--data", full}},
		{"has data of PostgreSQL 9, and the programs in", exitInvalid, []string{"--data", other}},
		{"too long for a socket", exitInvalid, []string{"--data", filepath.Join(base, strings.Repeat("long", 20))}},
	} {
		r := dev(c.args...)
		if strings.Contains(r.err, "no PostgreSQL was found") {
			t.Skip("no programs of a PostgreSQL server on this machine")
		}
		require.Contains(t, r.err, c.want)
		require.Equal(t, c.exit, r.code, r.err)
		require.Contains(t, r.err, "hint: ")
	}
	if os.Geteuid() == 0 {
		closed := filepath.Join(base, "closed")
		require.NoError(t, os.Mkdir(closed, 0o700))
		require.Contains(t, dev("--data", filepath.Join(closed, "data")).err, closed+" has mode drwx------")
		require.NoDirExists(t, filepath.Join(closed, "data"))
	}
}

// Two of them cannot share a folder: the second one says so and leaves the first one alone.
func TestDev_HasItsFolderAlone(t *testing.T) {
	t.Parallel()
	data := filepath.Join(openFolder(t), "kept")
	s := startDev(t, "--data", data)
	r := run(t.Context(), nil, "", "dev", "--data", data, "--listen", "127.0.0.1:0")
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, "another tasker dev uses "+data)
	require.Contains(t, s.command("doctor", "--json"), "server")
	s.interrupt()
}

// A server that ends by itself ends the command, which says where its log is.
func TestDev_EndsWithItsServer(t *testing.T) {
	t.Parallel()
	s := startDev(t)
	text, err := os.ReadFile(filepath.Join(s.started.Data, "data", "postmaster.pid"))
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGQUIT))
	for range s.events { // until the command has ended
	}
	require.Error(t, s.cmd.Wait())
	require.Equal(t, exitUnreachable, s.cmd.ProcessState.ExitCode())
	require.Contains(t, s.stderr.String(), "PostgreSQL has ended")
	require.Contains(t, s.stderr.String(), "immediate shutdown request", "the last lines of its log")
}
