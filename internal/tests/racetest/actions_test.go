package racetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/state"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// scene is a task to which everything can happen at the same time:
//
//	lost     is in progress, and its lease has ended
//	ready    is in the queue
//	waiting  has failed, and its next attempt is due
//	last     waits for these three steps
type scene struct {
	*testing.T
	pool                       *pgxpool.Pool
	worker                     uuid.UUID
	task                       uuid.UUID
	lost, ready, waiting, last uuid.UUID
	claim                      direct.StepClaim // the claim of step lost
}

func newPool(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(6))
	_, err := enginetest.Prepare(t.Context(), pool)
	require.NoError(t, err)
	for _, n := range enginetest.Namespaces {
		_, err = direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(fmt.Sprintf(`{
			"namespace": %q, "name": "race", "identity_strategy": "always_unique", "steps": [
			  {"name": "lost"}, {"name": "ready"}, {"name": "waiting"},
			  {"name": "last", "dependencies": ["lost", "ready", "waiting"]}]}`, n.Name)))
		require.NoError(t, err)
	}
	replayed(t, pool)
	return pool
}

// replayed replays, at the end of the test, the tasks of a pool whose sessions ran at the same time. Tests whose tasks end no
// step (tests of clocks, queues, turns, waits and templates) do not call it, since there is nothing to replay.
func replayed(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	t.Cleanup(func() {
		if !t.Failed() && !t.Skipped() {
			replaytest.Recorded(t, pool)
		}
	})
}

func newScene(t *testing.T, pool *pgxpool.Pool, namespace string) *scene {
	t.Helper()
	s := &scene{T: t, pool: pool, worker: uuid.New()}
	e := direct.New(pool)
	made, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: namespace, Name: "race"})
	require.NoError(t, err)
	s.task = made.TaskUUID
	for i, id := range []*uuid.UUID{&s.lost, &s.ready, &s.waiting, &s.last} {
		*id = s.task
		id[15] = byte(i + 1)
	}
	w, err := e.ClaimStep(t.Context(), s.waiting, s.worker, time.Minute)
	require.NoError(t, err)
	_, err = e.FailSteps(t.Context(), []direct.StepResult{{
		StepClaim: direct.StepClaim{StepUUID: s.waiting, ClaimNo: w.ClaimNo}, Error: "not yet", Backoff: new(time.Second),
	}})
	require.NoError(t, err)
	c, err := e.ClaimStep(t.Context(), s.lost, s.worker, time.Second)
	require.NoError(t, err)
	s.claim = direct.StepClaim{StepUUID: s.lost, ClaimNo: c.ClaimNo}
	_, err = enginetest.Pass(t.Context(), pool, 2*time.Second)
	require.NoError(t, err)
	return s
}

// record records the result of the claimed step by a direct transition, for an orchestrator.
func (s *scene) record() {
	s.Helper()
	moved, err := direct.New(s.pool).TransitionStepStateAtomic(s.Context(), direct.StepMove{
		StepUUID: s.claim.StepUUID, From: state.StepInProgress, To: state.StepEnqueuedForOrchestration, ProcessorUUID: s.worker,
	})
	require.NoError(s, err)
	require.True(s, moved)
}

// action is one call that acts on the task. It returns the answer of the call.
type action func(ctx context.Context, s *scene, e *direct.Executor) (string, error)

var actions = map[string]action{
	"claim": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return claim(ctx, s, e, s.ready)
	},
	"lease end": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return claim(ctx, s, e, s.lost)
	},
	"complete": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		answers, err := e.CompleteSteps(ctx, []direct.StepResult{{StepClaim: s.claim}})
		if err != nil {
			return "", err
		}
		return string(answers[0].Answer), nil
	},
	"complete in a transaction": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return completeStep(ctx, e, s.claim)
	},
	"fail": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		answers, err := e.FailSteps(ctx, []direct.StepResult{{StepClaim: s.claim, Error: "broken"}})
		if err != nil {
			return "", err
		}
		return string(answers[0].Answer), nil
	},
	"cancel": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.CancelTask(ctx, s.task, "", ""))
	},
	"retry": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.RetryStep(ctx, s.waiting, "", ""))
	},
	"finalise": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.FinalizeTaskCompletion(ctx, s.task, uuid.Nil))
	},
	"timer": func(ctx context.Context, s *scene, e *direct.Executor) (string, error) {
		return said(e.FireDueTimers(ctx, 10))
	},
}

func claim(ctx context.Context, s *scene, e *direct.Executor, step uuid.UUID) (string, error) {
	_, err := e.ClaimStep(ctx, step, uuid.New(), time.Minute)
	if errors.Is(err, pgx.ErrNoRows) {
		return "nothing", nil
	}
	return "claimed", err
}

func said[T any](answer T, err error) (string, error) {
	if errors.Is(err, executor.ErrConflict) {
		return "refused", nil
	}
	return fmt.Sprint(answer), err
}

// requireEnd lets workers finish the remaining steps, and checks everything.
func (s *scene) requireEnd() {
	s.Helper()
	s.requireSound()
	e := direct.New(s.pool)
	var held []direct.StepResult
	for turn := 0; ; turn++ {
		require.Less(s, turn, 20, "the task does not end")
		reply, err := e.ExchangeSteps(s.Context(), direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: s.worker, Limit: 10},
		})
		require.NoError(s, err)
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		_, err = e.Orchestrate(s.Context(), 100)
		require.NoError(s, err)
		_, err = enginetest.Pass(s.Context(), s.pool, 30*time.Second)
		require.NoError(s, err)
		task, err := e.GetTask(s.Context(), s.task)
		require.NoError(s, err)
		if task.Complete {
			break
		}
	}
	s.requireSound()
	left, err := enginetest.Remains(s.Context(), s.pool)
	require.NoError(s, err)
	require.Zero(s, left)
}

func (s *scene) requireSound() {
	s.Helper()
	found, err := enginetest.Violations(s.Context(), s.pool, []uuid.UUID{s.task})
	require.NoError(s, err)
	require.Empty(s, found)
}

func sorted[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// completeStep records a result as a handler with a transaction does. If the result is not recorded, it returns the text of
// the error.
func completeStep(ctx context.Context, e *direct.Executor, claim direct.StepClaim) (string, error) {
	answer, err := e.CompleteStep(ctx, claim.StepUUID, claim.ClaimNo, json.RawMessage(`{}`))
	var refused *executor.Error
	switch {
	case err == nil:
		return string(answer), nil
	case !errors.As(err, &refused) || refused.PgError.Code != "TK409":
		return "", err
	case strings.HasSuffix(refused.PgError.Message, "is recorded already"):
		return "already_complete", nil
	}
	_, why, _ := strings.Cut(refused.PgError.Message, "is not recorded: ")
	return why, nil
}
