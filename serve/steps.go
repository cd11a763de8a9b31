package serve

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const stepPath = "/v1/tasks/{task_uuid}/workflow_steps/{step_uuid}"

var stepOperations = group(
	"Steps",
	paged("/v1/tasks/{task_uuid}/workflow_steps", "listSteps", "List the steps of a task by number", listSteps,
		func(_ stepPage, last executor.StepDetail) cursor { return afterNumber("listSteps", int64(last.StepNo)) }).sorted("list_steps"),
	readStep("", "getStep", "Get a step", getStep),
	readStep("/explanation", "explainStep", "Say why a step does or does not run now",
		func(ctx context.Context, e *direct.Executor, in step) (gen.StepExplanation, error) {
			return e.ExplainStep(ctx, in.StepUUID)
		}),
	paged(stepPath+"/history", "getStepHistory", "List the transitions of a step, in order, each with a sentence",
		onStep(func(ctx context.Context, e *direct.Executor, in pageOfStep) ([]gen.TaskEvent, error) {
			after, err := in.Cursor.sortKey("getStepHistory")
			if err != nil {
				return nil, err
			}
			return e.PageStepHistory(ctx, in.StepUUID, in.Limit, after)
		}),
		func(_ pageOfStep, last gen.TaskEvent) cursor {
			return afterNumber("getStepHistory", int64(last.SortKey))
		}),
	paged(stepPath+"/audit", "getStepAudit", "List the results that were recorded for a step, newest first",
		onStep(func(ctx context.Context, e *direct.Executor, in pageOfStep) ([]gen.StepAudit, error) {
			before, err := in.Cursor.sortKey("getStepAudit")
			if err != nil {
				return nil, err
			}
			return e.PageStepAuditHistory(ctx, in.StepUUID, in.Limit, before)
		}),
		func(_ pageOfStep, last gen.StepAudit) cursor {
			return afterNumber("getStepAudit", int64(last.SortKey))
		}),
	paged(stepPath+"/kept", "getKeptResults", "List what the function of a step has kept, in the order of its calls",
		onStep(func(ctx context.Context, e *direct.Executor, in pageOfStep) ([]gen.KeptDetail, error) {
			after, err := in.Cursor.sortKey("getKeptResults")
			if err != nil {
				return nil, err
			}
			return e.GetKeptResults(ctx, in.StepUUID, value(after), in.Limit)
		}),
		func(_ pageOfStep, last gen.KeptDetail) cursor {
			return afterNumber("getKeptResults", int64(last.Position))
		}).
		and("The results of the calls of a durable function, each with its value or its error. Empty for every other handler."),
	readStep("/wait", "getStepWait", "Say what a suspended step waits for",
		func(ctx context.Context, e *direct.Executor, in step) (stepWaitBody, error) {
			wait, found, err := e.GetStepWait(ctx, in.StepUUID)
			if !found {
				return stepWaitBody{}, err
			}
			return stepWaitBody{&wait}, nil
		}).
		and("What the template's await or its durable function waits for: signals and times. Null if the step does not wait, or for its "+
			"child task only."),
	listOfStep("/dependencies", "getStepDependencies", "List the steps that a step depends on, directly or not",
		func(ctx context.Context, e *direct.Executor, in step) ([]gen.StepTransitiveDependency, error) {
			return e.GetStepTransitiveDependencies(ctx, in.StepUUID)
		}),
	writeStep("/retry", "retryStep", "Let a failed step be tried again", func(ctx context.Context, e *direct.Executor, in stepAction) (changedBody, error) {
		return changed(e.RetryStep(ctx, in.StepUUID, value(in.Reason), value(in.Actor)))
	}),
	inBatches(write(http.MethodPost, "/v1/steps/retry", "retrySteps", "Retry the steps that match every filter given, the oldest task first", retrySteps).
		and("A filter or a selection is required. One request is one batch and one transaction. Each item says what became of a step; "+
			"with dry_run it is only found. Send next_cursor as cursor, with the same filters, until it is null.").mayRefuse(http.StatusPreconditionRequired)),
	writeStep("/complete", "completeStep", "Complete a step with results", func(ctx context.Context, e *direct.Executor, in stepCompletion) (changedBody, error) {
		if in.Results == nil {
			in.Results = json.RawMessage("null")
		}
		return changed(e.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{
			StepUUID: in.StepUUID, Results: in.Results, Reason: value(in.Reason), Actor: value(in.Actor),
		}))
	}),
	listOfStep("/rerun", "previewRerun", "List the steps that run again with a step",
		func(ctx context.Context, e *direct.Executor, in step) ([]gen.StepRerun, error) {
			return e.PreviewRerun(ctx, in.StepUUID)
		}).
		and("The step and all that depend on it, directly or not; the instances of a map that begins again are replaced."),
	writeStep("/rerun", "rerunStep", "Correct a result: let a step run again, with all that depends on it",
		func(ctx context.Context, e *direct.Executor, in stepRerun) (changedBody, error) {
			return changed(e.RerunStep(ctx, sqlfn.RerunStepParams{
				StepUUID: in.StepUUID, Reason: in.Reason, Actor: value(in.Actor), Results: in.Results,
			}))
		}).
		and("A task that is complete or has failed is open again. The former results stay in the audit, with the reason. With results "+
			"the step does not run: it has them, and only what depends on it runs again."),
	writeStep("/resolve", "resolveStep", "Declare a step resolved by hand, without results",
		func(ctx context.Context, e *direct.Executor, in stepAction) (changedBody, error) {
			return changed(e.ResolveStepManually(ctx, in.StepUUID, value(in.Reason), value(in.Actor)))
		}),
)

// stepWaitBody is the wait of a step.
type stepWaitBody struct {
	Wait *gen.WaitDetail `json:"wait" doc:"Null if the step waits for nothing of that kind."`
}

// step names a step and its task.
type step struct {
	TaskUUID uuid.UUID `path:"task_uuid" json:"-" doc:"The task."`
	StepUUID uuid.UUID `path:"step_uuid" json:"-" doc:"The step."`
}

// check refuses a step of another task: the UUIDs of a task and its steps differ in their last 16 bits.
func (s step) check() error {
	if [14]byte(s.TaskUUID[:14]) != [14]byte(s.StepUUID[:14]) {
		return &problemBody{
			Status: http.StatusNotFound, Code: "TK404", Detail: "task " + s.TaskUUID.String() + " has no step " + s.StepUUID.String(),
			Hint: "GET /v1/tasks/{task_uuid}/workflow_steps lists its steps.",
		}
	}
	return nil
}

type checked interface{ check() error }

type stepAction struct {
	step
	intent
}

type stepCompletion struct {
	stepAction
	Results json.RawMessage `json:"results,omitempty" doc:"What the steps after it find; null if it is left out."`
}

type stepRerun struct {
	step
	Reason  string          `json:"reason" required:"true" doc:"Why the result is wrong: the history keeps it beside the result."`
	Actor   *string         `json:"actor,omitempty" doc:"Who does it, in words of the caller."`
	Results json.RawMessage `json:"results,omitempty" doc:"The right result; left out, the step runs again."`
}

func readStep[In checked, Out any](path, id, summary string, call do[In, Out]) operation {
	return read(stepPath+path, id, summary, onStep(call))
}

func listOfStep[In checked, Row any](path, id, summary string, call do[In, []Row]) operation {
	return list(stepPath+path, id, summary, onStep(call))
}

func writeStep[In checked, Out any](path, id, summary string, call do[In, Out]) operation {
	return write(http.MethodPost, stepPath+path, id, summary, onStep(call))
}

// onStep calls for a step of the task that the request names.
func onStep[In checked, Out any](call do[In, Out]) do[In, Out] {
	return func(ctx context.Context, e *direct.Executor, in In) (out Out, err error) {
		if err := in.check(); err != nil {
			return out, err
		}
		return call(ctx, e, in)
	}
}

// pageOfStep is a page of a list of a step.
type pageOfStep struct {
	step
	paging
}

type stepPage struct {
	task
	paging
}

func listSteps(ctx context.Context, e *direct.Executor, in stepPage) ([]executor.StepDetail, error) {
	after, err := in.Cursor.number("listSteps")
	if err != nil {
		return nil, err
	}
	first := int32(0)
	if after != nil {
		first = int32(min(*after, 1<<16))
	}
	return e.PageSteps(ctx, in.TaskUUID, first, in.Limit)
}

func getStep(ctx context.Context, e *direct.Executor, in step) (executor.StepDetail, error) {
	// The last 16 bits of a step's UUID are its number. So the page begins after the preceding number.
	before := int32(binary.BigEndian.Uint16(in.StepUUID[14:])) - 1
	steps, err := e.PageSteps(ctx, in.TaskUUID, before, 1)
	if err == nil && (len(steps) == 0 || steps[0].WorkflowStepUUID != in.StepUUID) {
		_, err = e.GetCurrentStepState(ctx, in.StepUUID) // The database says that there is no such step.
		return executor.StepDetail{}, err
	}
	if err != nil {
		return executor.StepDetail{}, err
	}
	return steps[0], nil
}
