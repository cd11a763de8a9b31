package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// logged are the messages of a step's log, and of another stream its items.
func (s *shop) streamed(step uuid.UUID, stream string) (items []string) {
	s.t.Helper()
	for entry, err := range executor.NewClient(s.pool).Tasks().ReadStream(s.t.Context(), step, stream, executor.StreamOptions{}) {
		require.NoError(s.t, err)
		require.EqualValues(s.t, len(items)+1, entry.ItemNo)
		var line struct{ Msg string }
		if json.Unmarshal(entry.Item, &line) == nil && line.Msg != "" {
			items = append(items, line.Msg)
			continue
		}
		items = append(items, string(entry.Item))
	}
	return items
}

func TestStep_WritesValuesStreamsAndLogs(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"base_seconds": 0.01}}]`})
	w := newWorker(t, s.pool, worker.Config{})
	goOn := make(chan struct{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		log := job.Logger().With("attempt", job.Attempt)
		log.Info(fmt.Sprintf("attempt %d\x00 begins", job.Attempt))
		if err := job.Append(ctx, "rows", job.Attempt, map[string]int{"n": job.Attempt}); err != nil {
			return "", err
		}
		if err := job.Progress(ctx, float64(job.Attempt)/2, "half by half"); err != nil {
			return "", err
		}
		<-goOn
		log.Info("the attempt ends", "long", strings.Repeat("x", 20_000))
		if job.Attempt == 1 {
			return "", fmt.Errorf("again")
		}
		return "done", nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	tasks := executor.NewClient(s.pool).Tasks()
	step := s.step(task, "work").WorkflowStepUUID
	half, err := tasks.WaitValue(t.Context(), step, "progress", 0)
	require.NoError(t, err)
	require.JSONEq(t, `{"done": 0.5, "text": "half by half"}`, string(half.Value), "a value is read while the step runs")
	close(goOn)
	whole, err := tasks.WaitValue(t.Context(), step, "progress", half.LastNo)
	require.NoError(t, err)
	require.JSONEq(t, `{"done": 1, "text": "half by half"}`, string(whole.Value))
	s.wait(task, state.TaskComplete)
	require.Equal(t, []string{"1", `{"n": 1}`, "2", `{"n": 2}`}, s.streamed(step, "rows"))
	require.Equal(t, []string{"attempt 1\ufffd begins", "the attempt ends", "attempt 2\ufffd begins", "the attempt ends"}, s.streamed(step, "log"),
		"the last lines are written before the result, and a line without its long attribute is shorter")
	progress, err := tasks.Progress(t.Context(), task)
	require.NoError(t, err)
	require.Len(t, progress, 1)
	require.JSONEq(t, string(whole.Value), string(progress[0].Value))

	_, err = tasks.WaitValue(t.Context(), step, "progress", whole.LastNo)
	require.ErrorIs(t, err, executor.ErrNoResult, "a step that has ended sets no other value")
	_, err = tasks.Value(t.Context(), step, "rows")
	require.ErrorIs(t, err, executor.ErrNotFound, "a stream is no value")
}

// A durable function runs again from its beginning: it writes nothing again in the part that it passes.
func TestStep_WritesWhatAFunctionPassesOnce(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work"}]`})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		job.Logger().Info("before the first call")
		if err := job.Append(ctx, "rows", "before"); err != nil {
			return "", err
		}
		if _, err := worker.Once(ctx, job, "a", func(context.Context, uuid.UUID) (int, error) { return 1, nil }); err != nil {
			return "", err
		}
		job.Logger().Info("before the signal")
		if _, err := worker.Await(ctx, job, worker.Signal[none]("go"), worker.Waiting{}); err != nil {
			return "", err
		}
		job.Logger().Info("after the signal")
		return "done", job.Append(ctx, "rows", "after")
	})
	start(t, w)
	task := s.create("job", `{}`)
	until(t, func() bool { return s.step(task, "work").State == state.StepSuspended }, func() string { return "it is not suspended" })
	step := s.step(task, "work").WorkflowStepUUID
	require.Equal(t, []string{"before the first call", "before the signal"}, s.streamed(step, "log"), "lines are written before the step waits")
	_, err := executor.NewClient(s.pool).Signals().Send(t.Context(), task, executor.Signal{Name: "go"})
	require.NoError(t, err)
	s.wait(task, state.TaskComplete)
	require.Equal(t, []string{"before the first call", "before the signal", "after the signal"}, s.streamed(step, "log"))
	require.Equal(t, []string{`"before"`, `"after"`}, s.streamed(step, "rows"))
}

func TestStep_LoggerIsBoundedInRate(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work"}]`})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(_ context.Context, job *worker.Job[none]) (string, error) {
		log := job.Logger()
		for range 100_000 {
			log.Info("again")
		}
		return "done", nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	step := s.step(task, "work").WorkflowStepUUID
	var dropped, written int
	for entry, err := range executor.NewClient(s.pool).Tasks().ReadStream(t.Context(), step, "log", executor.StreamOptions{}) {
		require.NoError(t, err)
		var line struct{ Dropped int }
		require.NoError(t, json.Unmarshal(entry.Item, &line))
		dropped += line.Dropped
		if line.Dropped == 0 {
			written++
		}
	}
	require.Equal(t, 100_000, dropped+written, "each line is written or counted")
	require.Positive(t, dropped)
	var rows int
	require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*) from tasker.stream_items").Scan(&rows))
	require.LessOrEqual(t, rows, written/999+1, "a line costs no row of its own")
}

func TestStep_AppendsNothingWhenItsClaimIsLost(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work"}]`})
	w := newWorker(t, s.pool, worker.Config{})
	errs := make(chan error, 1)
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		_, err := s.pool.Exec(ctx, "select from tasker.cancel_task($1)", job.TaskUUID)
		if err == nil {
			err = job.Append(context.WithoutCancel(ctx), "rows", 1)
		}
		errs <- err
		return "", err
	})
	start(t, w)
	task := s.create("job", `{}`)
	require.ErrorIs(t, <-errs, worker.ErrCancelled)
	require.Empty(t, slices.Collect(func(yield func(gen.StreamDetail) bool) {
		for d := range executor.NewClient(s.pool).Tasks().Streams(t.Context(), task) {
			yield(d)
		}
	}))
}

func TestStep_OfAJobMadeByHandWritesNothing(t *testing.T) {
	t.Parallel()
	job := &worker.Job[none]{}
	require.NoError(t, job.Append(t.Context(), "rows", 1))
	require.NoError(t, job.SetValue(t.Context(), "v", 1))
	require.False(t, job.Logger().Enabled(t.Context(), 12))
	require.Error(t, job.SetValue(t.Context(), "v", bytes.MinRead+1i), "a value that is no JSON is refused")
}
