package worker_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

func TestStart_RunsTheFirstStepsInThisProcessAndTheRestAsAnyOther(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": `[{"name": "reserve"}, {"name": "pay", "dependencies": ["reserve"]}]`})
	w, err := worker.New(s.pool, worker.Config{Concurrency: 2})
	require.NoError(t, err)
	ran := make(chan string, 10)
	for _, name := range []string{"reserve", "pay"} {
		worker.Handle(w, name, func(_ context.Context, job *worker.Job[struct{ Order int }]) (map[string]int, error) {
			ran <- name
			return map[string]int{"order": job.Input.Order}, nil
		})
	}

	request := executor.TaskRequest{Namespace: "shop", Name: "order", Context: json.RawMessage(`{"Order": 7}`)}
	early, err := w.Start(t.Context(), request)
	require.NoError(t, err)
	require.True(t, early.Created, "before Run, Start only creates the task")

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	for range 2 {
		<-ran // the early task has run, so the worker is up
	}
	for range 5 {
		created, err := w.Start(t.Context(), request)
		require.NoError(t, err)
		require.Equal(t, "reserve", <-ran)
		require.Equal(t, "pay", <-ran)
		waiting, end := context.WithTimeout(t.Context(), within)
		task, err := executor.NewClient(s.pool).Tasks().Wait(waiting, created.TaskUUID)
		end()
		require.NoError(t, err)
		require.Equal(t, string(state.TaskComplete), string(task.State))
	}
}

func TestStart_LeavesItsStepsToOthersWhenTheProcessDies(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": `[{"name": "reserve"}]`})
	dead := direct.StartRequest{TaskRequest: executor.TaskRequest{Namespace: "shop", Name: "order"}}
	dead.WorkerUUID, dead.Limit, dead.Lease = executor.NewTaskUUID(), 10, time.Second
	started, err := s.StartTask(t.Context(), dead)
	require.NoError(t, err)
	require.Len(t, started.Claimed, 1)
	require.Equal(t, "reserve", started.Claimed[0].Handler)

	w, err := worker.New(s.pool, worker.Config{})
	require.NoError(t, err)
	ran := make(chan struct{}, 1)
	worker.Handle(w, "reserve", func(context.Context, *worker.Job[struct{}]) (struct{}, error) {
		ran <- struct{}{}
		return struct{}{}, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	<-ran

	answers, err := s.CompleteSteps(t.Context(), []direct.StepResult{{
		StepClaim: direct.StepClaim{StepUUID: started.Claimed[0].StepUUID, ClaimNo: started.Claimed[0].ClaimNo},
	}})
	require.NoError(t, err)
	require.Contains(t, []string{"stale", "already_complete"}, string(answers[0].Answer), "the result of the dead worker comes too late")
}
