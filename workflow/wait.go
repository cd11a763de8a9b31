package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/kin"
)

// UUID returns the UUID of the step in a task, which the step's function gets as job.StepUUID.
func (s Step[C, R]) UUID(ctx context.Context, db executor.DBTX, task Task[C]) (uuid.UUID, error) {
	if err := s.belongs(task); err != nil {
		return uuid.Nil, err
	}
	if len(s.own) != 1 {
		return uuid.Nil, errors.New("workflow: UUID takes one step of a workflow")
	}
	step, err := executor.NewClient(db).Tasks().Step(ctx, task.UUID, s.own[0].node.step.Name)
	return step.WorkflowStepUUID, err
}

// Wait waits until the step is complete, or was resolved by hand, and returns its result. The task may still run. The error is an
// [*executor.TaskError] if the step cannot get a result. It wraps executor.ErrFailed, ErrCancelled, ErrNoResult if the step was skipped, or
// ErrBlocked if the task is blocked by failures and an operator has to decide. Optional(step).Wait does not return this error, but a Maybe
// whose OK is false. Wait waits as [executor.Tasks.Wait] does: on a pool it listens.
func (s Step[C, R]) Wait(ctx context.Context, db executor.DBTX, task Task[C], options ...executor.WaitOptions) (value R, err error) {
	if err := s.belongs(task); err != nil {
		return value, err
	}
	if isNil(db) {
		return value, s.graph.errNoDatabase()
	}
	for _, e := range s.own {
		_, err := executor.NewClient(db).Tasks().WaitStep(ctx, task.UUID, e.node.step.Name, options...)
		var without *executor.TaskError
		settled := errors.Is(err, executor.ErrFailed) || !errors.Is(err, executor.ErrBlocked)
		if errors.As(err, &without) && s.optional && settled {
			continue
		}
		if err != nil {
			return value, err
		}
	}
	return s.Result(ctx, db, task)
}

// belongs returns an error if the step has a problem, or if the task belongs to another workflow.
func (s Step[C, R]) belongs(task Task[C]) error {
	switch {
	case len(s.problems) > 0:
		return errors.New("workflow: " + s.problems[0])
	case s.read == nil || s.graph == nil || task.graph != s.graph:
		return errors.New("workflow: the step belongs to another workflow than the task")
	}
	return nil
}

// Result returns the current result of the step in a task. The task need not have ended. If the step has no result yet, the error is an
// [*executor.TaskError] that wraps executor.ErrNoResult.
func (s Step[C, R]) Result(ctx context.Context, db executor.DBTX, task Task[C]) (value R, err error) {
	e := executor.New(db)
	detail, err := e.GetTask(ctx, task.UUID)
	if err != nil {
		return value, err
	}
	return s.result(ctx, e, task, detail)
}

func (s Step[C, R]) result(
	ctx context.Context, e *executor.SqlFunctionExecutor, task Task[C], detail executor.TaskDetail,
) (value R, err error) {
	if err := s.belongs(task); err != nil {
		return value, err
	}
	switch {
	case detail.Namespace != s.graph.template.Namespace || detail.Name != s.graph.template.Name:
		return value, fmt.Errorf("%s: task %s belongs to %s/%s", s.graph, task.UUID, detail.Namespace, detail.Name)
	}
	steps, err := e.ListSteps(ctx, task.UUID)
	if err != nil {
		return value, err
	}
	return s.from(detail, steps)
}

// from finds and decodes the step's result among the steps of a task.
func (s Step[C, R]) from(task executor.TaskDetail, steps []executor.StepDetail) (value R, err error) {
	value, err = s.read(func(name string) (json.RawMessage, bool, error) {
		for _, step := range steps {
			if step.Name != name {
				continue
			}
			raw := step.Results
			if n := s.graph.nodes[name]; raw == nil && n != nil && n.step.ForEach != nil {
				raw = instancesOf(name, steps)
			}
			return raw, step.State.SatisfiesDependencies(), nil
		}
		return nil, false, nil
	})
	var missing missingError
	if errors.As(err, &missing) {
		return value, kin.NewTaskError(task, steps, missing.step)
	}
	return value, err
}

// instancesOf joins the results of a map's instances, in the order of the elements.
func instancesOf(name string, steps []executor.StepDetail) json.RawMessage {
	array := []json.RawMessage{}
	for _, step := range steps {
		if strings.HasPrefix(step.Name, name+"[") {
			element := step.Results
			if element == nil {
				element = json.RawMessage("null")
			}
			array = append(array, element)
		}
	}
	raw, err := json.Marshal(array)
	if err != nil {
		return nil // the JSON from PostgreSQL is valid
	}
	return raw
}
