package faulttest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
)

// program is a worker's program in another language. It is the program of package conformance, over a REST server or connected
// to the database itself. Its handler `hold` records that a job begins, and waits for a file.
type program struct {
	*jobs   // its output is the log
	command []string
	folder  string // of the program
	direct  bool   // connected to the database

	files   string
	process *exec.Cmd
}

// programs returns the clients whose interpreters the environment names, over each of their transports. make test-faults names both
// languages. make conformance names any worker.
func programs() (found []Client) {
	other := strings.Fields(os.Getenv("PGTASKER_CONFORMANCE"))
	for _, c := range []program{
		{jobs: newJobs("other"), command: other, folder: os.Getenv("PGTASKER_CONFORMANCE_DIR")},
		{jobs: newJobs("python"), command: []string{os.Getenv("PGTASKER_TEST_PYTHON"), "-m", "tests.conformance_worker"}, folder: "clients/python"},
		{jobs: newJobs("typescript"), command: []string{os.Getenv("PGTASKER_TEST_NODE"), "build/test/conformance-worker.js"}, folder: "clients/typescript"},
	} {
		if len(c.command) == 0 || c.command[0] == "" {
			continue
		}
		const person = "is kept and repeated until a person has mended it"
		c.words = map[string]string{
			away: "it is repeated until the server answers", back: "the server answers again after", "rights": person, "token": person,
		}
		found = append(found, &c)
		if c.name != "other" {
			direct := c
			direct.jobs, direct.direct = newJobs(c.name+"_direct"), true
			direct.words = map[string]string{away: c.words[away], back: c.words[back], "rights": person}
			found = append(found, &direct)
		}
	}
	return found
}

func (c *program) path(t *testing.T, name string) string {
	t.Helper()
	if c.files == "" {
		c.files = t.TempDir()
	}
	return filepath.Join(c.files, name)
}

func (c *program) Start(t *testing.T, s *site, lease time.Duration, _ int32) {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("../../..", c.folder))
	require.NoError(t, err)
	c.process = exec.CommandContext(context.WithoutCancel(t.Context()), c.command[0], c.command[1:]...)
	c.process.Dir, c.process.WaitDelay = folder, time.Second
	c.process.Env = append(os.Environ(), "TASKER_NAMESPACE="+c.name,
		"TASKER_LEASE_SECONDS="+strconv.Itoa(int(lease/time.Second)), "TASKER_STOP_SECONDS="+strconv.Itoa(int(c.stop/time.Second)))
	if c.direct {
		c.process.Env = append(c.process.Env, "TASKER_DIRECT=1", "DATABASE_URL="+s.proxy.URL(s.login))
	} else {
		s.serve(t)
		c.process.Env = append(c.process.Env, "TASKER_URL=http://"+s.network.Addr(), "TASKER_TOKEN="+s.token)
	}
	c.process.Stdout, c.process.Stderr = c, c
	require.NoError(t, c.process.Start())
	c.run(t, func(ctx context.Context) error {
		ended := make(chan error, 1)
		go func() { ended <- c.process.Wait() }()
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			_ = c.process.Process.Signal(syscall.SIGTERM)
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(within):
			_ = c.process.Process.Kill()
			return <-ended
		}
	})
}

func (c *program) Release() { _ = os.WriteFile(filepath.Join(c.files, "gate"), nil, 0o600) }
func (c *program) Hold()    { _ = os.Remove(filepath.Join(c.files, "gate")) }

func (c *program) Submit(t *testing.T, s *site, n int) {
	t.Helper()
	input, err := json.Marshal(map[string]string{"begun": c.path(t, "begun"), "gate": c.path(t, "gate"), "client": c.name})
	require.NoError(t, err)
	e := executor.New(s.pool)
	register(t, e, c.name, "hold")
	create(t, e, c.name, string(input), n)
}

func (c *program) Begun() map[uuid.UUID]int {
	begun := map[uuid.UUID]int{}
	text, _ := os.ReadFile(filepath.Join(c.files, "begun"))
	for _, line := range strings.Fields(string(text)) {
		if id, err := uuid.Parse(line); err == nil {
			begun[id]++
		}
	}
	return begun
}

func (c *program) Recorded(t *testing.T, s *site) int { t.Helper(); return recorded(t, s, c.name) }

func (c *program) LeasedUntil(t *testing.T, s *site) time.Time {
	t.Helper()
	return leasedUntil(t, s, c.name)
}

// register registers a template of one step, which has the namespace of a client to itself.
func register(t *testing.T, e *executor.SqlFunctionExecutor, namespace, step string) {
	t.Helper()
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "`+namespace+`", "name": "job",
		"identity_strategy": "always_unique", "steps": [{"name": "`+step+`", "retry": {"max_attempts": 1}}]}`))
	require.NoError(t, err)
}

func create(t *testing.T, e *executor.SqlFunctionExecutor, namespace, input string, n int) {
	t.Helper()
	contexts := make([]json.RawMessage, n)
	for i := range contexts {
		contexts[i] = json.RawMessage(input)
	}
	_, err := e.CreateTasks(t.Context(), executor.TasksRequest{Namespace: namespace, Name: "job", Contexts: contexts})
	require.NoError(t, err)
}

// recorded returns how many steps have this text as their result.
func recorded(t *testing.T, s *site, result string) int {
	t.Helper()
	return query[int](t, s, "select count(*)::integer from tasker.workflow_steps as s where s.results = to_jsonb($1::text)", result)
}

func leasedUntil(t *testing.T, s *site, namespace string) time.Time {
	t.Helper()
	return query[time.Time](t, s, `select coalesce(min(s.lease_until), 'epoch') from tasker.workflow_steps as s
		join tasker.tasks as t using (task_uuid) join tasker.named_tasks as n using (named_task_uuid)
		join tasker.task_namespaces as ns using (task_namespace_uuid) where s.lease_until is not null and ns.name = $1`, namespace)
}
