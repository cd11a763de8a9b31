package workflow

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/worker"
)

// Undoing describes the step that a compensation undoes, a step of the same task with a result of type R.
type Undoing[R any] struct {
	// Step is the name of the step. StepUUID is the job.StepUUID that the step's function had, and may have passed to other systems as an
	// idempotency key. In a fork StepUUID is the UUID of the step that ran in the original task.
	Step     string
	StepUUID uuid.UUID
	// Result is the result of the step if Known is true. If Known is false, the step was begun and has no result, and may have had its
	// effect or a part of it.
	Result R
	Known  bool
	// Inputs are the inputs of the step. For an instance of a map they include the element and its index.
	Inputs json.RawMessage
}

// Compensate gives a step a function that undoes the step after the task was cancelled, was given up, or failed by its deadline, by
// staleness or by [FailOnFailure]. The function runs for each step that was done or begun, and first for the steps that depend on others. A
// failed compensation is tried again like any step. The function must also work for a step that had no effect or whose result is unknown:
//
//	charge := workflow.After1(order, "charge", reserve, …)
//	workflow.Compensate(charge, func(ctx context.Context, job *workflow.Job[Order], undo workflow.Undoing[Receipt]) error {
//		return bank.Refund(ctx, undo.StepUUID) // The key that charge passed to the bank: its job.StepUUID.
//	})
//
// In the function, job.StepUUID is the UUID of the compensation. Use it as the idempotency key of the function's own calls.
//
// Each instance of a map has its own compensation: see [CompensateEach].
func Compensate[C, R any](step Step[C, R], f func(ctx context.Context, job *Job[C], undo Undoing[R]) error) {
	compensate(step.parent, undoHandler(f))
}

// CompensateEach is [Compensate] for the instances of a map. Each call gets the result of its element.
func CompensateEach[C, R any](each Step[C, []R], f func(ctx context.Context, job *Job[C], undo Undoing[R]) error) {
	compensate(each.parent, undoHandler(f))
}

// undoHandler makes a handler from the function of a compensation.
func undoHandler[C, R any](f func(ctx context.Context, job *Job[C], undo Undoing[R]) error) func(n *node, to *worker.Worker, handler string) {
	return func(n *node, to *worker.Worker, handler string) {
		worker.Handle(to, handler, func(ctx context.Context, job *worker.Job[C]) (none struct{}, err error) {
			undo, err := undoing[R](&job.Step)
			if err != nil {
				return none, err
			}
			return none, f(ctx, job, undo)
		}, append(n.options, code(f))...)
	}
}

func compensate(p parent, handle func(n *node, to *worker.Worker, handler string)) {
	if len(p.own) != 1 {
		panic("workflow: Compensate takes one step of a workflow")
	}
	n := p.own[0].node
	if n.graph.sealed.Load() {
		panic(fmt.Sprintf("%s: step %q got a compensation after the workflow was used", n.graph, n.step.Name))
	}
	if len(n.step.Await) > 0 {
		n.graph.problem("step %q waits: it has no effect that could be undone", n.step.Name)
	}
	if n.undo != nil {
		n.graph.problem("step %q has two compensations", n.step.Name)
	}
	n.undo = func(to *worker.Worker, handler string) { handle(n, to, handler) }
}

// undoing decodes the inputs of a compensation.
func undoing[R any](step *worker.Step) (undo Undoing[R], _ error) {
	var inputs struct {
		Step           string          `json:"step"`
		StepUUID       uuid.UUID       `json:"step_uuid"`
		Initialization json.RawMessage `json:"initialization"`
		Result         json.RawMessage `json:"result"`
		ResultUnknown  bool            `json:"result_unknown"`
	}
	if err := step.Inputs(&inputs); err != nil {
		return undo, err
	}
	undo.Step, undo.StepUUID, undo.Inputs, undo.Known = inputs.Step, inputs.StepUUID, inputs.Initialization, !inputs.ResultUnknown
	if undo.Known && len(inputs.Result) > 0 {
		if err := json.Unmarshal(inputs.Result, &undo.Result); err != nil {
			misfit := fmt.Errorf("the result of %q %w %T: %w", undo.Step, jsonfit.ErrMisfit, undo.Result, err)
			return undo, &jsonfit.OtherBuildError{Step: undo.Step, Err: misfit}
		}
	}
	return undo, nil
}
