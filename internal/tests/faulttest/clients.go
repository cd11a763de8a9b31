package faulttest

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/tasklib"
	"github.com/pgtasker/pgtasker/worker"
)

// Client is a client under test. Its jobs begin, wait until they are released, and end with a result.
type Client interface {
	Name() string
	// Start begins work. The client stops when the test ends, if stop was not called before.
	Start(t *testing.T, s *site, lease time.Duration, connections int32)
	// Stop stops the client and returns the error with which it ended.
	Stop() error
	// Submit creates n jobs.
	Submit(t *testing.T, s *site, n int)
	// Release lets all jobs end, including jobs that begin later, until Hold.
	Release()
	Hold()
	// Begun returns how often each job has begun.
	Begun() map[uuid.UUID]int
	// Recorded returns how many jobs have their result in the database.
	Recorded(t *testing.T, s *site) int
	// LeasedUntil returns the earliest end of a lease, by the server's clock. It returns a time long ago if there is
	// no lease.
	LeasedUntil(t *testing.T, s *site) time.Time
	Log() string
	// Says returns the words with which the client's log reports a mistake or an event (away, back). It returns "" if the
	// client need not notice.
	Says(event string) string
}

const (
	away = "away"
	back = "back"
)

// ofGo has the log messages of clients that use the database.
var ofGo = map[string]string{
	away: "the database does not answer", back: "the database answers again",
	"rights": "grant the login", "default_transaction_read_only": "default_transaction_read_only", "statement_timeout": "statement timeout",
}

// inGo returns a worker of each kind that is written in Go.
func inGo() []Client { return []Client{newGoWorker("worker"), newTasklib("tasklib")} }

// clients returns a client of each kind: the clients in Go, and the clients in other languages whose interpreter the
// environment names.
func clients() []Client { return append(append(inGo(), programs()...), newRelay("relay")) }

// jobs is the common part of the clients in Go.
type jobs struct {
	name   string
	words  map[string]string
	cancel context.CancelFunc
	done   chan error
	stop   time.Duration // StopTimeout
	pool   *pgxpool.Pool // the pool of a client in Go, which connects to the database

	mu    sync.Mutex
	gate  chan struct{}
	begun map[uuid.UUID]int
	log   bytes.Buffer
}

func newJobs(name string) *jobs {
	return &jobs{
		name: name, words: ofGo, gate: make(chan struct{}), begun: map[uuid.UUID]int{}, done: make(chan error, 1), stop: 2 * time.Second,
	}
}

func (j *jobs) Name() string             { return j.name }
func (j *jobs) Pool() *pgxpool.Pool      { return j.pool }
func (j *jobs) Says(event string) string { return j.words[event] }

func (j *jobs) Release() {
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case <-j.gate:
	default:
		close(j.gate)
	}
}

func (j *jobs) Hold() {
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case <-j.gate:
		j.gate = make(chan struct{})
	default:
	}
}

func (j *jobs) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log.Write(line)
}

func (j *jobs) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

func (j *jobs) Log() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log.String()
}

func (j *jobs) Begun() map[uuid.UUID]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	begun := make(map[uuid.UUID]int, len(j.begun))
	for id, n := range j.begun {
		begun[id] = n
	}
	return begun
}

// do does the work of a job.
func (j *jobs) do(ctx context.Context, id uuid.UUID) error {
	j.mu.Lock()
	j.begun[id]++
	gate := j.gate
	j.mu.Unlock()
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (j *jobs) run(t *testing.T, run func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	j.cancel = cancel
	go func() { j.done <- run(ctx) }()
	t.Cleanup(func() {
		_ = j.Stop()
		if t.Failed() {
			t.Logf("%s said:\n%s", j.name, j.Log())
		}
	})
}

func (j *jobs) Stop() error {
	j.cancel()
	err := <-j.done
	j.done <- err
	return err
}

// goWorker is a worker of package worker.
type goWorker struct {
	*jobs
	config worker.Config
	before func(ctx context.Context, pool *pgxpool.Pool) (after func(), err error) // called at the beginning of each job
}

func newGoWorker(name string) *goWorker {
	g := &goWorker{jobs: newJobs(name)}
	g.words = maps.Clone(ofGo)
	g.words["default_transaction_isolation"] = "default_transaction_isolation" // tasklib records at every level
	return g
}

func (g *goWorker) Start(t *testing.T, s *site, lease time.Duration, connections int32) {
	t.Helper()
	pool := s.connect(t, connections)
	g.pool = pool
	g.config.Name, g.config.Lease, g.config.StopTimeout, g.config.PollInterval = g.name, lease, g.stop, 200*time.Millisecond
	g.config.Logger, g.config.Concurrency, g.config.NoMaintenance = g.logger(), max(g.config.Concurrency, 20), true
	w, err := worker.New(pool, g.config)
	require.NoError(t, err)
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[struct{}]) (string, error) {
		if g.before != nil {
			after, err := g.before(ctx, pool)
			if err != nil {
				return "", err
			}
			defer after()
		}
		return "done", g.do(ctx, job.StepUUID)
	})
	g.run(t, w.Run)
}

func (g *goWorker) Submit(t *testing.T, s *site, n int) {
	t.Helper()
	e := executor.New(s.pool)
	register(t, e, "faults", "work")
	create(t, e, "faults", "{}", n)
}

func (g *goWorker) Recorded(t *testing.T, s *site) int { t.Helper(); return recorded(t, s, "done") }

func (g *goWorker) LeasedUntil(t *testing.T, s *site) time.Time {
	t.Helper()
	return leasedUntil(t, s, "faults")
}

// tasklibWorker is a worker of package tasklib.
type tasklibWorker struct {
	*jobs
	config tasklib.WorkerConfig
}

func newTasklib(name string) *tasklibWorker { return &tasklibWorker{jobs: newJobs(name)} }

// arguments are the arguments of the jobs, which have none.
type arguments struct{}

func (w *tasklibWorker) Start(t *testing.T, s *site, lease time.Duration, connections int32) {
	t.Helper()
	s.exec(t, "select tasklib.register_task('work', '{}')")
	w.pool = s.connect(t, connections)
	client := tasklib.NewClient(w.pool, tasklib.Config{
		Logger: w.logger(), Lease: lease, WorkerID: w.name, MaxRetries: tasklib.NoRetries,
	})
	tasklib.MustRegister(client, "work", func(ctx context.Context, _ arguments) (string, error) {
		current, _ := tasklib.CurrentTask(ctx)
		return "done", w.do(ctx, current.ID)
	}, tasklib.Options{})
	w.config.StopTimeout, w.config.NoHousekeeping, w.config.PollInterval = w.stop, true, 200*time.Millisecond
	w.config.Concurrency = max(w.config.Concurrency, 20)
	w.run(t, client.NewWorker(w.config).Run)
}

func (w *tasklibWorker) Submit(t *testing.T, s *site, n int) {
	t.Helper()
	s.exec(t, "select tasklib.register_task('work', '{}')")
	s.exec(t, "select count(*) from tasklib.submit_tasks('work', array_fill('{}'::jsonb, array[$1::integer]))", n)
}

func (w *tasklibWorker) Recorded(t *testing.T, s *site) int {
	t.Helper()
	return query[int](t, s, "select count(*)::integer from tasklib.tasks as t where t.state = 'completed'")
}

func (w *tasklibWorker) LeasedUntil(t *testing.T, s *site) time.Time {
	t.Helper()
	return query[time.Time](t, s, "select coalesce(min(t.locked_until), 'epoch') from tasklib.tasks as t where t.state = 'running'")
}
