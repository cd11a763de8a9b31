package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/state"
)

// Wait waits until a task has ended and returns the step's result in it. It is a [*NoResultError] if the step has none;
// Optional(step).Wait makes do with that. A task that is blocked by failures has not ended, since an operator can make it
// go on: give ctx an end. db must not be a transaction above READ COMMITTED, which would never see a change.
func (s Step[C, R]) Wait(ctx context.Context, db executor.DBTX, task Task[C], config executor.WatchConfig) (value R, err error) {
	e := executor.New(db)
	detail, err := e.WaitForTask(ctx, task.UUID, config)
	if err != nil {
		return value, err
	}
	return s.result(ctx, e, task, detail)
}

// Result returns the result that the step has now in a task, which need not have ended. It is a [*NoResultError] if
// it has none yet.
func (s Step[C, R]) Result(ctx context.Context, db executor.DBTX, task Task[C]) (value R, err error) {
	e := executor.New(db)
	detail, err := e.GetTask(ctx, task.UUID)
	if err != nil {
		return value, err
	}
	return s.result(ctx, e, task, detail)
}

func (s Step[C, R]) result(
	ctx context.Context, e *executor.SqlFunctionExecutor, task Task[C], detail gen.TaskDetail,
) (value R, err error) {
	switch {
	case len(s.problems) > 0:
		return value, errors.New("workflow: " + s.problems[0])
	case s.read == nil || s.graph == nil || task.graph != s.graph:
		return value, errors.New("workflow: the step belongs to another workflow than the task")
	case detail.Namespace != s.graph.template.Namespace || detail.Name != s.graph.template.Name:
		return value, fmt.Errorf("%s: task %s belongs to %s/%s", s.graph, task.UUID, detail.Namespace, detail.Name)
	}
	steps, err := e.ListSteps(ctx, task.UUID)
	if err != nil {
		return value, err
	}
	return s.from(detail, steps)
}

// from reads the step's result from the steps of a task.
func (s Step[C, R]) from(task gen.TaskDetail, steps []gen.StepDetail) (value R, err error) {
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
		return value, noResult(missing.step, task, steps)
	}
	return value, err
}

// instancesOf puts the results of a map's instances together, in the order of the elements.
func instancesOf(name string, steps []gen.StepDetail) json.RawMessage {
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
		return nil // PostgreSQL's JSON is valid
	}
	return raw
}

// NoResultError says that a step has no result, and why.
type NoResultError struct {
	TaskUUID  uuid.UUID
	TaskState state.TaskState
	Step      string
	// StepState is empty if the task has no such step: it is of another version.
	StepState state.StepState
	// FailedStep is the first step that failed for good, and LastError its error.
	FailedStep string
	LastError  string
}

func noResult(name string, task gen.TaskDetail, steps []gen.StepDetail) *NoResultError {
	e := &NoResultError{TaskUUID: task.TaskUUID, TaskState: task.State, Step: name}
	for _, step := range steps {
		if step.Name == name {
			e.StepState = step.State
		}
		if step.State == state.StepError && e.FailedStep == "" {
			e.FailedStep = step.Name
			if step.LastError != nil {
				e.LastError = *step.LastError
			}
		}
	}
	return e
}

func (e *NoResultError) Error() string {
	text := fmt.Sprintf("task %s is %s, and its step %q has no result: it is %s", e.TaskUUID, e.TaskState, e.Step, e.StepState)
	if e.StepState == "" {
		text = fmt.Sprintf("task %s is %s, and has no step %q", e.TaskUUID, e.TaskState, e.Step)
	}
	if e.FailedStep != "" {
		text += fmt.Sprintf("; %q failed: %s", e.FailedStep, e.LastError)
	}
	return text
}
