package upgradetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// shop is a database at work: workers, and callers who create tasks, approve them and wait for their results.
type shop struct {
	t    *testing.T
	pool *pgxpool.Pool

	mutex sync.Mutex
	ran   map[string]int // by task and step, how often its handler has returned a result
	tasks []uuid.UUID
	done  atomic.Int64

	longest  time.Duration // that a call took
	repeated int           // calls that were chosen to end a deadlock

	// back is set while the migration is undone. A call of a function whose row type then loses a column may once find neither
	// the old nor the new type. Such an error is not allowed while the migration is applied.
	back atomic.Bool
}

const order = `{"namespace": "shop", "name": "order", "identity_strategy": "always_unique", "steps": [
	{"name": "take"},
	{"name": "approve", "dependencies": ["take"], "await": {"signal": "approved"}},
	{"name": "charge", "dependencies": ["take"], "retry": {"max_attempts": 5}},
	{"name": "ship", "dependencies": ["approve", "charge"]}]}`

// work runs a worker until ctx ends.
func (s *shop) work(ctx context.Context, name string) (ended <-chan error) {
	s.t.Helper()
	w, err := worker.New(s.pool, worker.Config{Name: name, Lease: 30 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(s.t, err)
	handle := func(step string, run func(job *worker.Job[struct{}]) error) {
		worker.Handle(w, step, func(_ context.Context, job *worker.Job[struct{}]) (string, error) {
			if err := run(job); err != nil {
				return "", err
			}
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.ran[fmt.Sprint(job.TaskUUID, " ", step)]++
			return step, nil
		})
	}
	handle("take", func(*worker.Job[struct{}]) error { return nil })
	handle("ship", func(*worker.Job[struct{}]) error { return nil })
	handle("charge", func(job *worker.Job[struct{}]) error {
		if job.Attempt == 1 {
			return worker.RetryAfter(time.Second)
		}
		return nil
	})
	end := make(chan error, 1)
	go func() { end <- w.Run(ctx) }()
	return end
}

// buy creates tasks and follows each to its end until ctx ends.
func (s *shop) buy(ctx context.Context) error {
	c := executor.NewClient(s.pool)
	for ctx.Err() == nil {
		var created executor.TaskCreation
		if err := s.call(func() (err error) {
			created, err = c.Tasks().Create(ctx, executor.TaskRequest{Namespace: "shop", Name: "order"})
			return err
		}); err != nil {
			return fmt.Errorf("create: %w", err)
		}
		s.mutex.Lock()
		s.tasks = append(s.tasks, created.TaskUUID)
		s.mutex.Unlock()
		if err := s.call(func() error {
			_, err := c.Signals().Send(ctx, created.TaskUUID, executor.Signal{Name: "approved"})
			return err
		}); err != nil {
			return fmt.Errorf("approve: %w", err)
		}
		for _, read := range []string{
			"select count(*) from tasker.list_workers(interval '1 hour')", // The migration makes this function again, with one more argument.
			"select count(*) from tasker.list_tasks(p_limit => 5)",
		} {
			if err := s.call(func() error {
				_, err := s.pool.Exec(ctx, read)
				var pgErr *pgconn.PgError
				if s.back.Load() && errors.As(err, &pgErr) && slices.Contains([]string{"XX000", "42883", "42P01"}, pgErr.Code) {
					_, err = s.pool.Exec(ctx, read)
				}
				return err
			}); err != nil {
				return fmt.Errorf("%s: %w", read, err)
			}
		}
		if _, err := c.Tasks().Wait(ctx, created.TaskUUID, executor.WaitOptions{}); err != nil {
			return fmt.Errorf("wait: %w", err)
		}
		s.done.Add(1)
	}
	return nil
}

// call measures a call, and repeats it when PostgreSQL chose it to end a deadlock (docs/errors.md).
func (s *shop) call(do func() error) error {
	begun := time.Now()
	for {
		err := do()
		var pgErr *pgconn.PgError
		again := errors.As(err, &pgErr) && pgErr.Code == "40P01"
		s.mutex.Lock()
		s.longest = max(s.longest, time.Since(begun))
		if again {
			s.repeated++
		}
		s.mutex.Unlock()
		if !again {
			return err
		}
	}
}

// apply runs a part of a migration like a person who repeats it after its lock_timeout. It returns the time of the successful
// attempt, and the number of failed attempts.
func apply(t *testing.T, pool *pgxpool.Pool, part string) (took time.Duration, failed int) {
	t.Helper()
	for {
		begun := time.Now()
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), part)
			return err
		})
		var pgErr *pgconn.PgError
		if err == nil {
			return time.Since(begun), failed
		}
		require.ErrorAs(t, err, &pgErr)
		require.Contains(t, []string{"55P03", "40P01"}, pgErr.Code, pgErr.Message)
		failed++
		require.Less(t, failed, 100, "the migration never got its locks")
	}
}

// Old workers work on while the schema is upgraded, then beside new workers on the new schema, and while the upgrade
// is undone.
func TestUpgrade_WorkGoesOnWhileTheSchemaIsUpgradedAndTakenBack(t *testing.T) {
	t.Parallel()
	m := compose(t, longer, longerUp, longerDown)
	pool := pgtest.New(t, pgtest.MaxConns(24))
	fill(t, pool)
	history := pgtest.Number("PGTASKER_UPGRADE_TASKS", 1000)
	for n := 0; n < history; n += 1000 {
		_, err := pool.Exec(t.Context(), `select count(*) from tasker.create_tasks('shop', 'order', array_fill('{}'::jsonb, array[1000]), p_start_at => now() + interval '1 day')`)
		require.NoError(t, err)
	}
	_, err := pool.Exec(t.Context(), "select tasker.register_namespace('shop')")
	require.NoError(t, err)

	s := &shop{t: t, pool: pool, ran: map[string]int{}}
	_, err = pool.Exec(t.Context(), `select tasker.register_task_template(jsonb_set($1::jsonb, '{version}', '"2.0.0"'))`, order)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var working []<-chan error
	for n := range 3 {
		working = append(working, s.work(ctx, fmt.Sprint("old ", n)))
	}
	buying, close := context.WithCancel(t.Context())
	defer close()
	var buyers sync.WaitGroup
	problems := make(chan error, 8)
	for range 4 {
		buyers.Go(func() {
			if err := s.buy(buying); err != nil && buying.Err() == nil {
				problems <- err
			}
		})
	}
	more := func(tasks int64) {
		t.Helper()
		want := s.done.Load() + tasks
		require.Eventually(t, func() bool { return s.done.Load() >= want || len(problems) > 0 }, 2*time.Minute, 10*time.Millisecond)
		select {
		case err := <-problems:
			require.NoError(t, err)
		default:
		}
	}
	each := int64(pgtest.Number("PGTASKER_STORM_TASKS", 8))

	more(each)
	require.NoError(t, kin.CheckBuild(t.Context(), pool))
	before := s.longest
	up, upFailed := apply(t, pool, m.up)
	require.ErrorIs(t, kin.CheckBuild(t.Context(), pool), kin.ErrNewerBuild)
	for n := range 2 {
		working = append(working, s.work(ctx, fmt.Sprint("new ", n)))
	}
	more(each)
	s.back.Store(true)
	down, downFailed := apply(t, pool, m.down)
	require.NoError(t, kin.CheckBuild(t.Context(), pool))
	more(each)
	close()
	buyers.Wait()
	t.Logf("%d tasks beside %d others: upgraded in %v after %d failed attempts, taken back in %v after %d; the longest call took %v, %v before the upgrade; %d calls were repeated after a deadlock",
		s.done.Load(), history, up.Round(time.Millisecond), upFailed, down.Round(time.Millisecond), downFailed,
		s.longest.Round(time.Millisecond), before.Round(time.Millisecond), s.repeated)

	s.end(stop, working)
	require.Positive(t, replaytest.Recorded(t, pool))
}

// end asserts that each step of the tasks has run once, and that nothing is left open.
func (s *shop) end(stop func(), working []<-chan error) {
	s.t.Helper()
	for _, task := range s.tasks { // A caller may have stopped before it approved its last task.
		_, err := executor.NewClient(s.pool).Signals().Send(s.t.Context(), task, executor.Signal{Name: "approved"})
		require.NoError(s.t, err)
		detail, err := executor.NewClient(s.pool).Tasks().Wait(s.t.Context(), task, executor.WaitOptions{})
		require.NoError(s.t, err)
		require.Equal(s.t, "complete", string(detail.State))
	}
	stop()
	for _, ended := range working {
		require.NoError(s.t, <-ended)
	}
	for _, task := range s.tasks {
		for _, step := range []string{"take", "charge", "ship"} {
			require.Equal(s.t, 1, s.ran[fmt.Sprint(task, " ", step)], "task %s, step %s", task, step)
		}
	}
	rows, err := s.pool.Query(s.t.Context(), "select c.object || ': ' || c.problem from tasker.check_integrity() as c")
	require.NoError(s.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(s.t, err)
	require.Empty(s.t, found)
}
