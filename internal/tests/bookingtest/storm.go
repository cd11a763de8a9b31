package bookingtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/worker"
)

// Kind is a way to book in a step: a namespace with the template "booking", of which the storm starts tasks. Each kind has its own range
// of N.
type Kind struct {
	Namespace string
	// Template is in JSON. Its tasks end by themselves, whether their steps succeed or fail. Their contexts are a
	// [Booking].
	Template string
	// Steps are the names of the steps that book.
	Steps []string
	// Prepare is called once, in the migrated database with its bank, before the template is registered. It may be nil.
	Prepare func(ctx context.Context, pool *pgxpool.Pool) error
	// Handle gives handlers to the worker of each worker process. It is nil if the kind needs no handlers.
	Handle func(w *worker.Worker, pool *pgxpool.Pool)
	// Drive is called in each worker process beside its worker, and returns when ctx has ended. It may be nil.
	Drive func(ctx context.Context, pool *pgxpool.Pool)
}

// Storm is the number of tasks of each kind, and the number of kills. Every fifth kill is of the server.
type Storm struct {
	Tasks, Kills int
	Kinds        []Kind
}

const asWorker = "PGTASKER_BOOKING_WORKER" // the database of a worker process

// WorkIfAsked is called by a TestMain: in a worker process it works until the process is killed, and returns true.
func WorkIfAsked(kinds []Kind) bool {
	url := os.Getenv(asWorker)
	if url == "" {
		return false
	}
	if err := work(context.Background(), url, kinds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func work(ctx context.Context, url string, kinds []Kind) error {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return err
	}
	config.MaxConns = 8
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{
		Concurrency: 20, Lease: time.Second, NoMaintenance: true, PollInterval: 500 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler), // The storm makes every warning that there is.
	})
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		if kind.Handle != nil {
			kind.Handle(w, pool)
		}
		if kind.Drive != nil {
			go kind.Drive(ctx, pool)
		}
	}
	return w.Run(ctx)
}

// ErrAfterBooking is the failure of a step that has booked.
var ErrAfterBooking = errors.New("failed after it had booked")

// FailsAfterBooking returns the end of an attempt at a step of task N after the step has booked. One step in ten fails at
// first, and one in fifty fails for good.
func FailsAfterBooking(n, attempt int) error {
	switch {
	case n%50 == 7:
		return worker.Permanent(ErrAfterBooking)
	case n%10 == 3 && attempt == 1:
		return ErrAfterBooking
	}
	return nil
}

// Run has the tasks of all kinds run, and returns when all have ended. WorkIfAsked stands in the TestMain of the caller.
func (s Storm) Run(t *testing.T, pool *pgxpool.Pool, server *pgserver.Server) map[string]Findings {
	t.Helper()
	OpenBank(t, pool)
	e := executor.New(pool)
	for _, kind := range s.Kinds {
		if kind.Prepare != nil {
			require.NoError(t, kind.Prepare(t.Context(), pool))
		}
		_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(kind.Template))
		require.NoError(t, err)
	}
	fleet := fleet{t: t, url: pool.Config().ConnString()}
	for range 3 {
		fleet.start()
	}
	t.Cleanup(fleet.stop)

	ctx, stop := context.WithTimeout(t.Context(), 45*time.Minute)
	defer stop()
	meddling, calm := context.WithCancel(ctx)
	defer calm()
	var meddlers, starters sync.WaitGroup
	var acts atomic.Int64
	meddlers.Go(func() { s.meddle(meddling, pool, &acts) })
	meddlers.Go(func() { terminate(meddling, pool) })
	created := make(chan struct{})
	for i, kind := range s.Kinds {
		starters.Go(func() {
			for n := range s.Tasks {
				raw, _ := json.Marshal(Booking{N: i*s.Tasks + n, Amount: 1 + n%9})
				request := executor.TaskRequest{
					Namespace: kind.Namespace, Name: "booking", Context: raw, IdentityKey: fmt.Sprint(i*s.Tasks + n),
				}
				again(ctx, func() error {
					_, err := e.CreateTask(ctx, request)
					return err
				})
			}
		})
	}
	go func() { starters.Wait(); close(created) }()

	killed := 0
	for done := false; !done; {
		pause(ctx, time.Duration(100+rand.IntN(200))*time.Millisecond)
		require.NoError(t, ctx.Err(), "the tasks do not end")
		if killed < s.Kills {
			killed++
			switch killed % 5 {
			case 0:
				require.NoError(t, server.Crash(ctx))
			case 2:
				fleet.freeze(ctx)
			default:
				fleet.kill()
			}
			continue
		}
		select {
		case <-created:
			calm()
			meddlers.Wait()
			var open int
			err := pool.QueryRow(ctx, "select count(*) from tasker.tasks where not complete").Scan(&open)
			done = err == nil && open == 0
		default:
		}
	}
	fleet.stop()
	// A killed process may have left a transaction that its session still ends.
	require.Eventually(t, func() bool {
		var busy int
		err := pool.QueryRow(ctx, `select count(*) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() and a.xact_start is not null and a.backend_type = 'client backend'`).Scan(&busy)
		return err == nil && busy == 0
	}, time.Minute, 10*time.Millisecond)
	problems, err := e.CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, problems)
	found := map[string]Findings{}
	for _, kind := range s.Kinds {
		found[kind.Namespace], err = Check(t.Context(), pool, kind.Namespace, kind.Steps...)
		require.NoError(t, err)
		t.Logf("%s: %+v", kind.Namespace, found[kind.Namespace])
	}
	t.Logf("%d tasks of each of %d kinds; %d kills; %d calls of operators", s.Tasks, len(s.Kinds), killed, acts.Load())
	return found
}

// meddle acts as operators do. It resets no completed step, because such a step would rightly book again.
func (s Storm) meddle(ctx context.Context, pool *pgxpool.Pool, acts *atomic.Int64) {
	e := executor.New(pool)
	for ctx.Err() == nil {
		pause(ctx, time.Duration(rand.IntN(40))*time.Millisecond)
		var task, step uuid.UUID
		err := pool.QueryRow(ctx, `
			select t.task_uuid, s.workflow_step_uuid
			  from tasker.tasks as t
			  join tasker.workflow_steps as s on s.task_uuid = t.task_uuid
			 where not t.complete and s.state <> 'complete'
			 order by random() limit 1`).Scan(&task, &step)
		if err != nil {
			continue
		}
		switch rand.IntN(4) {
		case 0:
			_, err = e.CancelTask(ctx, task, "", "")
		case 1:
			_, err = e.ResetTask(ctx, task, "", "")
		default:
			_, err = e.RetryStep(ctx, step, "", "")
		}
		if err == nil {
			acts.Add(1)
		}
	}
}

// terminate ends the session of another client, five times a second.
func terminate(ctx context.Context, pool *pgxpool.Pool) {
	for ctx.Err() == nil {
		pause(ctx, 200*time.Millisecond)
		_, _ = pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 1`)
	}
}

func again(ctx context.Context, call func() error) {
	for ctx.Err() == nil && call() != nil {
		pause(ctx, 20*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// fleet is a set of worker processes.
type fleet struct {
	t       *testing.T
	url     string
	running []*exec.Cmd
}

func (f *fleet) start() {
	cmd := exec.CommandContext(context.WithoutCancel(f.t.Context()), os.Args[0])
	cmd.Env = append(os.Environ(), asWorker+"="+f.url)
	cmd.Stderr = os.Stderr
	require.NoError(f.t, cmd.Start())
	f.running = append(f.running, cmd)
}

// kill kills the worker that has run longest, and starts another worker.
func (f *fleet) kill() {
	f.end(f.running[0])
	f.running = f.running[1:]
	f.start()
}

// freeze stops the worker that has run longest until its leases have ended, and lets it continue with its steps.
func (f *fleet) freeze(ctx context.Context) {
	if !stopProcess(f.running[0].Process) {
		f.kill()
		return
	}
	pause(ctx, 1300*time.Millisecond)
	continueProcess(f.running[0].Process)
}

func (*fleet) end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // The process has been killed.
}

func (f *fleet) stop() {
	for _, cmd := range f.running {
		f.end(cmd)
	}
	f.running = nil
}
