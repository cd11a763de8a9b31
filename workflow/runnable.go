package workflow

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

var _ worker.Runnable[struct{}, int] = Step[struct{}, int]{}

// Asked returns the task that [worker.Run] starts for the step's result: a task of the step's workflow, in the version of this program. No
// other step of the workflow may depend on the step. The workflow must be registered.
func (s Step[C, R]) Asked(context C) (task template.Task, err error) {
	if s.graph == nil {
		return task, errors.New("the step belongs to no workflow")
	}
	if problem := s.graph.lastProblem(s.parent); problem != "" {
		return task, errors.New(problem)
	}
	t := s.graph.seal()
	if err := s.graph.err(); err != nil {
		return task, err
	}
	raw, err := json.Marshal(context)
	if err != nil {
		return task, fmt.Errorf("%s: the context: %w", s.graph, err)
	}
	return template.Task{Namespace: t.Namespace, Name: t.Name, Version: t.Version, Context: raw}, nil
}

// Returned decodes the step's result from the result of a task of its workflow.
func (s Step[C, R]) Returned(result json.RawMessage) (value R, err error) {
	var byName map[string]json.RawMessage
	if err := jsonfit.Decode(result, &byName); err != nil {
		return value, err
	}
	return s.read(func(step string) (json.RawMessage, bool, error) {
		raw, found := byName[step]
		return raw, found, nil
	})
}
