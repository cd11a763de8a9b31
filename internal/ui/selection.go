package ui

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// selectable is how many tasks can be selected: a page of the list.
const selectable = 100

// Actions on a selection.
var selections = map[string]struct {
	title, button, done string
	danger              bool
	effects             []string
	suits               func(executor.TaskDetail) string
	call                taskCall
}{
	"cancel": {
		"Cancel tasks", "Cancel them", "cancelled", true,
		[]string{"Each task ends as cancelled, for good, with its open steps.", "Handlers that run now are not stopped; their results will be refused.", "All of it is done, or nothing."},
		func(t executor.TaskDetail) string { return askCancel(t).Idle }, (*executor.SqlFunctionExecutor).CancelTask,
	},
	"reset": {
		"Reset tasks", "Reset them", "reset", false,
		[]string{"The failed steps of each task will have all attempts again, and the tasks go on.", "All of it is done, or nothing."},
		func(t executor.TaskDetail) string { return askReset(t).Idle }, (*executor.SqlFunctionExecutor).ResetTask,
	},
}

// selected reads the tasks that the address names.
func (q *query) selected(ctx context.Context) (name string, tasks []executor.TaskDetail, err error) {
	v := q.r.URL.Query()
	name = v.Get("action")
	if _, known := selections[name]; !known {
		return name, nil, invalid("There is no such action on a selection.", "It is cancel or reset.")
	}
	ids := v["task"]
	if len(ids) == 0 || len(ids) > selectable {
		return name, nil, invalid(fmt.Sprintf("%d tasks are selected.", len(ids)), fmt.Sprintf("Select 1 to %d in the list.", selectable))
	}
	for _, given := range ids {
		id, err := parseUUID("a task", given)
		if err != nil {
			return name, nil, err
		}
		t, err := q.GetTask(ctx, id)
		if err != nil {
			return name, nil, err
		}
		tasks = append(tasks, t)
	}
	// In the order in which every transaction locks tasks.
	slices.SortFunc(tasks, func(a, b executor.TaskDetail) int { return bytes.Compare(a.TaskUUID[:], b.TaskUUID[:]) })
	return name, tasks, nil
}

var onSelection = action{
	name: "reset", section: "tasks", mass: true, takes: []string{"action", "task"},
	ask: func(ctx context.Context, q *query) (question, error) {
		name, tasks, err := q.selected(ctx)
		if err != nil {
			return question{}, err
		}
		s := selections[name]
		asks := question{Title: s.title, Button: s.button, Danger: s.danger, Effects: s.effects, Reason: why, Back: Root + "/tasks"}
		changing := 0
		for _, t := range tasks {
			note := s.suits(t)
			if note == "" {
				changing++
			}
			asks.Items = append(asks.Items, item{t.Namespace + "/" + t.Name + " " + short(t.TaskUUID), taskPath(t.TaskUUID), string(t.State), note})
		}
		asks.About = fmt.Sprintf("%s of %d selected will change.", count(changing, "task"), len(tasks))
		if changing == 0 {
			asks.Idle = "None of the selected tasks can be " + s.done + "."
		}
		return asks, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		name, tasks, err := q.selected(ctx)
		if err != nil {
			return Note{}, err
		}
		s := selections[name]
		reason, actor := intent(form)
		done := 0
		note := Note{}
		for _, t := range tasks {
			if s.suits(t) != "" {
				continue
			}
			changed, err := s.call(q.SqlFunctionExecutor, ctx, t.TaskUUID, reason, actor)
			if err != nil {
				return Note{}, err
			}
			if changed {
				done++
			} else {
				note.Lines = append(note.Lines, t.Namespace+"/"+t.Name+" "+short(t.TaskUUID)+": it was so already")
			}
		}
		note.Done, note.Text = done > 0, fmt.Sprintf("%s of %d selected: %s.", count(done, "task"), len(tasks), s.done)
		return note, nil
	},
}

// A reset of all tasks that match runs in one transaction of as many; the rest is said.
const resetAtOnce = 1000

// matchParameters are the filters of a reset of all that match; the list of tasks takes them, too.
var matchParameters = []string{"state", "namespace", "name", "version", "tag", "since", "until"}

// resetMatching resets the tasks that match the filters of the list.
var resetMatching = action{
	name: "reset", section: "tasks", mass: true, takes: matchParameters,
	ask: func(ctx context.Context, q *query) (question, error) {
		f, params, err := q.resetParams()
		if err != nil {
			return question{}, err
		}
		params.DryRun = true
		found, err := q.ResetTasks(ctx, params)
		if err != nil {
			return question{}, err
		}
		back := Root + "/tasks?" + q.r.URL.RawQuery
		asks := question{
			Title: "Reset all tasks that match", Button: "Reset them", Reason: why, Back: back, About: count(len(found), "task") + " " + spaced(f.State) + f.said() + " will be reset.",
			Effects: []string{"The failed steps of each task will have all attempts again, and the tasks go on, the oldest first.", "Tasks that another transaction holds are skipped, and counted."},
		}
		if len(found) == resetAtOnce {
			asks.About = fmt.Sprintf("The %s oldest tasks %s%s will be reset; repeat it for the rest.", number(resetAtOnce), spaced(f.State), f.said())
		}
		for _, t := range found[:min(len(found), 20)] {
			asks.Items = append(asks.Items, item{t.Namespace + "/" + t.Name + " " + short(t.TaskUUID), taskPath(t.TaskUUID), string(t.State), count(t.FailedSteps, "failed step")})
		}
		if more := len(found) - len(asks.Items); more > 0 {
			asks.Effects = append(asks.Effects, "The first 20 are listed; "+count(more, "more")+".")
		}
		if len(found) == 0 {
			asks.Idle = "No task matches."
		}
		return asks, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		_, params, err := q.resetParams()
		if err != nil {
			return Note{}, err
		}
		params.Reason = form.Get("reason")
		params.Actor = form.Get("actor")
		outcomes := map[string]int{}
		found, err := q.ResetTasks(ctx, params)
		if err != nil {
			return Note{}, err
		}
		for _, t := range found {
			outcomes[t.Outcome]++
		}
		note := Note{Done: outcomes["reset"] > 0, Text: count(outcomes["reset"], "task") + " reset."}
		for outcome, n := range outcomes {
			if outcome != "reset" {
				note.Lines = append(note.Lines, fmt.Sprintf("%d %s", n, outcome))
			}
		}
		return note, nil
	},
}

// said returns the filters in words, without the state.
func (f taskFilters) said() (words string) {
	for _, filter := range []struct{ word, value string }{
		{" of namespace ", f.Namespace},
		{" from template ", f.Name},
		{" of version ", f.Version},
		{" with tags ", f.Tag},
		{" requested since ", f.Since},
		{" requested before ", f.Until},
	} {
		switch i := slices.IndexFunc(ages, func(a period) bool { return a.Name == filter.value }); {
		case filter.value == "":
		case i >= 0 && filter.value == f.Since:
			words += " requested in the last " + ages[i].Said
		default:
			words += filter.word + cut(filter.value, 60)
		}
	}
	return words
}

// resetParams makes of the list's filters what reset_tasks takes.
func (q *query) resetParams() (taskFilters, sqlfn.ResetTasksParams, error) {
	v := q.r.URL.Query()
	f := taskFilters{Namespace: v.Get("namespace"), Name: v.Get("name"), Version: v.Get("version"), State: v.Get("state"), Tag: v.Get("tag"), Since: v.Get("since"), Until: v.Get("until")}
	p, err := f.params(q.now)
	if f.State == "" {
		f.State = "blocked_by_failures"
	}
	return f, sqlfn.ResetTasksParams{
		Reason: "dry run", State: f.State, Namespace: p.Namespace, Name: p.Name, Version: p.Version, Tags: p.Tags,
		RequestedAfter: p.RequestedAfter, RequestedBefore: p.RequestedBefore, Limit: resetAtOnce,
	}, err
}
