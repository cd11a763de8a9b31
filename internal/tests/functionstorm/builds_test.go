package functionstorm

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// tally counts calls by their keys.
type tally struct {
	mu    sync.Mutex
	calls map[uuid.UUID]int
}

func (c *tally) one(_ context.Context, key uuid.UUID) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[key]++
	return 1, nil
}

// build is a version of the function: it checks for fraud first if check returns true.
func build(c *tally, check func(ctx context.Context, job *worker.Job[order]) bool) worker.Handler[order, string] {
	return func(ctx context.Context, job *worker.Job[order]) (string, error) {
		checked := check(ctx, job)
		if checked {
			if _, err := worker.Once(ctx, job, "fraud", c.one); err != nil {
				return "", err
			}
		}
		for _, name := range []string{"charge", "ship"} {
			if _, err := worker.Once(ctx, job, name, c.one); err != nil {
				return "", err
			}
			if _, err := worker.Await(ctx, job, worker.Signal[struct{}]("never"), worker.Waiting{Timeout: 50 * time.Millisecond}); err != nil {
				return "", err
			}
		}
		return fmt.Sprintf("checked: %v", checked), nil
	}
}

func TestTwoBuilds_NothingFailsAndNothingRunsTwice(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]func(ctx context.Context, job *worker.Job[order]) bool{
		"without Changed": func(context.Context, *worker.Job[order]) bool { return true },
		"with Changed":    func(ctx context.Context, job *worker.Job[order]) bool { return worker.Changed(ctx, job, "fraud-check") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			functions := pgtest.Number("PGTASKER_STORM_BUILDS", 24)
			pool := pgtest.New(t, pgtest.MaxConns(10))
			e := executor.New(pool)
			_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "storm", "name": "order",
				"identity_strategy": "always_unique", "steps": [{"name": "fulfil", "retry": {"max_attempts": 1}}]}`))
			require.NoError(t, err)
			c := &tally{calls: map[uuid.UUID]int{}}
			var running sync.WaitGroup
			ctx, stop := context.WithCancel(t.Context())
			defer func() { stop(); running.Wait() }()
			for _, handler := range []worker.Handler[order, string]{
				build(c, func(context.Context, *worker.Job[order]) bool { return false }), build(c, check),
			} {
				w, err := worker.New(pool, worker.Config{
					Concurrency: 5, PollInterval: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler), NoMaintenance: true,
				})
				require.NoError(t, err)
				worker.Handle(w, "fulfil", handler)
				running.Go(func() { _ = w.Run(ctx) })
			}
			contexts := make([]json.RawMessage, functions)
			for i := range contexts {
				contexts[i] = fmt.Appendf(nil, `{"N": %d}`, i)
			}
			_, err = e.CreateTasks(t.Context(), executor.TasksRequest{Namespace: "storm", Name: "order", Contexts: contexts})
			require.NoError(t, err)

			t.Cleanup(func() {
				if t.Failed() {
					logOpen(t, pool)
				}
			})
			var diverged, most int64
			require.Eventually(t, func() bool {
				health, err := e.GetSystemHealthCounts(t.Context())
				require.NoError(t, err)
				diverged = health.DivergedSteps
				most = max(most, diverged)
				// Another worker would try again in ten seconds. Make the timer due at once.
				_, err = pool.Exec(t.Context(), `update tasker.timers as m set due_at = now() from tasker.waits as w
					where w.task_uuid = m.task_uuid and w.signal = '$diverged' and m.kind = 'end_wait'`)
				require.NoError(t, err)
				var open int
				require.NoError(t, pool.QueryRow(t.Context(), "select count(*) from tasker.tasks where not complete").Scan(&open))
				return open == 0
			}, 10*time.Minute, 20*time.Millisecond, "the functions end")

			for key, calls := range c.calls {
				require.Equal(t, 1, calls, "call %s", key)
			}
			var failed, bad int
			require.NoError(t, pool.QueryRow(t.Context(), `
				select (select count(*) from tasker.workflow_step_transition_log as l where l.event in ('Fail', 'WaitForRetry')),
				       (select count(*) from tasker.workflow_steps as s
				         where s.results #>> '{}' <> format('checked: %s', case when exists (
				           select from tasker.kept_results as k where k.task_uuid = s.task_uuid and k.name = 'fraud') then 'true' else 'false' end))`).
				Scan(&failed, &bad))
			require.Zero(t, failed, "nothing fails")
			require.Zero(t, bad, "each function ends with the code that it began with")
			if name == "without Changed" {
				require.Positive(t, most, "health counts the steps that wait for the other build")
			}
			t.Logf("%d functions, at most %d diverged at once", functions, most)
			require.Positive(t, replaytest.Recorded(t, pool))
		})
	}
}

// logOpen logs where the functions that have not ended stand.
func logOpen(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	rows, err := pool.Query(context.WithoutCancel(t.Context()), `
		select format('%s, %s, waits %s, due %s, kept %s', count(*), s.state, s.wait - '{since,claim_no}'::text[], min(m.due_at) - now(),
		         (select string_agg(k.name, ' ' order by k.kept_no) from tasker.kept_results as k where k.task_uuid = (array_agg(s.task_uuid))[1]))
		  from tasker.workflow_steps as s
		  left join tasker.timers as m on m.task_uuid = s.task_uuid
		 where s.state <> 'complete'
		 group by s.state, s.wait - '{since,claim_no}'::text[]
		 limit 20`)
	require.NoError(t, err)
	open, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	t.Logf("open: %s", strings.Join(open, "\n"))
}
