package worker_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// With the default lease of a minute a renewal is 15 seconds away.
const atOnce = 10 * time.Second

// What ends a step from outside is said to its running handler at once, whatever it is.
func TestRun_AHandlerHearsAtOnceThatItsStepHasEnded(t *testing.T) {
	t.Parallel()
	const (
		plain  = `[{"name": "work"}]`
		undone = `[{"name": "work", "compensate": "refund"}]`
	)
	for name, test := range map[string]struct {
		steps    string
		deadline time.Duration
		act      func(s *shop, task, step uuid.UUID) error
		want     error
		state    state.TaskState
	}{
		"cancel": {steps: plain, want: worker.ErrCancelled, state: state.TaskCancelled, act: func(s *shop, task, _ uuid.UUID) error {
			_, err := s.CancelTask(s.t.Context(), task, "", "")
			return err
		}},
		"deadline": {steps: plain, deadline: time.Second, want: worker.ErrLost, state: state.TaskError},
		"complete by hand": {steps: plain, want: worker.ErrLost, state: state.TaskComplete, act: func(s *shop, _, step uuid.UUID) error {
			_, err := s.CompleteStepManually(s.t.Context(), sqlfn.CompleteStepManuallyParams{StepUUID: step})
			return err
		}},
		"cancel with an undo": {steps: undone, want: worker.ErrCancelled, state: state.TaskCancelled, act: func(s *shop, task, _ uuid.UUID) error {
			_, err := s.CancelTask(s.t.Context(), task, "", "")
			return err
		}},
		"deadline with an undo": {steps: undone, deadline: time.Second, want: worker.ErrCancelled, state: state.TaskError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": test.steps}, pgtest.MaxConns(20))
			w := newWorker(t, s.pool, worker.Config{})
			begun, causes := make(chan uuid.UUID, 1), make(chan error, 1)
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (none, error) {
				begun <- job.StepUUID
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return none{}, context.Cause(ctx)
			})
			worker.Handle(w, "refund", succeed)
			start(t, w)
			request := executor.TaskRequest{Namespace: "shop", Name: "job"}
			if test.deadline > 0 {
				request.Deadline = time.Now().Add(test.deadline)
			}
			creation, err := s.CreateTask(t.Context(), request)
			require.NoError(t, err)
			step := receive(t, begun)
			asked := time.Now()
			if test.act != nil {
				require.NoError(t, test.act(s, creation.TaskUUID, step))
			}
			require.ErrorIs(t, receive(t, causes), test.want)
			require.Less(t, time.Since(asked), atOnce)
			s.wait(creation.TaskUUID, test.state)
			s.sound(creation.TaskUUID)
		})
	}
}

// A handler that does not end when it is told to holds up the undo of its task for what is left of its lease, and no longer.
func TestRun_AHandlerThatGoesOnDoesNotBlockAnUndo(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "compensate": "refund"}]`})
	s.set("lease_seconds", "2")
	w := newWorker(t, s.pool, worker.Config{Lease: time.Hour})
	begun, free := make(chan struct{}, 1), make(chan struct{})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) {
		begun <- struct{}{}
		<-free
		return none{}, nil
	})
	unknown := make(chan bool, 1)
	worker.Handle(w, "refund", func(_ context.Context, job *worker.Job[none]) (none, error) {
		var inputs struct {
			ResultUnknown bool `json:"result_unknown"`
		}
		err := job.Inputs(&inputs)
		unknown <- inputs.ResultUnknown
		return none{}, err
	})
	start(t, w)
	task := s.create("job", `{}`)
	receive(t, begun)
	_, err := s.CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.True(t, receive(t, unknown), "it is undone as a step whose result is not known")
	s.wait(task, state.TaskCancelled)
	close(free)
	until(t, func() bool { return w.Stats().Refused == 1 }, func() string { return "the late result is refused" })
	s.sound(task)
}
