package ui

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

type stepPage struct {
	Task         executor.TaskDetail
	Step         executor.StepDetail
	Why          gen.StepExplanation
	Events       []event
	Audit        []gen.StepAudit
	Dependencies []gen.StepTransitiveDependency
	Kept         []gen.KeptDetail
	KeptMore     bool
	Streams      stepStreams
	Large        int64 // the bytes of a result of more than half of the setting result_bytes
	Refused      *Problem
	Actions      []offer
	Now          time.Time
}

// keptShown is how many of a function's kept results are shown.
const keptShown = 100

// stepUUID returns the step that the path names by its number.
func (q *query) stepUUID() (step uuid.UUID, err error) {
	if step, err = q.taskUUID(); err != nil {
		return step, err
	}
	no, err := strconv.ParseUint(q.r.PathValue("no"), 10, 16)
	if err != nil || no == 0 {
		return step, invalid("A step is a number from 1 to 65535, not "+strconv.Quote(cut(q.r.PathValue("no"), 40))+".", "The task lists its steps.")
	}
	step[14], step[15] = byte(no>>8), byte(no)
	return step, nil
}

// readStep reads the step of the path, with its task.
func (q *query) readStep(ctx context.Context) (task executor.TaskDetail, step executor.StepDetail, err error) {
	id, err := q.stepUUID()
	if err != nil {
		return task, step, err
	}
	if task, err = q.GetTask(ctx, taskOf(id)); err != nil {
		return task, step, err
	}
	steps, err := q.PageSteps(ctx, taskOf(id), int32(stepNo(id)-1), 1) // It is below 65536.
	if err == nil && (len(steps) == 0 || steps[0].WorkflowStepUUID != id) {
		err = &Problem{Status: 404, Code: "TK404", Detail: fmt.Sprintf("Task %s has no step %d.", short(id), stepNo(id)), Hint: "The task lists its steps."}
	}
	if err != nil {
		return task, step, err
	}
	return task, steps[0], nil
}

// largeResult returns the bytes of a result of more than half of the setting result_bytes, and 0 for a smaller one.
func (q *query) largeResult(ctx context.Context, result []byte) (int64, error) {
	if len(result) == 0 {
		return 0, nil
	}
	setting, err := q.GetSetting(ctx, "result_bytes")
	if err != nil {
		return 0, err
	}
	if most, err := strconv.ParseInt(setting, 10, 64); err != nil || int64(len(result)) <= most/2 {
		return 0, err
	}
	return int64(len(result)), nil
}

func loadStep(ctx context.Context, q *query) (page, error) {
	var (
		s   stepPage
		err error
	)
	s.Now = q.now
	if s.Task, s.Step, err = q.readStep(ctx); err != nil {
		return page{}, err
	}
	id := s.Step.WorkflowStepUUID
	if s.Why, err = q.ExplainStep(ctx, id); err != nil {
		return page{}, err
	}
	if s.Dependencies, err = q.GetStepTransitiveDependencies(ctx, id); err != nil {
		return page{}, err
	}
	if len(s.Dependencies) > 50 {
		s.Dependencies = s.Dependencies[:50]
	}
	if s.Kept, err = q.GetKeptResults(ctx, id, 0, keptShown+1); err != nil {
		return page{}, err
	}
	if s.KeptMore = len(s.Kept) > keptShown; s.KeptMore {
		s.Kept = s.Kept[:keptShown]
	}
	if s.Streams, err = q.readStreams(ctx, id); err != nil {
		return page{}, err
	}
	if s.Large, err = q.largeResult(ctx, s.Step.Results); err != nil {
		return page{}, err
	}
	events, err := q.GetStepHistory(ctx, id, eventsShown)
	if err != nil {
		return page{}, err
	}
	for i, e := range events {
		shown := event{TaskEvent: e}
		if i > 0 {
			shown.After = "+" + span(e.OccurredAt.Sub(events[0].OccurredAt))
		}
		s.Events = append(s.Events, shown)
	}
	s.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
		s.Audit, err = e.GetStepAuditHistory(ctx, id)
		return err
	})
	if err != nil {
		return page{}, err
	}
	if s.Actions, err = q.stepActions(ctx, s.Task, s.Step); err != nil {
		return page{}, err
	}
	return page{title: s.Step.Name + " · " + s.Task.Name, data: s}, nil
}
