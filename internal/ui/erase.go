package ui

import (
	"context"
	"net/url"
	"strconv"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// mostErased is the largest number of tasks of a family that a person may erase on the page.
const mostErased = 1000

// eraseTask erases the data of a task that has ended. A person confirms it with the number of its steps.
var eraseTask = action{
	name: "erase", section: "tasks", mass: true,
	ask: func(ctx context.Context, q *query) (question, error) {
		t, children, err := q.readErasure(ctx)
		if err != nil {
			return question{}, err
		}
		steps := strconv.Itoa(int(t.TotalSteps))
		asks := question{
			Title: "Erase the data of the task", Button: "Erase the data", Danger: true, Reason: why,
			About: t.Namespace + "/" + t.Name + " " + short(t.TaskUUID), State: string(t.State), Back: taskPath(t.TaskUUID),
			Effects: []string{
				"Context, results, errors, signals and other texts of the task and its " + count(t.TotalSteps, "step") + " are gone for good. States, times and counts stay.",
				"The task is not reset, retried or forked any more. The reason is kept: name a request, not the person.",
			},
			Fields: []field{{Name: "steps", Label: "Number of its steps", Kind: "integer", Required: true, Hint: "To confirm: " + steps + "."}},
		}
		if children > 0 {
			asks.Effects = append(asks.Effects, count(children, "task")+" below it stay as they are, unless you erase them, too.")
			asks.Fields = append(asks.Fields, field{Name: "children", Label: "Erase the tasks below it, too", Kind: "check", Value: ""})
		}
		if !t.Complete {
			asks.Idle = "The task has not ended. Cancel it first."
		} else if t.ErasedAt != nil {
			asks.Idle = "The task was erased already."
		}
		return asks, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		t, _, err := q.readErasure(ctx)
		if err != nil {
			return Note{}, err
		}
		if given, err := wholeNumber(form, "steps"); err != nil {
			return Note{}, err
		} else if given != t.TotalSteps {
			return Note{}, invalid("The task has "+count(t.TotalSteps, "step")+"; nothing was changed.", "Confirm the erasure with the number of its steps.")
		}
		reason, actor := intent(form)
		rows, err := q.EraseTask(ctx, sqlfn.EraseTaskParams{TaskUUID: t.TaskUUID, Children: form.Get("children") == "true", Reason: reason, Actor: actor})
		if err != nil {
			return Note{}, err
		}
		erased := 0
		for _, row := range rows {
			if row.Outcome == "erased" {
				erased++
			}
		}
		return answered(erased > 0, "The data of "+count(erased, "task")+" are erased."), nil
	},
}

// readErasure reads a task, and the number of its descendants.
func (q *query) readErasure(ctx context.Context) (t executor.TaskDetail, children int, err error) {
	id, err := q.taskUUID()
	if err != nil {
		return t, 0, err
	}
	if t, err = q.GetTask(ctx, id); err != nil {
		return t, 0, err
	}
	tree, err := q.GetTaskTree(ctx, id, mostErased)
	for _, node := range tree {
		if node.TaskUUID != id {
			children++
		}
	}
	return t, children, err
}
