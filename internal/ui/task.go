package ui

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/ui/chart"
	"github.com/pgtasker/pgtasker/internal/ui/graph"
)

// These bound how much of a task a page shows.
const (
	drawnSteps  = 1000 // with more steps the graph shows the template's steps, if the others are elements of maps
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
	// Troubles are the obstacles of the task with their remedies: its failed steps, or its waiting steps.
	Troubles []trouble

	Graph   template.HTML
	Legend  template.HTML
	TooMany bool
	// Folded says that the graph shows the template's steps, each for many elements. Whole is the address at which a folded
	// graph is shown whole. Fold is the address at which a whole graph is folded.
	Folded      bool
	Whole, Fold string
	// Failing says that a node of the graph has failed.
	Failing   bool
	Steps     []executor.StepDetail
	StepState string
	NextSteps string
	Timeline  template.HTML
	// Story is the critical path. Spent divides its time by cause, the largest part first.
	Story  []gen.TaskStoryPart
	Spent  []spent
	Events []event
	More   bool
	// Last says that the timeline shows the last attempts only, and only the failed elements of maps.
	Last    bool
	Audit   []gen.StepAudit
	Signals []gen.SignalDetail
	// Pause is the call that has paused the task. It is nil if the task is not paused, or if the reader may not read the log.
	Pause *gen.AdministrationEntry
	// Attributes are those that the template declares, by name.
	Attributes map[string]gen.AttributeValue
	// Family are the tasks that the task's steps started, and Parent the task whose step started it.
	Family  []gen.TaskTreeNode
	Parent  *gen.TaskTreeNode
	Refused *Problem
	Actions []offer
	Now     time.Time
}

// spent is a part of a task's time with its cause.
type spent struct {
	Kind  string
	Time  time.Duration
	Share float64
}

// trouble is a step that holds up a task, with the reason and the remedy.
type trouble struct {
	gen.StepExplanation
	// Below is the chain of child tasks that the step waits for, down to the task that holds the step up.
	Below []trouble
	// Alike is the number of other steps of the task in the same state.
	Alike    int
	FailedAt *time.Time
	Incident *gen.IncidentDetail
	Actions  []offer
}

// Why is the explanation for people.
func (t trouble) Why() string { return forPeople(t.Summary) }

// segment is a part of the bar of progress.
type segment struct {
	State string
	Count int64
	X, W  float64
}

// event is an event of the history, with the time since the event before.
type event struct {
	gen.TaskEvent
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
	attributes, err := q.readAttributes(ctx, []executor.TaskDetail{t.Task})
	if err != nil {
		return page{}, err
	}
	t.Attributes = attributes[id]
	if t.Pause, err = q.readPause(ctx, t.Task); err != nil {
		return page{}, err
	}
	t.Done = t.segments(0)
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
	} else {
		after = 0
	}
	for next := after; ; {
		steps, err := q.PageSteps(ctx, t.Task.TaskUUID, next, limit)
		if err != nil {
			return err
		}
		for _, s := range steps {
			next = s.StepNo
			s.Inputs, s.Results, s.Checkpoint = nil, nil, nil
			if t.StepState == "" || shownState(s) == t.StepState || !t.TooMany {
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
	if err := t.draw(ctx, q, all); err != nil {
		return err
	}
	t.countFailed(all)
	if err := t.explain(ctx, q, all); err != nil {
		return err
	}
	if !t.TooMany {
		all = slices.DeleteFunc(all, func(s executor.StepDetail) bool { return t.StepState != "" && shownState(s) != t.StepState })
		if from, err := strconv.Atoi(text(q.value("after"))); err == nil {
			all = slices.DeleteFunc(all, func(s executor.StepDetail) bool { return int(s.StepNo) <= from })
		}
		if len(all) > stepsAtOnce {
			all = all[:stepsAtOnce]
			t.NextSteps = with(q.r.URL, "after", fmt.Sprint(all[stepsAtOnce-1].StepNo))
		}
	}
	t.Steps = all
	if !q.order.on {
		return nil
	}
	// The graph needs the steps by number, the table in its own order.
	size := stepsAtOnce
	if t.StepState != "" {
		size = scanned
	}
	listed, limit := q.paged(ctx, int32(size))
	sorted, err := q.PageSteps(listed, t.Task.TaskUUID, 0, limit)
	if t.NextSteps = ""; len(sorted) > size {
		sorted, t.NextSteps = sorted[:size], q.next(size)
	}
	t.Steps = slices.DeleteFunc(sorted, func(s executor.StepDetail) bool { return t.StepState != "" && shownState(s) != t.StepState })
	return err
}

// draw draws the whole graph, or folds the steps that need no person.
func (t *taskPage) draw(ctx context.Context, q *query, all []executor.StepDetail) error {
	if t.TooMany {
		return t.drawFolded(ctx, q)
	}
	dag, err := q.GetStepDAGRelationships(ctx, t.Task.TaskUUID)
	if err != nil {
		return err
	}
	nodes := taskNodes(all, dag)
	if len(nodes) > foldAbove {
		if text(q.value("graph")) == "whole" {
			t.Fold = with(q.r.URL, "graph", "")
		} else {
			t.Whole = with(q.r.URL, "graph", "whole")
			nodes = foldNodes(nodes, func(state string) string { return taskPath(t.Task.TaskUUID) + "?state=" + state + "#steps" })
		}
	}
	t.Failing = slices.ContainsFunc(nodes, func(n graph.Node) bool { return n.Class == "failed" })
	t.Graph, t.Legend = graph.Draw(nodes, "Graph of the task's steps"), graph.Legend(nodes)
	return nil
}

// countFailed counts the elements that maps were allowed to lose as failed, not as cancelled.
func (t *taskPage) countFailed(all []executor.StepDetail) {
	failed := int64(0)
	for _, s := range all {
		if shownState(s) == "failed" {
			failed++
		}
	}
	if failed > 0 && !t.TooMany {
		t.Progress.CancelledSteps -= failed
		t.Done = t.segments(failed)
	}
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

// troublesShown is how many of the steps that hold up a task are explained.
const troublesShown = 3

// explain reads the reason why the task does not go on. The reason comes from the failed steps, from the steps that
// wait for an answer, or from the first step that could run.
func (t *taskPage) explain(ctx context.Context, q *query, steps []executor.StepDetail) error {
	if t.Task.Complete && t.Task.State != "error" {
		return nil
	}
	for _, states := range [][]string{{"error"}, {"suspended"}, {"waiting_for_retry"}, {"in_progress", "enqueued"}} {
		for _, s := range steps {
			if !slices.Contains(states, string(s.State)) {
				continue
			}
			if len(t.Troubles) == troublesShown {
				t.Troubles[troublesShown-1].Alike++
				continue
			}
			found, err := q.explainTrouble(ctx, t.Task, s)
			if err != nil {
				return err
			}
			t.Troubles = append(t.Troubles, found)
		}
		if len(t.Troubles) > 0 {
			return nil
		}
	}
	return nil
}

// explainTrouble reads the reason why a step does not go on, the incident to which it belongs, and the child tasks
// for which it waits.
func (q *query) explainTrouble(ctx context.Context, task executor.TaskDetail, s executor.StepDetail) (found trouble, err error) {
	if found.StepExplanation, err = q.ExplainStep(ctx, s.WorkflowStepUUID); err != nil {
		return found, err
	}
	found.FailedAt = s.LastFailureAt
	if found.Actions, err = q.stepActions(ctx, task, s); err != nil {
		return found, err
	}
	if string(s.State) == "error" || string(s.State) == "waiting_for_retry" {
		_, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error {
			name, err := e.GetStepIncident(ctx, s.WorkflowStepUUID)
			if err != nil || name == "" {
				return err
			}
			incidents, err := e.ListIncidents(ctx, name, 1)
			if len(incidents) > 0 {
				found.Incident = &incidents[0]
			}
			return err
		})
		return found, err
	}
	const deepestChild = 5
	for child := s.ChildTaskUUID; child != nil && len(found.Below) < deepestChild && string(s.State) == "suspended"; child = s.ChildTaskUUID {
		task, err := q.GetTask(ctx, *child)
		if err != nil {
			return found, nil // The sentence names the task, which the reader may not see.
		}
		steps, err := q.PageSteps(ctx, *child, 0, stepsAtOnce)
		if err != nil {
			return found, err
		}
		at := -1
		for _, state := range []string{"error", "suspended", "waiting_for_retry", "in_progress", "enqueued"} {
			if at = slices.IndexFunc(steps, func(s executor.StepDetail) bool { return string(s.State) == state }); at >= 0 {
				break
			}
		}
		if at < 0 {
			break
		}
		s = steps[at]
		below := trouble{FailedAt: s.LastFailureAt}
		if below.StepExplanation, err = q.ExplainStep(ctx, s.WorkflowStepUUID); err != nil {
			return found, err
		}
		if below.Actions, err = q.stepActions(ctx, task, s); err != nil {
			return found, err
		}
		found.Below = append(found.Below, below)
	}
	if len(found.Below) > 0 {
		found.Actions = nil // The reader must act on the child task.
	}
	return found, nil
}

// stepActions are the answers that a step takes, and the other actions on it.
func (q *query) stepActions(ctx context.Context, t executor.TaskDetail, s executor.StepDetail) ([]offer, error) {
	var offers []offer
	if string(s.State) == "suspended" {
		alternatives, err := q.awaits(ctx, s)
		if err != nil {
			return nil, err
		}
		offers = signalOffers(s, alternatives)
	}
	return append(offers, stepOffers(t, s)...), nil
}

// readHistory reads the history, as a story or as bars.
func (t *taskPage) readHistory(ctx context.Context, q *query) error {
	events, err := q.GetTaskHistory(ctx, t.Task.TaskUUID, eventsShown+1)
	if err != nil {
		return err
	}
	if t.More = len(events) > eventsShown; t.More {
		events = events[:eventsShown]
	}
	if t.Show == "timeline" {
		drawn := bars(events, t.Task.TaskUUID, q.now, t.More)
		if t.More {
			// The list has only the first events, so later attempts come from the steps, which have the times of
			// their last attempts.
			steps, err := q.PageSteps(ctx, t.Task.TaskUUID, 0, drawnSteps)
			if err != nil {
				return err
			}
			drawn, t.Last = stepBars(steps, q.now), true
		}
		t.Timeline = chart.Timeline(drawn, "Attempts of the task's steps over time")
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

// spentTimes adds up the time of a critical path by cause, the largest part first.
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

// storyKind is the cause of a part of a task's time in words.
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
func (t *taskPage) segments(failed int64) (parts []segment) {
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
		{State: "failed", Count: failed},
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

// urgency orders states by their importance to a reader.
func urgency(state string) int {
	return slices.Index([]string{"cancelled", "complete", "resolved_manually", "pending", "enqueued", "suspended", "in_progress", "waiting_for_retry", "failed", "error"}, state)
}

// bars makes the attempts of each step from a history. A bar lasts from a start or a suspension to the event that
// ended it.
func bars(events []gen.TaskEvent, task uuid.UUID, now time.Time, cut bool) []chart.Bar {
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

// stepBars makes bars of the last attempts of steps. The elements of a map stand in one bar, except for failed elements.
func stepBars(steps []executor.StepDetail, now time.Time) (drawn []chart.Bar) {
	maps := map[string]int{}
	for _, s := range steps {
		if s.LastAttemptedAt == nil {
			continue
		}
		state := shownState(s)
		bar := chart.Bar{Row: int(s.StepNo), Name: s.Name, Href: stepPath(s.WorkflowStepUUID), From: *s.LastAttemptedAt, Until: now, Class: lookOf(state).Class, Said: spaced(state)}
		if end := cmp.Or(s.ProcessedAt, s.LastFailureAt); end != nil && ended(s) {
			bar.Until = *end
		}
		name, element := mapped(s.Name)
		at, known := maps[name]
		switch {
		case !element || bar.Class == "failed":
			drawn = append(drawn, bar)
		case known:
			whole := &drawn[at]
			if bar.From.Before(whole.From) {
				whole.From = bar.From
			}
			if bar.Until.After(whole.Until) {
				whole.Until = bar.Until
			}
			if urgency(state) > urgency(strings.ReplaceAll(whole.Said, " ", "_")) {
				whole.Class, whole.Said = bar.Class, bar.Said
			}
		default:
			maps[name] = len(drawn)
			bar.Name = name + "[…]"
			drawn = append(drawn, bar)
		}
	}
	return drawn
}

// endOf says how a part of the timeline ended.
func endOf(e gen.TaskEvent) (class, said string) {
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

// markTask returns a value that changes when a task does. A claim changes the states of the task's steps. A result changes
// the task's own row.
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
	return []any{task.State, task.Paused, task.UpdatedAt, task.OpenSteps, task.ActiveSteps, found}, err
}
