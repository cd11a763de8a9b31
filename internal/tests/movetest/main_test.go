package movetest

import (
	"context"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// system is a database at work that a test moves.
type system struct {
	t     *testing.T
	tasks []uuid.UUID

	mutex sync.Mutex
	ran   map[uuid.UUID]int // by step, how often its handler has run
	block chan struct{}     // closed to let "slow" go on
	slow  chan struct{}     // "slow" runs
}

const tasksAtWork = 12

// newSystem creates tasks that are complete, run, or wait for a person, for another attempt or for a free worker.
func newSystem(t *testing.T, pool *pgxpool.Pool) *system {
	t.Helper()
	s := &system{t: t, ran: map[uuid.UUID]int{}, block: make(chan struct{}), slow: make(chan struct{}, 1)}
	_, err := pool.Exec(t.Context(), `
		select tasker.register_task_template('{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [
		  {"name": "quick"},
		  {"name": "approve", "dependencies": ["quick"], "await": {"signal": "approved"}},
		  {"name": "fails", "dependencies": ["quick"], "retry": {"max_attempts": 5}},
		  {"name": "slow", "dependencies": ["quick"]},
		  {"name": "last", "dependencies": ["approve", "fails", "slow"]}]}');
		select tasker.set_schedule('shop', 'daily', 'order', p_cron => '0 7 * * *');
		select tasker.subscribe('audit')`)
	require.NoError(t, err)
	for range tasksAtWork {
		created, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order"})
		require.NoError(t, err)
		s.tasks = append(s.tasks, created.TaskUUID)
	}
	return s
}

// work runs a worker until stop is called, which cancels the handlers that run.
func (s *system) work(pool *pgxpool.Pool) (stop func()) {
	s.t.Helper()
	w, err := worker.New(pool, worker.Config{
		Lease: 5 * time.Second, StopTimeout: -1, PollInterval: 200 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(s.t, err)
	count := func(name string, run func(ctx context.Context, job *worker.Job[struct{}]) error) {
		worker.Handle(w, name, func(ctx context.Context, job *worker.Job[struct{}]) (string, error) {
			s.mutex.Lock()
			s.ran[job.StepUUID]++
			s.mutex.Unlock()
			return name, run(ctx, job)
		})
	}
	count("quick", func(context.Context, *worker.Job[struct{}]) error { return nil })
	count("last", func(context.Context, *worker.Job[struct{}]) error { return nil })
	count("fails", func(_ context.Context, job *worker.Job[struct{}]) error {
		if job.Attempt == 1 {
			return worker.RetryAfter(2 * time.Second)
		}
		return nil
	})
	count("slow", func(ctx context.Context, _ *worker.Job[struct{}]) error {
		select {
		case s.slow <- struct{}{}:
		default:
		}
		select {
		case <-s.block:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	return func() {
		cancel()
		<-ended
	}
}

// begin works until there are steps in every kind of wait, and returns the steps whose results are recorded.
func (s *system) begin(pool *pgxpool.Pool) (stop func()) {
	s.t.Helper()
	stop = s.work(pool)
	<-s.slow
	for {
		var ready bool
		require.NoError(s.t, pool.QueryRow(s.t.Context(), `
			select count(*) filter (where s.name = 'approve' and s.state = 'suspended') = $1
			   and count(*) filter (where s.name = 'fails' and s.attempts > 0) = $1
			   and count(*) filter (where s.name = 'slow' and s.state = 'in_progress') > 0
			  from tasker.workflow_steps as s`, tasksAtWork).Scan(&ready))
		if ready {
			return stop
		}
	}
}

// recorded returns the steps of a database whose results are recorded, and how often each had run by then.
func (s *system) recorded(pool *pgxpool.Pool) map[uuid.UUID]int {
	s.t.Helper()
	rows, err := pool.Query(s.t.Context(), "select tasker.step_uuid(s.task_uuid, s.step_no) from tasker.workflow_steps as s where s.state = 'complete'")
	require.NoError(s.t, err)
	steps, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(s.t, err)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	done := map[uuid.UUID]int{}
	for _, step := range steps {
		done[step] = s.ran[step]
	}
	return done
}

// end works on a moved database until all tasks are complete, and asserts that recorded steps did not run again.
func (s *system) end(pool *pgxpool.Pool, before map[uuid.UUID]int) {
	s.t.Helper()
	require.GreaterOrEqual(s.t, len(before), tasksAtWork)
	_, err := pool.Exec(s.t.Context(), "select tasker.ensure_partitions()")
	require.NoError(s.t, err)
	close(s.block)
	stop := s.work(pool)
	e := executor.New(pool)
	for _, task := range s.tasks {
		_, err := e.SendSignal(s.t.Context(), task, executor.Signal{Name: "approved"})
		require.NoError(s.t, err)
	}
	for _, task := range s.tasks {
		detail, err := executor.NewClient(pool).Tasks().Wait(s.t.Context(), task, executor.WaitOptions{ThroughBlocked: true})
		require.NoError(s.t, err)
		require.Equal(s.t, "complete", string(detail.State))
	}
	stop()
	for step, runs := range before {
		require.Equal(s.t, runs, s.ran[step], "step %s had its result", step)
	}
	rows, err := pool.Query(s.t.Context(), "select c.object || ': ' || c.problem from tasker.check_integrity() as c")
	require.NoError(s.t, err)
	problems, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(s.t, err)
	require.Empty(s.t, problems)
	rows, err = pool.Query(s.t.Context(), "select f.name || ': ' || f.message from tasker.check_installation() as f where f.status = 'fail' and f.name <> 'durability'")
	require.NoError(s.t, err)
	problems, err = pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(s.t, err)
	require.Empty(s.t, problems)
	// Schedules were moved, too, with the time of their next tick.
	var next time.Time
	require.NoError(s.t, pool.QueryRow(s.t.Context(), "select l.due_at from tasker.list_schedules() as l").Scan(&next))
	require.True(s.t, next.After(time.Now()))
}

// at returns a pool on a database of a server.
func at(t *testing.T, server *pgserver.Server, database string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), addressOf(t, server, database))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func addressOf(t *testing.T, server *pgserver.Server, database string) string {
	t.Helper()
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	address.Path = "/" + database
	return address.String()
}

// documented returns the commands of docs/backups.md: the dump, pg_upgrade and the commands after it, the copy by
// replication, and the switch.
func documented(t *testing.T) (scripts []string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "backups.md"))
	require.NoError(t, err)
	for _, block := range strings.Split(string(page), "```sh\n")[1:] {
		script, _, _ := strings.Cut(block, "```")
		scripts = append(scripts, script)
	}
	return scripts
}

// shell runs a command of the documentation, with these variables.
func shell(t *testing.T, script string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	cmd.Env = append(cmd.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", script, out)
	return string(out)
}

// private returns a migrated database on a server of its own.
func private(t *testing.T) (*pgxpool.Pool, *pgserver.Server, string) {
	t.Helper()
	pool, server := pgtest.NewPrivate(t)
	return pool, server, pool.Config().ConnConfig.Database
}

// path puts a server's programs first.
func path(server *pgserver.Server) string {
	return "PATH=" + server.Bin + ":/usr/bin:/bin:" + filepath.Dir(server.Bin)
}
