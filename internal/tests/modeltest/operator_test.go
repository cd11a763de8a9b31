package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// operator makes the calls of operators at random.
type operator struct {
	*crowd
	no uint64
}

func (o operator) run(ctx context.Context) error {
	r := rand.New(rand.NewPCG(o.seed, 1000+o.no))
	e := direct.New(o.pool)
	for i := range 60 {
		task := o.ids[r.IntN(len(o.ids))]
		step := stepID(task, r.IntN(len(o.plan.steps)))
		var err error
		switch r.IntN(22) {
		case 0:
			if r.IntN(3) == 0 {
				_, err = e.CancelTask(ctx, task, "", "")
			}
		case 1, 2:
			_, err = e.ResetTask(ctx, task, "", "")
		case 3, 4:
			_, err = e.RetryStep(ctx, step, "", "")
		case 5:
			_, err = e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{
				StepUUID: step, Results: randomResults(r).json(), Reason: "done by hand",
			})
		case 6:
			_, err = e.ResolveStepManually(ctx, step, "", "")
		case 7:
			_, err = e.GiveUpTask(ctx, task, "", "")
		case 8:
			_, err = e.PauseNamespace(ctx, o.plan.namespace)
		case 9, 10:
			_, err = e.ResumeNamespace(ctx, o.plan.namespace)
		case 11:
			_, err = e.AddSteps(ctx, task, json.RawMessage(fmt.Sprintf(
				`[{"name": "more%d", "handler": "a", "dependencies": ["%s"]}]`, i, o.plan.steps[r.IntN(len(o.plan.steps))].name)))
		case 12:
			_, err = e.AdvanceTask(ctx, task)
		case 13:
			_, err = e.FinalizeTaskCompletion(ctx, task, uuid.Nil)
		case 14:
			err = o.claimAndKeep(ctx, e, step)
		case 15:
			_, err = e.AddStepEdge(ctx, sqlfn.AddStepEdgeParams{FromStepUUID: stepID(task, r.IntN(len(o.plan.steps))), ToStepUUID: step})
		case 16:
			_, err = e.SetStepBackoffAtomic(ctx, step, float64(r.Int32N(20)))
		case 17:
			err = o.moveStep(ctx, e, r, step)
		case 18:
			err = o.moveTask(ctx, e, r, task)
		case 19, 20:
			g := executor.Signal{Name: signalNames[r.IntN(len(signalNames))], Payload: randomResults(r).json()}
			if r.IntN(2) == 0 {
				g.IdempotencyKey = fmt.Sprint("k", r.IntN(5))
			}
			_, err = e.SendSignal(ctx, task, g)
		default:
			_, err = e.ClaimTaskForFinalization(ctx, task, uuid.New(), 0)
		}
		// The call may not be possible at that moment.
		if err != nil && !errors.Is(err, executor.ErrConflict) && !errors.Is(err, executor.ErrInvalid) && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
	}
	return nil
}

// claimAndKeep claims one step, saves a checkpoint and renews its lease. The step is lost after that.
func (o operator) claimAndKeep(ctx context.Context, e *direct.Executor, step uuid.UUID) error {
	claimed, err := e.ClaimStep(ctx, step, uuid.New(), 5*time.Second)
	if err != nil {
		return err
	}
	c := direct.StepClaim{StepUUID: step, ClaimNo: claimed.ClaimNo}
	if _, err := e.CheckpointStep(ctx, c, json.RawMessage(`{"page": 3}`), 5*time.Second); err != nil {
		return err
	}
	_, err = e.ExtendLeases(ctx, []direct.StepClaim{c}, 5*time.Second)
	return err
}

// moveStep makes any transition that the step's state allows.
func (o operator) moveStep(ctx context.Context, e *direct.Executor, r *rand.Rand, step uuid.UUID) error {
	from, err := e.GetCurrentStepState(ctx, step)
	if err != nil {
		return err
	}
	all, err := e.ListStepTransitions(ctx)
	if err != nil {
		return err
	}
	for _, i := range r.Perm(len(all)) {
		if m := all[i]; m.FromState == from {
			_, err = e.TransitionStepStateAtomic(ctx, direct.StepMove{
				StepUUID: step, From: from, To: m.ToState, Metadata: json.RawMessage(fmt.Sprintf(`{"event": %q}`, m.Event)),
			})
			return err
		}
	}
	return nil
}

// moveTask makes any transition that the task's state allows.
func (o operator) moveTask(ctx context.Context, e *direct.Executor, r *rand.Rand, task uuid.UUID) error {
	from, err := e.GetCurrentTaskState(ctx, task)
	if err != nil {
		return err
	}
	all, err := e.ListTaskTransitions(ctx)
	if err != nil {
		return err
	}
	for _, i := range r.Perm(len(all)) {
		if m := all[i]; m.FromState == from {
			_, err = e.TransitionTaskStateAtomic(ctx, direct.TaskMove{
				TaskUUID: task, From: from, To: m.ToState, Metadata: json.RawMessage(fmt.Sprintf(`{"event": %q}`, m.Event)),
			})
			return err
		}
	}
	return nil
}
