package crashtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// endsWithin limits how long the tasks of a test may take on a slow machine.
const endsWithin = 3 * time.Minute

const stepsPerTask = 7

// fleet is a set of processes that work on the tasks of one database.
type fleet struct {
	*testing.T
	url       string
	namespace string
	tasks     []uuid.UUID

	mu        sync.Mutex
	done      map[string]bool // "<step> <claim>" of results that a worker knows to be recorded
	processes []*process
}

// process is one process of a fleet.
type process struct {
	role  string
	cmd   *exec.Cmd
	stdin io.Closer
	lines chan string // all lines except lines about results
	ended chan struct{}
}

func newFleet(t *testing.T, pool *pgxpool.Pool, url, namespace string) *fleet {
	t.Helper()
	e := executor.New(pool)
	for _, n := range enginetest.Namespaces[:2] {
		_, err := e.RegisterNamespace(t.Context(), sqlfn.RegisterNamespaceParams{Name: n.Name})
		require.NoError(t, err)
	}
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(fmt.Sprintf(`{
		"namespace": %q, "name": "crash", "identity_strategy": "always_unique", "steps": [
		  {"name": "first"}, {"name": "a", "dependencies": ["first"]}, {"name": "b", "dependencies": ["first"]},
		  {"name": "c", "dependencies": ["first"]}, {"name": "d", "dependencies": ["first"]}, {"name": "e", "dependencies": ["first"]},
		  {"name": "last", "dependencies": ["a", "b", "c", "d", "e"]}]}`, namespace)))
	require.NoError(t, err)
	// Leases are short, and a restart extends them by no more than one lease. A step must not fail because it has lost its
	// worker often.
	for name, value := range map[string]string{"lease_seconds": "1", "max_lost": "10000"} {
		_, err = e.SetSetting(t.Context(), name, &value)
		require.NoError(t, err)
	}
	return &fleet{T: t, url: url, namespace: namespace, done: map[string]bool{}}
}

// create creates a burst of tasks. An orchestrator starts them if they are deferred.
func (f *fleet) create(pool *pgxpool.Pool, count int, deferred bool) {
	f.Helper()
	made, err := executor.New(pool).CreateTasks(f.Context(), executor.TasksRequest{
		Namespace: f.namespace, Name: "crash", Contexts: make([]json.RawMessage, count),
		TaskOptions: executor.TaskOptions{Deferred: deferred},
	})
	require.NoError(f, err)
	for _, m := range made {
		f.tasks = append(f.tasks, m.TaskUUID)
	}
}

// start runs the test's binary again in a role, and returns when the new process has begun its work.
func (f *fleet) start(role string) *process {
	f.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(f.Context()), os.Args[0]) // kill ends it
	cmd.Env = append(os.Environ(), envRole+"="+role, envURL+"="+f.url)
	stdin, err := cmd.StdinPipe()
	require.NoError(f, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(f, err)
	require.NoError(f, cmd.Start())
	p := &process{role: role, cmd: cmd, stdin: stdin, lines: make(chan string, 10000), ended: make(chan struct{})}
	f.processes = append(f.processes, p)
	go func() {
		defer close(p.ended)
		defer close(p.lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			if done, ok := strings.CutPrefix(scanner.Text(), "done "); ok {
				f.mu.Lock()
				f.done[done] = true
				f.mu.Unlock()
				continue
			}
			p.lines <- scanner.Text()
		}
		_ = cmd.Wait() // The process has been killed.
	}()
	f.Cleanup(func() { f.kill(p) })
	p.await(f, "ready")
	return p
}

// await returns when the process writes a line with this prefix.
func (p *process) await(t testing.TB, word string) {
	t.Helper()
	late := time.NewTimer(endsWithin)
	defer late.Stop()
	for {
		select {
		case line, alive := <-p.lines:
			require.True(t, alive, "the %s has ended", p.role)
			if strings.HasPrefix(line, word) {
				return
			}
		case <-late.C:
			require.FailNow(t, "the process does not say it", "%s", word)
		}
	}
}

// kill ends a process in the middle of its work.
func (f *fleet) kill(p *process) {
	f.Helper()
	select {
	case <-p.ended:
		return
	default:
	}
	require.NoError(f, p.cmd.Process.Kill()) // SIGKILL
	<-p.ended
	_ = p.stdin.Close()
}

// signal sends a signal to every process of a role.
func (f *fleet) signal(role string, signal os.Signal) {
	f.Helper()
	for _, p := range f.processes {
		if p.role == role {
			require.NoError(f, p.cmd.Process.Signal(signal))
		}
	}
}

// replace kills a process and starts another process in its role.
func (f *fleet) replace(i int) {
	f.Helper()
	f.kill(f.processes[i])
	f.start(f.processes[i].role)
	last := len(f.processes) - 1
	f.processes[i], f.processes = f.processes[last], f.processes[:last]
}

// progress returns the number of results whose recording the database has acknowledged to the workers.
func (f *fleet) progress() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.done)
}

// until calls the function look from time to time until look returns true.
func (f *fleet) until(what string, look func() bool) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), endsWithin)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !look() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			require.FailNow(f, "it takes too long", "%s: %d results of %d", what, f.progress(), len(f.tasks)*stepsPerTask)
		}
	}
}

// requireEnd waits until every task is complete, and checks everything that was recorded.
func (f *fleet) requireEnd(pool *pgxpool.Pool) {
	f.Helper()
	f.until("every task ends", func() bool {
		var open int
		err := pool.QueryRow(f.Context(), `select count(*) from tasker.tasks as t where t.state <> 'complete'`).Scan(&open)
		require.NoError(f, err)
		return open == 0
	})
	for _, p := range f.processes {
		f.kill(p)
	}
	found, err := enginetest.Violations(f.Context(), pool, f.tasks)
	require.NoError(f, err)
	require.Empty(f, found)
	left, err := enginetest.Remains(f.Context(), pool)
	require.NoError(f, err)
	require.Zero(f, left)
	require.Positive(f, replaytest.Recorded(f, pool))

	rows, err := pool.Query(f.Context(), `
		select tasker.step_uuid(l.task_uuid, l.step_no) || ' ' || l.claim_no
		  from tasker.workflow_step_transition_log as l
		 where l.to_state = 'enqueued_for_orchestration'`)
	require.NoError(f, err)
	defer rows.Close()
	recorded := map[string]bool{}
	for rows.Next() {
		var step string
		require.NoError(f, rows.Scan(&step))
		recorded[step] = true
	}
	require.NoError(f, rows.Err())
	require.Len(f, recorded, len(f.tasks)*stepsPerTask, "each step has one result")
	for step := range f.done {
		require.Contains(f, recorded, step, "a result that a worker was told is recorded is recorded")
	}
}
