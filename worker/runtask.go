package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/jsonfit"
	"github.com/pgtasker/pgtasker/template"
)

// Runnable is work that [Run] does in a separate task. The context of the task has the type K, and its result the type R. The last step of
// a workflow is a Runnable.
type Runnable[K, R any] interface {
	// Asked returns the task that does the work.
	Asked(context K) (template.Task, error)
	// Returned makes the result of the work from the results of the task's last steps, by name.
	Returned(result json.RawMessage) (R, error)
}

// Run starts a task, waits for its end and returns its result. The argument work is the last step of the task's workflow:
//
//	label := workflow.After1(shipping, "label", pack, print) // shipping's context is a Parcel, label's result a Tag
//	…
//	tag, err := worker.Run(ctx, job, "ship", label, Parcel{Order: 17})
//
// Meanwhile the step is suspended, as by [Sleep]. The task is started once, even if workers are lost. Its result is kept under the name of
// the call, and the number of the call among calls with the same name. The error is a [KeptError] if the task ended without a result,
// because it failed or was cancelled, or if it could not be started. To try again, call Run again: the new call starts another task. If the
// task is blocked by a failure, Run waits until an operator has decided.
//
// If the step ends before the task, because its own task is cancelled or has failed, the started task is cancelled.
func Run[K, R any](ctx context.Context, job AnyJob, name string, work Runnable[K, R], input K) (R, error) {
	results, err := runAll(ctx, job.step(), fmt.Sprintf("Run(%q)", name), name, work, []K{input})
	if results == nil {
		return *new(R), err
	}
	return results[0], err
}

// RunAll is [Run] for up to 1,000 tasks at once. It starts a task for each input, waits until all tasks have ended, and returns their
// results in the order of the inputs. A task without a result has the zero value as its result, and the error joins a [KeptError] for each
// such task.
func RunAll[K, R any](ctx context.Context, job AnyJob, name string, work Runnable[K, R], inputs []K) ([]R, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	return runAll(ctx, job.step(), fmt.Sprintf("RunAll(%q)", name), name, work, inputs)
}

// taskEnd is the result of a task, or its error.
type taskEnd struct {
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

func runAll[K, R any](ctx context.Context, s *Step, what, name string, work Runnable[K, R], inputs []K) ([]R, error) {
	leave, err := s.enter(what)
	if err != nil {
		return nil, err
	}
	defer leave()
	s.named(name)
	call := s.call("$run." + name)
	kept, found := s.recall(call)
	if !found {
		kept = s.runTasks(call, asked(s, what, work, inputs))
	}
	var ends struct {
		Tasks []taskEnd `json:"tasks"`
		Error string    `json:"error"`
	}
	if err := jsonfit.Decode(kept.Value, &ends); err != nil {
		s.misfit(kept.Name, err)
	}
	if ends.Error != "" {
		return nil, &KeptError{Name: name, Text: ends.Error}
	}
	if len(ends.Tasks) != len(inputs) {
		s.misfit(kept.Name, fmt.Errorf("has the ends of %d tasks, and the function asks for %d", len(ends.Tasks), len(inputs)))
	}
	results := make([]R, len(inputs))
	var failed []error
	for i, end := range ends.Tasks {
		if end.Error != "" {
			failed = append(failed, &KeptError{Name: name, Text: end.Error})
			continue
		}
		if results[i], err = work.Returned(end.Result); err != nil {
			s.misfit(kept.Name, err)
		}
	}
	if len(inputs) == 1 && len(failed) == 1 {
		return results, failed[0]
	}
	return results, errors.Join(failed...)
}

// asked returns the tasks of a call.
func asked[K, R any](s *Step, what string, work Runnable[K, R], inputs []K) []template.Task {
	tasks := make([]template.Task, len(inputs))
	for i, input := range inputs {
		task, err := work.Asked(input)
		if err != nil {
			s.stop(Permanent(fmt.Errorf("%s: %w", what, err)))
		}
		tasks[i] = task
	}
	return tasks
}

// runTasks suspends the step until its tasks have ended, and ends the run.
func (s *Step) runTasks(call direct.KeptCall, tasks []template.Task) keptResult {
	raw, err := encode(struct {
		Tasks []template.Task `json:"tasks"`
	}{tasks})
	if err != nil {
		s.stop(Permanent(fmt.Errorf("the tasks of %q: %w", call.Name, err)))
	}
	answer, err := s.function.world.SuspendStep(s.ctx, s.claim(), call, raw)
	return s.took(call, answer, err)
}
