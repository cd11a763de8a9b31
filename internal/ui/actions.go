package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// actions are the actions by their paths below Root.
func actions() map[string]action {
	const task, step = "/tasks/{task_uuid}", "/tasks/{task_uuid}/steps/{no}"
	all := map[string]action{
		task + "/cancel":   onTask("cancel", askCancel, (*executor.SqlFunctionExecutor).CancelTask, "The task is cancelled."),
		task + "/reset":    onTask("reset", askReset, (*executor.SqlFunctionExecutor).ResetTask, "The task goes on: its failed steps have their attempts back."),
		task + "/resolve":  onTask("resolve", askResolve, (*executor.SqlFunctionExecutor).ResolveTaskManually, "The task is resolved by hand."),
		task + "/give-up":  onTask("give-up", askGiveUp, (*executor.SqlFunctionExecutor).GiveUpTask, "The task has failed."),
		step + "/retry":    onStep("retry", askRetry, (*executor.SqlFunctionExecutor).RetryStep, "The step runs again."),
		step + "/rerun":    {name: "rerun", section: "tasks", ask: askRerun, do: rerunStep},
		step + "/correct":  {name: "rerun", section: "tasks", ask: askCorrect, do: correctStep},
		step + "/resolve":  onStep("resolve", askResolveStep, (*executor.SqlFunctionExecutor).ResolveStepManually, "The step is resolved by hand."),
		step + "/complete": {name: "complete", section: "tasks", ask: askComplete, do: completeStep},
		step + "/signal":   answerStep,
		task + "/fork":     forkTask,
		task + "/erase":    eraseTask,
		task + "/pause":    onTask("pause", askPause, (*executor.SqlFunctionExecutor).PauseTask, "The task is paused."),
		task + "/resume":   onTask("pause", askResume, (*executor.SqlFunctionExecutor).ResumeTask, "The task goes on."),
		task + "/skip-run": onTask("skip-run", askSkip, skipRun, "The task has lost its place: the next task of its key starts."),
		"/events/emit":     emitEvent,
		"/events/try":      tryEvent,

		"/selection":     onSelection,
		"/tasks/reset":   onMatching("reset"),
		"/tasks/cancel":  onMatching("cancel"),
		"/tasks/fork":    onMatching("fork"),
		"/tasks/resolve": onMatching("resolve"),

		"/dead-letters/selection": requeueSelected,
		"/dead-letters/requeue":   requeueMatching,

		"/templates/{namespace}/{name}/{version}/retire": retireTemplate,
		"/templates/{namespace}/{name}/{version}/start":  startTask,
		"/limits/{namespace}/{name}/set":                 setLimit,
		"/limits/{namespace}/{name}/bound":               boundKey,
		"/limits/{namespace}/{name}/unbound":             unboundKey,
		"/limits/new":                                    newLimit,
		"/partitions/evacuate":                           evacuateRange,
		"/partitions/keep":                               keepTasks,
	}
	for _, more := range []map[string]action{scheduleActions(), deadLetterActions(), namespaceActions(), settingActions(), incidentActions(), massActions(), handlerActions(), templatePauseActions()} {
		maps.Copy(all, more)
	}
	return all
}

// taskCall and stepCall are methods that change a task or a step, and report whether they changed it.
type (
	taskCall func(e *executor.SqlFunctionExecutor, ctx context.Context, task uuid.UUID, reason, actor string) (bool, error)
	stepCall func(e *executor.SqlFunctionExecutor, ctx context.Context, step uuid.UUID, reason, actor string) (bool, error)
)

func onTask(name string, ask func(executor.TaskDetail) question, call taskCall, done string) action {
	return action{
		name: name, section: "tasks",
		ask: func(ctx context.Context, q *query) (question, error) {
			id, err := q.taskUUID()
			if err != nil {
				return question{}, err
			}
			t, err := q.GetTask(ctx, id)
			if err != nil {
				return question{}, err
			}
			asks := ask(t)
			asks.About, asks.State, asks.Back = t.Namespace+"/"+t.Name+" "+short(id), string(t.State), cmp.Or(asks.Back, taskPath(id))
			return asks, nil
		},
		do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
			id, err := q.taskUUID()
			if err != nil {
				return Note{}, err
			}
			reason, actor := intent(form)
			changed, err := call(q.SqlFunctionExecutor, ctx, id, reason, actor)
			return answered(changed, done), err
		},
	}
}

func onStep(name string, ask func(executor.TaskDetail, executor.StepDetail) question, call stepCall, done string) action {
	return action{
		name: name, section: "tasks",
		ask: func(ctx context.Context, q *query) (question, error) {
			t, s, err := q.readStep(ctx)
			if err != nil {
				return question{}, err
			}
			return aboutStep(ask(t, s), t, s), nil
		},
		do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
			id, err := q.stepUUID()
			if err != nil {
				return Note{}, err
			}
			reason, actor := intent(form)
			changed, err := call(q.SqlFunctionExecutor, ctx, id, reason, actor)
			return answered(changed, done), err
		},
	}
}

func aboutStep(asks question, t executor.TaskDetail, s executor.StepDetail) question {
	asks.About, asks.State = s.Name+", a step of "+t.Namespace+"/"+t.Name+" "+short(t.TaskUUID), string(s.State)
	asks.Back = stepPath(s.WorkflowStepUUID)
	return asks
}

const why = "Reason"

func askCancel(t executor.TaskDetail) question {
	asks := question{Title: "Cancel the task", Button: "Cancel the task", Danger: true, Reason: why}
	asks.Effects = []string{"The task ends as cancelled, for good. What is complete stays complete.", count(t.OpenSteps, "open step") + " will be cancelled."}
	if t.ActiveSteps > 0 {
		asks.Effects = append(asks.Effects, "Handlers that run now are not stopped; their results will be refused.")
	}
	if t.Complete {
		asks.Idle = "The task has ended already."
	}
	return asks
}

func askReset(t executor.TaskDetail) question {
	asks := question{Title: "Reset the task", Button: "Reset the task", Reason: why, Effects: []string{
		count(t.FailedSteps, "failed step") + " will have all attempts again, and the task goes on from there.",
		"What is complete stays complete, and the history is kept.",
	}}
	if t.FailedSteps == 0 {
		asks.Idle = "The task has no failed steps."
	}
	return asks
}

func askResolve(t executor.TaskDetail) question {
	asks := question{Title: "Resolve the task by hand", Button: "Resolve the task", Danger: true, Reason: why, Effects: []string{
		"The task ends as resolved manually: what it was to do was done elsewhere.", count(t.OpenSteps, "open step") + " will be cancelled.",
	}}
	if t.Complete {
		asks.Idle = "The task has ended already."
	}
	return asks
}

func askGiveUp(t executor.TaskDetail) question {
	asks := question{Title: "Give the task up", Button: "Give the task up", Danger: true, Reason: why, Effects: []string{
		"The task ends as an error. A reset brings it back.", count(t.OpenSteps, "open step") + " will not run.",
	}}
	if t.Complete {
		asks.Idle = "The task has ended already."
	}
	return asks
}

func askRetry(_ executor.TaskDetail, s executor.StepDetail) question {
	asks := question{Title: "Retry the step", Button: "Retry the step", Reason: why}
	if string(s.State) == "waiting_for_retry" {
		asks.Effects = []string{"The step's next attempt begins now, and not at its time."}
	} else {
		asks.Effects = []string{"The step runs again, with all attempts. The steps after it follow when it is complete."}
	}
	if state := string(s.State); state != "error" && state != "waiting_for_retry" {
		asks.Idle = "The step has not failed, and does not wait for its next attempt."
	}
	return asks
}

// askRerun names the steps that run again.
func askRerun(ctx context.Context, q *query) (question, error) {
	t, s, asks, err := q.rerunQuestion(ctx)
	if err != nil {
		return question{}, err
	}
	asks.Title, asks.Button = "Run the step again", "Run it again"
	asks.Effects = append([]string{"The step runs again, and so does all that depends on it: " + count(len(asks.Items), "step") + "."}, asks.Effects...)
	return aboutStep(asks, t, s), nil
}

// askCorrect also asks for the right result.
func askCorrect(ctx context.Context, q *query) (question, error) {
	t, s, asks, err := q.rerunQuestion(ctx)
	if err != nil {
		return question{}, err
	}
	asks.Title, asks.Button, asks.Items = "Correct the result", "Correct the result", asks.Items[1:]
	asks.Effects = append([]string{
		"The step has the result that you enter. Its handler does not run.",
		"What depends on it runs again: " + count(len(asks.Items), "step") + ".",
	}, asks.Effects...)
	shown := "{}"
	if s.Results != nil {
		shown = string(s.Results)
	}
	asks.Fields = []field{resultField(t, "Right result", shown, "JSON, as the handler should have returned it.")}
	return aboutStep(asks, t, s), nil
}

// resultField asks for a result. Without a key the page can give a step of an encrypted task no result but null.
func resultField(t executor.TaskDetail, label, value, hint string) field {
	if seal.Is(t.Context) {
		value, hint = "null", "The payloads of the task are encrypted, and the page has no key: only null is stored. The command line gives another result, with --key."
	}
	return field{Name: "results", Label: label, Kind: "json", Value: value, Required: true, Hint: hint}
}

// rerunQuestion is the common part of both questions: the steps that run again, with the step itself first, and the
// consequences.
func (q *query) rerunQuestion(ctx context.Context) (t executor.TaskDetail, s executor.StepDetail, asks question, err error) {
	if t, s, err = q.readStep(ctx); err != nil {
		return t, s, asks, err
	}
	steps, err := q.PreviewRerun(ctx, s.WorkflowStepUUID)
	if err != nil {
		return t, s, asks, err
	}
	asks = question{Danger: true, Reason: why}
	asks.Idle = notToRerun(t, s)
	replaced, undoable, children, running := 0, 0, 0, 0
	for _, r := range steps {
		note := ""
		switch {
		case r.Fate == "replaced":
			note = "replaced by another instance"
			replaced++
		case r.ChildTaskUUID != nil:
			note = "starts a new task"
			children++
		}
		if r.HasCompensation {
			undoable++
		}
		if string(r.State) == "in_progress" {
			running++
		}
		asks.Items = append(asks.Items, item{Name: r.Name, Href: stepPath(r.WorkflowStepUUID), State: string(r.State), Note: note})
	}
	// The step itself comes first.
	slices.SortStableFunc(asks.Items, func(a, b item) int {
		self := stepPath(s.WorkflowStepUUID)
		return cmp.Compare(btoi(b.Href == self), btoi(a.Href == self))
	})
	if t.Complete {
		asks.Effects = append(asks.Effects, "The task is open again.")
	}
	asks.Effects = append(asks.Effects, "The former results stay in the audit, with your reason.")
	if running > 0 {
		asks.Effects = append(asks.Effects, count(running, "step")+" in progress: what its handler returns will be refused.")
	}
	if undoable > 0 {
		asks.Effects = append(asks.Effects, count(undoable, "step")+" with a compensation: its effect is not undone before it runs again.")
	}
	if children > 0 {
		asks.Effects = append(asks.Effects, count(children, "step")+" starts a new task; the former one is cancelled if it is open.")
	}
	if replaced > 0 {
		asks.Effects = append(asks.Effects, count(replaced, "instance")+" of maps: other instances take their place.")
	}
	return t, s, asks, nil
}

// btoi is 1 for true.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// notToRerun returns the reason why a step does not run again, or "".
func notToRerun(t executor.TaskDetail, s executor.StepDetail) string {
	switch state := string(s.State); {
	case string(t.State) == "cancelled", string(t.State) == "resolved_manually":
		return "The task was " + spaced(string(t.State)) + ". A fork repeats it in a new task."
	case state != "complete" && state != "resolved_manually" && state != "error":
		return "The step has no result to correct."
	}
	return ""
}

func rerunStep(ctx context.Context, q *query, form url.Values) (Note, error) {
	return q.rerun(ctx, form, nil, "The step runs again, with all that depends on it.")
}

func correctStep(ctx context.Context, q *query, form url.Values) (Note, error) {
	results := []byte(form.Get("results"))
	if !json.Valid(results) {
		return Note{}, invalid("The result is not JSON; nothing was changed.", `For example {"paid": true}.`)
	}
	return q.rerun(ctx, form, results, "The step has the right result, and what depends on it runs again.")
}

func (q *query) rerun(ctx context.Context, form url.Values, results json.RawMessage, done string) (Note, error) {
	id, err := q.stepUUID()
	if err != nil {
		return Note{}, err
	}
	reason, actor := intent(form)
	changed, err := q.RerunStep(ctx, sqlfn.RerunStepParams{StepUUID: id, Reason: reason, Actor: actor, Results: results})
	return answered(changed, done), err
}

func askResolveStep(_ executor.TaskDetail, s executor.StepDetail) question {
	return question{
		Title: "Resolve the step by hand", Button: "Resolve the step", Danger: true, Reason: why, Idle: settled(s),
		Effects: []string{"The step counts as done, without a result: what it was to do was done elsewhere.", "The steps after it run."},
	}
}

func settled(s executor.StepDetail) string {
	switch string(s.State) {
	case "complete", "cancelled", "resolved_manually":
		return "The step has ended already."
	}
	return ""
}

func askComplete(ctx context.Context, q *query) (question, error) {
	t, s, err := q.readStep(ctx)
	if err != nil {
		return question{}, err
	}
	idle := settled(s)
	if idle != "" && notToRerun(t, s) == "" {
		idle = "The step has ended already. Correct the result to give it another one: what depends on it runs again."
	}
	return aboutStep(question{
		Title: "Complete the step by hand", Button: "Complete the step", Danger: true, Reason: why, Idle: idle,
		Effects: []string{"The step is complete with the result that you enter. Its handler does not run any more.", "The steps after it run, and find that result."},
		Fields:  []field{resultField(t, "Result", "{}", "JSON, as the handler would have returned it.")},
	}, t, s), nil
}

func completeStep(ctx context.Context, q *query, form url.Values) (Note, error) {
	id, err := q.stepUUID()
	if err != nil {
		return Note{}, err
	}
	results := []byte(form.Get("results"))
	if !json.Valid(results) {
		return Note{}, invalid("The result is not JSON; nothing was changed.", `For example {"paid": true}.`)
	}
	reason, actor := intent(form)
	changed, err := q.CompleteStepManually(ctx, sqlfn.CompleteStepManuallyParams{StepUUID: id, Results: results, Reason: reason, Actor: actor})
	return answered(changed, "The step is complete."), err
}

// offer is an action that is offered on a page.
type offer struct {
	Name, Label, Href string
	Danger            bool
}

// offersFor are the actions that make sense in the present state of a task.
func offersFor(t executor.TaskDetail) (offers []offer) {
	path := taskPath(t.TaskUUID)
	if t.FailedSteps > 0 && (!t.Complete || t.State == "error") {
		offers = append(offers, offer{"reset", "Reset…", path + "/reset", false})
	}
	if t.State == "blocked_by_failures" {
		offers = append(offers, offer{"resolve", "Resolve by hand…", path + "/resolve", false}, offer{"give-up", "Give up…", path + "/give-up", true})
	}
	if t.ErasedAt != nil {
		return nil
	}
	if t.Complete || t.FailedSteps > 0 {
		offers = append(offers, offer{"fork", "Fork…", path + "/fork", false})
	}
	if t.Complete {
		offers = append(offers, offer{"erase", "Erase…", path + "/erase", true})
	}
	if !t.Complete && !undoing(t) {
		hold := offer{"pause", "Pause…", path + "/pause", false}
		if t.Paused {
			hold = offer{"pause", "Resume…", path + "/resume", false}
		}
		offers = append(offers, hold)
	}
	if !t.Complete {
		offers = append(offers, offer{"cancel", "Cancel…", path + "/cancel", true})
	}
	return offers
}

// stepOffers are the actions that make sense in the present state of a step.
func stepOffers(t executor.TaskDetail, s executor.StepDetail) (offers []offer) {
	path, state := stepPath(s.WorkflowStepUUID), string(s.State)
	// A failed step of an open task can be retried, which has the same effect as running it again.
	if (state == "complete" || state == "resolved_manually" || t.Complete) && notToRerun(t, s) == "" {
		offers = append(offers, offer{"rerun", "Run again…", path + "/rerun", true}, offer{"rerun", "Correct the result…", path + "/correct", true})
	}
	if _, element := mapped(s.Name); !element && s.UndoNo == nil && ended(s) {
		fork := offer{"fork", "Fork from here…", taskPath(s.TaskUUID) + "/fork?step=" + url.QueryEscape(s.Name), false}
		defer func() { offers = append(offers, fork) }()
	}
	if t.Complete {
		return offers
	}
	if state == "error" || state == "waiting_for_retry" {
		offers = append(offers, offer{"retry", "Retry…", path + "/retry", false})
	}
	if settled(s) == "" {
		offers = append(offers, offer{"complete", "Complete by hand…", path + "/complete", false}, offer{"resolve", "Resolve by hand…", path + "/resolve", false})
	}
	return offers
}
