package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// takeOver gives a running step to another worker, as if its lease had ended. It is one transaction, so that the worker, which
// may be renewing its lease, does not claim the step in between.
func (s *shop) takeOver(step uuid.UUID) (claim direct.StepClaim) {
	s.t.Helper()
	require.NoError(s.t, pgx.BeginFunc(s.t.Context(), s.pool, func(tx pgx.Tx) error {
		var mine int32
		err := tx.QueryRow(s.t.Context(), "select claim_no from tasker.workflow_steps where workflow_step_uuid = $1", step).Scan(&mine)
		if err != nil {
			return err
		}
		e := direct.New(tx)
		answers, err := e.ReleaseSteps(s.t.Context(), []direct.StepClaim{{StepUUID: step, ClaimNo: mine}})
		if err != nil {
			return err
		}
		require.EqualValues(s.t, "released", answers[0].Answer)
		claimed, err := e.ClaimStep(s.t.Context(), step, uuid.New(), time.Minute)
		claim = direct.StepClaim{StepUUID: step, ClaimNo: claimed.ClaimNo}
		return err
	}))
	return claim
}

// requireTheOthers fails the test unless the worker's result was dropped and the other worker's result was recorded.
func (s *shop) requireTheOthers(task uuid.UUID, w *worker.Worker, claim direct.StepClaim) {
	s.t.Helper()
	until(s.t, func() bool { return w.Stats().Refused == 1 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
	require.Zero(s.t, w.Stats().Completed)
	require.Equal(s.t, state.StepInProgress, s.step(task, "work").State)
	_, err := s.CompleteSteps(s.t.Context(), []direct.StepResult{{StepClaim: claim, Results: json.RawMessage(`"in time"`)}})
	require.NoError(s.t, err)
	require.JSONEq(s.t, `"in time"`, string(s.step(task, "work").Results))
	s.sound(task)
}

func TestRun_AHandlerWhoseStepIsLostIsToldAtTheNextRenewal(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	w := newWorker(t, s.pool, worker.Config{Lease: briefly, Concurrency: 1})
	begun, causes := make(chan uuid.UUID, 1), make(chan error, 1)
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		begun <- job.StepUUID
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return "too late", nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	claim := s.takeOver(receive(t, begun))
	require.ErrorIs(t, receive(t, causes), worker.ErrLost)
	s.requireTheOthers(task, w, claim)
}

func TestRun_AResultThatComesTooLateIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	log := &journal{}
	w := newWorker(t, s.pool, worker.Config{Concurrency: 1, Logger: log.logger()}) // no renewal reports the loss in time
	begun, finish := make(chan uuid.UUID, 1), make(chan struct{})
	worker.Handle(w, "work", func(_ context.Context, job *worker.Job[none]) (string, error) {
		begun <- job.StepUUID
		<-finish
		return "too late", nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	claim := s.takeOver(receive(t, begun))
	close(finish)
	s.requireTheOthers(task, w, claim)
	log.says(t, "a result came too late or was refused")
}

func TestCheckpoint_TellsThatTheStepIsLostOrCancelled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		end  func(s *shop, task, step uuid.UUID)
		want error
	}{
		{"lost", func(s *shop, _, step uuid.UUID) { s.takeOver(step) }, worker.ErrLost},
		{"cancelled", func(s *shop, task, _ uuid.UUID) {
			_, err := s.CancelTask(s.t.Context(), task, "", "")
			require.NoError(s.t, err)
		}, worker.ErrCancelled},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": single})
			w := newWorker(t, s.pool, worker.Config{Concurrency: 1})
			begun, ended := make(chan uuid.UUID, 1), make(chan struct{})
			said, causes := make(chan error, 1), make(chan error, 1)
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (none, error) {
				begun <- job.StepUUID
				<-ended
				err := job.Checkpoint(ctx, 1)
				said <- err
				causes <- context.Cause(ctx)
				return none{}, err
			})
			start(t, w)
			task := s.create("job", `{}`)
			test.end(s, task, receive(t, begun))
			close(ended)
			require.ErrorIs(t, receive(t, said), test.want)
			require.ErrorIs(t, receive(t, causes), test.want, "the context ends with the same cause")
			until(t, func() bool { return w.Stats().Refused == 1 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
			s.sound(task)
		})
	}
}
