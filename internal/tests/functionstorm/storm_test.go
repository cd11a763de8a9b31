package functionstorm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

const (
	asWorker = "PGTASKER_FUNCTION_WORKER"  // the database of a worker process
	theBank  = "PGTASKER_FUNCTION_SERVICE" // the address of the outside service
)

func TestMain(m *testing.M) {
	if url := os.Getenv(asWorker); url != "" {
		if err := work(context.Background(), url, os.Getenv(theBank)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}

type order struct{ N int }

// work is a worker process.
func work(ctx context.Context, url, service string) error {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return err
	}
	config.MaxConns = 6
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{
		Concurrency: 20, Lease: 2 * time.Second, NoMaintenance: true, PollInterval: time.Second,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return err
	}
	handle(w, service)
	return w.Run(ctx)
}

func handle(w *worker.Worker, service string) {
	worker.Handle(w, "fulfil", func(ctx context.Context, job *worker.Job[order]) (string, error) { return fulfil(ctx, job, service) })
	worker.Handle(w, "pay", func(ctx context.Context, job *worker.Job[order]) (string, error) { return pay(ctx, job, service) })
}

func fulfil(ctx context.Context, job *worker.Job[order], service string) (string, error) {
	_, err := worker.Once(ctx, job, "charge", func(ctx context.Context, key uuid.UUID) (string, error) {
		return call(ctx, fmt.Sprintf("%s/charge?n=%d&key=%s", service, job.Input.N, key))
	})
	var declined *worker.KeptError
	if err != nil && !errors.As(err, &declined) {
		return "", err
	}
	answer, awaitErr := worker.Await(ctx, job, worker.Signal[struct{}]("approved"), worker.Waiting{Timeout: time.Second})
	if awaitErr != nil {
		return "", awaitErr
	}
	worker.Sleep(ctx, job, 10*time.Millisecond)
	if declined != nil {
		_, err := worker.Once(ctx, job, "apologize", func(ctx context.Context, key uuid.UUID) (string, error) {
			return call(ctx, fmt.Sprintf("%s/apologize?n=%d&key=%s", service, job.Input.N, key))
		})
		return "declined", err
	}
	_, err = worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
		_, err := tx.Exec(ctx, "insert into public.bookings values ($1)", job.TaskUUID)
		return job.Input.N, err
	})
	return "booked by " + answer.By, err
}

var errBusy = errors.New("busy")

func call(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", worker.RetryAfter(0, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return "", worker.RetryAfter(0, err)
	case response.StatusCode == http.StatusPaymentRequired:
		return "", worker.Permanent(errors.New(string(body)))
	case response.StatusCode != http.StatusOK:
		return "", worker.RetryAfter(0, errBusy)
	}
	return string(body), nil
}

// service is the service that the functions call. It declines every tenth order, but only at the first call, and is busy at
// every seventh call.
type service struct {
	mu    sync.Mutex
	calls map[string][]time.Time // by the name of the call and its key
	n     int
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	id := r.URL.Path + " " + r.URL.Query().Get("key")
	n, _ := strconv.Atoi(r.URL.Query().Get("n"))
	s.mu.Lock()
	s.n++
	busy := s.n%7 == 0
	s.calls[id] = append(s.calls[id], at)
	first := len(s.calls[id]) == 1
	s.mu.Unlock()
	switch {
	case r.URL.Path == "/charge" && n%10 == 0 && first:
		w.WriteHeader(http.StatusPaymentRequired)
		_, _ = fmt.Fprint(w, "declined")
	case busy:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		_, _ = fmt.Fprintf(w, "receipt %d", n)
	}
}

func TestStorm_WhatIsKeptIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	tasks, kills := pgtest.Number("PGTASKER_STORM_TASKS", 50), pgtest.Number("PGTASKER_STORM_KILLS", 4)
	began := time.Now()
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(8))
	_, err := pool.Exec(t.Context(), "create table public.bookings (task uuid not null)")
	require.NoError(t, err)
	e := executor.New(pool)
	_, err = e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "storm", "name": "order",
		"identity_strategy": "caller_provided", "steps": [{"name": "fulfil", "retry": {"max_attempts": 20, "base_seconds": 0.01}}]}`))
	require.NoError(t, err)
	outside := &service{calls: map[string][]time.Time{}}
	bank := httptest.NewServer(outside)
	t.Cleanup(bank.Close)
	w := workers{t: t, url: pool.Config().ConnString(), bank: bank.URL}
	for range 3 {
		w.start()
	}
	t.Cleanup(w.stop)

	ctx, stop := context.WithTimeout(t.Context(), 45*time.Minute)
	defer stop()
	var senders sync.WaitGroup
	senders.Go(func() {
		for i := range tasks {
			key := executor.TaskKey{Namespace: "storm", Name: "order", IdentityKey: fmt.Sprint(i)}
			request := executor.TaskRequest{
				Namespace: key.Namespace, Name: key.Name, IdentityKey: key.IdentityKey, Context: fmt.Appendf(nil, `{"N": %d}`, i),
			}
			again(ctx, func() error {
				_, err := e.CreateTask(ctx, request)
				return err
			})
			if i%2 == 0 {
				again(ctx, func() error {
					_, err := e.SendSignalByKey(ctx, key, executor.Signal{Name: "approved", IdempotencyKey: "evt"}, nil)
					return err
				})
			}
		}
	})
	killed := 0
	ended := func() bool {
		var open int
		err := pool.QueryRow(ctx, "select count(*) from tasker.tasks where not complete").Scan(&open)
		return err == nil && open == 0
	}
	created := make(chan struct{})
	go func() { senders.Wait(); close(created) }()
	for done := false; !done; {
		time.Sleep(time.Duration(100+rand.IntN(300)) * time.Millisecond)
		if killed < kills {
			killed++
			if killed%min(8, kills) == 0 {
				require.NoError(t, server.Crash(ctx))
			} else {
				w.kill()
			}
		}
		select {
		case <-created:
			done = ended()
		case <-ctx.Done():
			require.Fail(t, "the tasks do not end")
		default:
		}
	}
	t.Logf("%d functions, %d kills, %d calls of the outside service, %v", tasks, killed, outside.n, time.Since(began).Round(time.Millisecond))
	requireOutcome(t, pool, outside, tasks)

	// A replay with the same code replays every function, and makes no call.
	bank.Close()
	same, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	handle(same, bank.URL)
	require.Equal(t, tasks, replaytest.Same(t, pool, same))
}

func requireOutcome(t *testing.T, pool *pgxpool.Pool, outside *service, tasks int) {
	t.Helper()
	integrity, err := executor.New(pool).CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, integrity)
	rows, err := pool.Query(t.Context(), `
		select s.workflow_step_uuid, s.state::text, s.results #>> '{}', k.error is not null, k.kept_at,
		       (select count(*) from public.bookings as b where b.task = s.task_uuid),
		       (select w.value ->> 'by' from tasker.kept_results as w where w.task_uuid = s.task_uuid and w.name = '$await.approved')
		  from tasker.workflow_steps as s
		  left join tasker.kept_results as k on k.task_uuid = s.task_uuid and k.name = 'charge'`)
	require.NoError(t, err)
	seen, again := 0, 0
	for rows.Next() {
		var step uuid.UUID
		var state string
		var result, by *string
		var declined bool
		var keptAt *time.Time
		var bookings int
		require.NoError(t, rows.Scan(&step, &state, &result, &declined, &keptAt, &bookings, &by))
		seen++
		require.Equal(t, "complete", state)
		require.NotNil(t, result)
		require.NotNil(t, keptAt)
		require.NotNil(t, by)
		if declined {
			require.Equal(t, "declined", *result, "a kept error stays")
			require.Zero(t, bookings)
		} else {
			require.Equal(t, "booked by "+*by, *result)
			require.Equal(t, 1, bookings, "effects in the database happen exactly once")
		}
		calls := outside.calls["/charge "+uuid.NewSHA1(step, []byte("charge/1")).String()]
		require.NotEmpty(t, calls, "the calls have the key of the step")
		again += len(calls) - 1
		for _, at := range calls {
			require.False(t, at.After(*keptAt), "a call whose result is kept is not repeated")
		}
	}
	require.NoError(t, rows.Err())
	require.Equal(t, tasks, seen)
	t.Logf("%d charges were called more than once before they were kept", again)
}

func again(ctx context.Context, call func() error) {
	for ctx.Err() == nil {
		if call() == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// workers is a set of worker processes.
type workers struct {
	t         *testing.T
	url, bank string
	running   []*exec.Cmd
}

func (w *workers) start() {
	cmd := exec.CommandContext(context.WithoutCancel(w.t.Context()), os.Args[0])
	cmd.Env = append(os.Environ(), asWorker+"="+w.url, theBank+"="+w.bank)
	cmd.Stderr = os.Stderr
	require.NoError(w.t, cmd.Start())
	w.running = append(w.running, cmd)
}

// kill kills the worker that has run longest, and starts another worker.
func (w *workers) kill() {
	w.end(w.running[0])
	w.running = w.running[1:]
	w.start()
}

func (w *workers) end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // The process has been killed.
}

func (w *workers) stop() {
	for _, cmd := range w.running {
		w.end(cmd)
	}
}
