package functionstorm

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// count continues for the number of rounds in its input.
func count(ctx context.Context, job *worker.Job[order]) (int, error) {
	var n int
	if _, err := job.State(&n); err != nil || n == job.Input.N {
		return n, err
	}
	for range 2 {
		if _, err := worker.Once(ctx, job, "one", func(context.Context, uuid.UUID) (int, error) { return n, nil }); err != nil {
			return 0, err
		}
	}
	worker.ContinueAs(ctx, job, n+1)
	return 0, nil
}

// tenth has the time that a tenth of the rounds took, and the size of the run tables after it.
type tenth struct {
	took time.Duration
	kB   int64
}

// Case A2.15: every round costs the same, and leaves nothing behind.
func TestContinueAs_IsFlat(t *testing.T) {
	t.Parallel()
	rounds := pgtest.Number("PGTASKER_STORM_ROUNDS", 300)
	pool := pgtest.New(t, pgtest.MaxConns(6))
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "storm", "name": "count", "identity_strategy": "always_unique", "steps": [{"name": "count"}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "storm", Name: "count", Context: fmt.Appendf(nil, `{"N": %d}`, rounds)})
	require.NoError(t, err)
	w, err := worker.New(pool, worker.Config{Logger: slog.New(slog.DiscardHandler), NoMaintenance: true})
	require.NoError(t, err)
	worker.Handle(w, "count", count)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	defer func() {
		stop()
		require.NoError(t, <-done)
	}()

	var tenths []tenth
	var began time.Time
	for len(tenths) < 10 {
		var round *int
		require.NoError(t, pool.QueryRow(ctx, "select s.function_round from tasker.workflow_steps as s where s.task_uuid = $1", task.TaskUUID).Scan(&round))
		if round == nil {
			continue
		}
		if began.IsZero() {
			began = time.Now()
		}
		for len(tenths) < 10 && *round >= (len(tenths)+1)*rounds/10 {
			tenths = append(tenths, tenth{time.Since(began), size(t, pool)})
			began = time.Now()
		}
		time.Sleep(max(time.Millisecond, time.Since(began)/100))
	}
	require.Eventually(t, func() bool {
		detail, err := e.GetTask(ctx, task.TaskUUID)
		return err == nil && detail.Complete
	}, time.Minute, 10*time.Millisecond)
	var log, kept int
	require.NoError(t, pool.QueryRow(ctx, `select (select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = $1),
		(select count(*) from tasker.kept_results as k where k.task_uuid = $1)`, task.TaskUUID).Scan(&log, &kept))
	require.LessOrEqual(t, log, 20, "rounds write no history")
	require.Zero(t, kept)
	first, last := tenths[0], tenths[9]
	t.Logf("%d rounds; each tenth (time, kB): %v; last to first tenth: time %.2f, space %.2f",
		rounds, tenths, last.took.Seconds()/first.took.Seconds(), float64(last.kB)/float64(first.kB))
	require.Less(t, last.took, 5*first.took+time.Second, "the last tenth takes as long as the first")
	replaytest.Recorded(t, pool)
}

// size returns the size of the tables that rounds write, with their dead rows.
func size(t *testing.T, pool *pgxpool.Pool) (kB int64) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), `
		select sum(pg_total_relation_size(i.inhrelid)) / 1024
		  from pg_inherits as i
		 where i.inhparent in ('tasker.kept_results'::regclass, 'tasker.workflow_steps'::regclass)`).Scan(&kB))
	return kB
}
