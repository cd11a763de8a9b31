package ui

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/ui/chart"
	"github.com/pgtasker/pgtasker/internal/ui/graph"
)

// How much of a task one page shows.
const (
	drawnSteps  = 400 // with more steps the graph shows those of the template, if the others are elements of maps
	stepsAtOnce = 200
	scanned     = 1000 // steps that are read at a time where a state is looked for
	eventsShown = 500
)

type taskPage struct {
	Task     executor.TaskDetail
	Progress gen.ExecutionContext
	Done     []segment
	Show     string
	Views    []string
	// Advice says what keeps the task, with what can be done: the explanations of its failed and waiting steps.
	Advice []executor.StepExplanation

	Graph   template.HTML
	TooMany bool
	// Folded is that the graph shows the template's steps, for those of many elements.
	Folded    bool
	Steps     []executor.StepDetail
	StepState string
	States    []string
	NextSteps string
	Timeline  template.HTML
	// Story is the critical path, and Spent where its time went, the most first.
	Story   []gen.TaskStoryPart
	Spent   []spent
	Events  []event
	More    bool
	Audit   []gen.StepAudit
	Signals []gen.SignalDetail
	// Family are the tasks that the task's steps started, and Parent the task whose step started it.
	Family  []gen.TaskTreeNode
	Parent  *gen.TaskTreeNode
	Refused *Problem
	Actions []offer
	Now     time.Time
}

// spent is how much of a task's time went where.
type spent struct {
	Kind  string
	Time  time.Duration
	Share float64
}

// segment is a part of the bar of progress.
type segment struct {
	State string
	Count int64
	X, W  float64
}

// event is one of history, with what came before it.
type event struct {
	executor.TaskEvent
	After string
}

var taskViews = []string{"steps", "timeline", "story", "audit", "data"}

func (q *query) taskUUID() (uuid.UUID, error) {
	return parseUUID("the task", q.r.PathValue("task_uuid"))
}

func loadTask(ctx context.Context, q *query) (page, error) {
	id, err := q.taskUUID()
	if err != nil {
		return page{}, err
	}
	if stepNo(id) != 0 {
		return page{goTo: stepPath(id)}, nil
	}
	t := taskPage{Show: "steps", Views: taskViews, Now: q.now}
	if show := text(q.value("show")); slices.Contains(taskViews, show) {
		t.Show = show
	}
	if t.Task, err = q.GetTask(ctx, id); err != nil {
		return page{}, err
	}
	t.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error {
		found, err := e.GetTaskExecutionContext(ctx, id)
		t.Progress = found
		return err
	})
	if err != nil {
		return page{}, err
	}
	t.Done = t.segments()
	if err := t.readFamily(ctx, q); err != nil {
		return page{}, err
	}
	t.Actions = offersFor(t.Task)
	switch t.Show {
	case "timeline", "story":
		err = t.readHistory(ctx, q)
	case "audit":
		t.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
			t.Audit, err = e.GetTaskAuditHistory(ctx, id, eventsShown)
			return err
		})
	case "data":
		t.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
			t.Signals, err = e.ListSignals(ctx, id, 0, 100)
			return err
		})
	default:
		err = t.readSteps(ctx, q)
	}
	return page{title: t.Task.Name + " " + short(id), data: t}, err
}

// readSteps reads the graph and a part of the list.
func (t *taskPage) readSteps(ctx context.Context, q *query) error {
	t.StepState = text(q.value("state"))
	after := int32(0)
	if _, err := fmt.Sscan(text(q.value("after")), &after); err != nil {
		after = 0
	}
	t.TooMany = t.Task.TotalSteps > drawnSteps
	all := []executor.StepDetail{}
	limit := int32(drawnSteps)
	if t.TooMany {
		limit = stepsAtOnce
		if t.StepState != "" {
			limit = scanned
		}
	}
	for next := after; ; {
		steps, err := q.PageSteps(ctx, t.Task.TaskUUID, next, limit)
		if err != nil {
			return err
		}
		for _, s := range steps {
			next = s.StepNo
			s.Inputs, s.Results, s.Checkpoint = nil, nil, nil
			if t.StepState == "" || string(s.State) == t.StepState || !t.TooMany {
				all = append(all, s)
			}
		}
		if full := len(steps) == int(limit); t.TooMany && full && (t.StepState == "" || len(all) >= stepsAtOnce) {
			t.NextSteps = with(q.r.URL, "after", fmt.Sprint(next))
			break
		} else if !t.TooMany || !full {
			break
		}
	}
	if t.TooMany {
		if err := t.drawFolded(ctx, q); err != nil {
			return err
		}
	} else {
		nodes, err := q.GetStepDAGRelationships(ctx, t.Task.TaskUUID)
		if err != nil {
			return err
		}
		t.Graph = graph.Draw(taskNodes(all, nodes), "Graph of the task's steps")
	}
	for _, s := range all {
		if !slices.Contains(t.States, string(s.State)) {
			t.States = append(t.States, string(s.State))
		}
	}
	if err := t.advise(ctx, q, all); err != nil {
		return err
	}
	if !t.TooMany && t.StepState != "" {
		all = slices.DeleteFunc(all, func(s executor.StepDetail) bool { return string(s.State) != t.StepState })
	}
	t.Steps = all
	return nil
}

// familyShown is how many tasks of a family are shown.
const familyShown = 50

// readFamily reads the tasks that the task's steps started.
func (t *taskPage) readFamily(ctx context.Context, q *query) error {
	tree, err := q.GetTaskTree(ctx, t.Task.TaskUUID, familyShown)
	if err != nil {
		return err
	}
	for i, node := range tree {
		if node.TaskUUID != t.Task.TaskUUID {
			t.Family = append(t.Family, node)
		} else if node.ParentTaskUUID != nil {
			t.Parent = &tree[i]
		}
	}
	return nil
}

// advise reads why the task does not go on: of the steps that failed, of those that wait for an answer, or of the first
// that could run.
func (t *taskPage) advise(ctx context.Context, q *query, steps []executor.StepDetail) error {
	if t.Task.Complete {
		return nil
	}
	const most = 3
	for _, states := range [][]string{{"error"}, {"suspended"}, {"waiting_for_retry"}, {"in_progress", "enqueued"}} {
		for _, s := range steps {
			if !slices.Contains(states, string(s.State)) || len(t.Advice) >= most {
				continue
			}
			why, err := q.ExplainStep(ctx, s.WorkflowStepUUID)
			if err != nil {
				return err
			}
			t.Advice = append(t.Advice, why)
		}
		if len(t.Advice) > 0 {
			return nil
		}
	}
	return nil
}

// readHistory reads what happened, as a story or as bars.
func (t *taskPage) readHistory(ctx context.Context, q *query) error {
	events, err := q.GetTaskHistory(ctx, t.Task.TaskUUID, eventsShown+1)
	if err != nil {
		return err
	}
	if t.More = len(events) > eventsShown; t.More {
		events = events[:eventsShown]
	}
	if t.Show == "timeline" {
		t.Timeline = chart.Timeline(bars(events, t.Task.TaskUUID, q.now, t.More), "Attempts of the task's steps over time")
		t.Refused, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
			t.Story, err = e.GetTaskStory(ctx, t.Task.TaskUUID, storyShown)
			return err
		})
		t.Spent = spentTimes(t.Story)
		return err
	}
	for i, e := range events {
		shown := event{TaskEvent: e}
		if i > 0 {
			if d := e.OccurredAt.Sub(events[0].OccurredAt); d >= time.Millisecond {
				shown.After = "+" + span(d)
			}
		}
		t.Events = append(t.Events, shown)
	}
	return nil
}

// storyShown is how many parts of the critical path are shown.
const storyShown = 200

// spentTimes adds up where the time of a critical path went, the most first.
func spentTimes(parts []gen.TaskStoryPart) (sums []spent) {
	var total time.Duration
	for _, part := range parts {
		took := part.EndedAt.Sub(part.BeganAt)
		total += took
		i := slices.IndexFunc(sums, func(s spent) bool { return s.Kind == part.Kind })
		if i < 0 {
			i = len(sums)
			sums = append(sums, spent{Kind: part.Kind})
		}
		sums[i].Time += took
	}
	for i := range sums {
		sums[i].Share = 100 * float64(sums[i].Time) / float64(max(total, 1))
	}
	slices.SortStableFunc(sums, func(a, b spent) int { return cmp.Compare(b.Time, a.Time) })
	return sums
}

// storyKind says in words where the time of a task went.
func storyKind(kind string) string {
	words, known := map[string]string{
		"start": "until its start", "engine": "in the engine", "workers": "waiting for workers", "running": "running",
		"retry": "waiting for retries", "signal": "waiting for people", "event": "waiting for events", "time": "waiting for a time",
		"task": "waiting for another task", "failed": "failed, waiting for an operator", "unread": "not read",
	}[kind]
	if !known {
		return kind
	}
	return words
}

// segments divides the bar of progress among the states of steps.
func (t *taskPage) segments() (parts []segment) {
	p := t.Progress
	total := float64(max(p.TotalSteps, 1))
	cancelled := p.CancelledSteps
	x := 0.0
	for _, part := range []segment{
		{State: "complete", Count: p.CompletedSteps},
		{State: "in_progress", Count: p.InProgressSteps},
		{State: "enqueued", Count: p.EnqueuedSteps},
		{State: "suspended", Count: p.SuspendedSteps},
		{State: "waiting_for_retry", Count: p.RetryingSteps},
		{State: "error", Count: p.FailedSteps},
		{State: "cancelled", Count: cancelled},
		{State: "pending", Count: p.PendingSteps},
	} {
		if part.Count == 0 {
			continue
		}
		part.X, part.W = x, float64(part.Count)/total*100
		x += part.W
		parts = append(parts, part)
	}
	return parts
}

// urgency orders states by how much one wants to see them.
func urgency(state string) int {
	return slices.Index([]string{"cancelled", "complete", "resolved_manually", "pending", "enqueued", "suspended", "in_progress", "waiting_for_retry", "error"}, state)
}

// bars makes of a history the attempts of each step: from a start, or a suspension, to what ended it.
func bars(events []executor.TaskEvent, task uuid.UUID, now time.Time, cut bool) []chart.Bar {
	var found []chart.Bar
	open := map[int32]int{}
	for _, e := range events {
		if e.StepNo == nil {
			continue
		}
		if at, running := open[*e.StepNo]; running {
			found[at].Until = e.OccurredAt
			found[at].Class, found[at].Said = endOf(e)
			delete(open, *e.StepNo)
		}
		if e.ToState != "in_progress" && e.ToState != "suspended" && e.ToState != "waiting_for_retry" {
			continue
		}
		l := lookOf(e.ToState)
		until := now
		if cut {
			until = e.OccurredAt // It is not known here how it went on.
		}
		step := task
		step[14], step[15] = byte(*e.StepNo>>8), byte(*e.StepNo)
		found = append(found, chart.Bar{
			Row: int(*e.StepNo), Name: text(e.StepName), Href: stepPath(step), From: e.OccurredAt, Until: until,
			Class: l.Class, Said: spaced(e.ToState), Thin: e.ToState != "in_progress",
		})
		open[*e.StepNo] = len(found) - 1
	}
	return found
}

// endOf says how a part of the timeline ended.
func endOf(e executor.TaskEvent) (class, said string) {
	switch {
	case e.FromState == "waiting_for_retry":
		return "warn", "waited for the next attempt"
	case e.FromState == "suspended":
		return "waiting", "waited"
	case e.Error != nil:
		return "failed", "failed: " + cut(*e.Error, 80)
	case e.ToState == "enqueued_as_error_for_orchestration", e.ToState == "waiting_for_retry", e.ToState == "error":
		return "failed", "failed"
	case e.ToState == "cancelled":
		return "off", "cancelled"
	case e.ToState == "enqueued", e.ToState == "pending":
		return "off", "went back to the queue"
	}
	return "done", spaced(e.ToState)
}

// markTask returns what changes when a task does. A claim changes its steps' states, and a result the task's own row.
func markTask(ctx context.Context, q *query) (any, error) {
	id, err := q.taskUUID()
	if err != nil {
		return nil, err
	}
	id = taskOf(id)
	task, err := q.GetTask(ctx, id)
	if err != nil {
		return nil, err
	}
	found, err := q.GetTaskExecutionContext(ctx, id)
	return []any{task.State, task.UpdatedAt, task.OpenSteps, task.ActiveSteps, found}, err
}
