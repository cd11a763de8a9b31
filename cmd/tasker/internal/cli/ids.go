package cli

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// A short id is the first eight digits of a UUID's last group. These digits are random, while the digits before them encode the
// time. Commands accept the first four digits or more, if they match only one object.
const shortDigits = 8

var shortForm = regexp.MustCompile(`^(?i)[0-9a-f]{4,8}$`)

// The period in which the database looks short ids up, the same as in the SQL functions.
const (
	shortWindow = 30 * 24 * time.Hour
	shortAmong  = "the 200,000 newest tasks of the last 30 days"
)

func shortID(id uuid.UUID) string {
	const lastGroup = 24
	return id.String()[lastGroup : lastGroup+shortDigits]
}

// shortIn returns whether text is the beginning of a UUID's short id.
func shortIn(text string, id uuid.UUID) bool {
	return shortForm.MatchString(text) && strings.HasPrefix(shortID(id), strings.ToLower(text))
}

// id returns a cell with a short id, or with the whole UUID if --wide is set.
func (a *app) id(id uuid.UUID) term.Cell {
	if a.wide {
		return term.Whole(id.String())
	}
	return term.Whole(shortID(id))
}

// taskID is id for a task. The cell has the whole UUID if a short id no longer finds the task.
func (a *app) taskID(id uuid.UUID) term.Cell {
	sec, nsec := id.Time().UnixTime()
	if id.Version() == 7 && time.Since(time.Unix(sec, nsec)) > shortWindow {
		return term.Whole(id.String())
	}
	return a.id(id)
}

// taskForms are the forms of a TASK argument.
const taskForms = `TASK is a task's id, whole or short (the first 4 to 8 digits of its last group, looked up among
` + shortAmong + `), key:KEY for the identity key that it was created with,
tag:TAG, or latest for commands that change nothing. If several tasks match, they are listed and nothing is done.`

// findTask returns the task that an argument names.
func (a *app) findTask(ctx context.Context, what, text string) (uuid.UUID, error) {
	return a.findTaskBy(ctx, what, text, false)
}

// findTaskBy is findTask. If reading is true, "latest" is allowed.
func (a *app) findTaskBy(ctx context.Context, what, text string, reading bool) (uuid.UUID, error) {
	const wholeLength = 36
	if id, err := uuid.Parse(text); err == nil && len(text) == wholeLength {
		return id, nil
	}
	key, byKey := strings.CutPrefix(text, "key:")
	tag, byTag := strings.CutPrefix(text, "tag:")
	short, latest := shortForm.MatchString(text), text == "latest"
	if !byKey && !byTag && !latest && !short {
		return uuid.UUID{}, &problem{
			Exit: exitUsage, Message: what + " is an id, key:KEY or tag:TAG, not " + quote(text),
			Hint: "tasker task list prints ids; the first 4 digits of one are enough where no other begins so.",
		}
	}
	if latest && !reading {
		return uuid.UUID{}, &problem{
			Exit: exitUsage, Message: what + " is latest, which may be another task by now",
			Hint: "tasker task list --limit 1 prints the id of the latest.",
		}
	}
	e, err := a.executor(ctx)
	if err != nil {
		return uuid.UUID{}, err
	}
	var found []executor.TaskDetail
	limit := int32(10)
	switch {
	case byKey:
		found, err = e.FindTasksByKey(ctx, key, "", "")
	case byTag:
		found, err = a.tagged(ctx, e, tag, limit)
	case latest:
		limit = 1
		found, err = e.ListTasks(ctx, sqlfn.ListTasksParams{Limit: limit})
	default:
		found, err = e.FindTasksByShortID(ctx, text)
	}
	if err != nil {
		return uuid.UUID{}, err
	}
	return a.onlyTask(ctx, e, found, text)
}

// tagged returns the newest tasks with a tag.
func (a *app) tagged(ctx context.Context, e *executor.SqlFunctionExecutor, tag string, limit int32) ([]executor.TaskDetail, error) {
	now, err := e.Clock(ctx)
	if err != nil {
		return nil, err
	}
	since := now.Add(-shortWindow)
	return e.ListTasks(ctx, sqlfn.ListTasksParams{Tags: []string{tag}, RequestedAfter: since, Limit: limit})
}

// onlyTask returns the task that was found, or an error unless exactly one task was found.
func (a *app) onlyTask(ctx context.Context, e *executor.SqlFunctionExecutor, found []executor.TaskDetail, text string) (uuid.UUID, error) {
	switch {
	case len(found) == 1:
		return found[0].TaskUUID, nil
	case len(found) == 0 && strings.HasPrefix(text, "key:"):
		return uuid.UUID{}, &problem{
			Exit: exitNotFound, Message: "no task has the identity key " + quote(strings.TrimPrefix(text, "key:")),
			Hint: "Keys are kept until they expire, or until retention drops their task.",
		}
	case len(found) == 0:
		return uuid.UUID{}, &problem{
			Exit: exitNotFound, Message: "no task is " + quote(text) + " among " + shortAmong,
			Hint: "An older task is found by its whole id: tasker task list --wide prints it.",
		}
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return uuid.UUID{}, err
	}
	p := &problem{
		Exit: exitConflict, Message: fmt.Sprintf("%d tasks are %s", len(found), quote(text)),
		Hint: "Say which one, by its id.",
	}
	for _, t := range found {
		p.Problems = append(p.Problems, fmt.Sprintf("%s %s %s, %s old",
			t.TaskUUID, taskTemplate(t), t.State, span(now.Sub(t.RequestedAt))))
	}
	return uuid.UUID{}, p
}

func taskTemplate(t executor.TaskDetail) string { return t.Namespace + "/" + t.Name + "@" + t.Version }

// findTaskOption is findTask for a flag that may be missing.
func (a *app) findTaskOption(ctx context.Context, flag, text string) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	return a.findTask(ctx, "--"+flag, text)
}

// splitStep splits a step's short id, which is its task's short id, a dot, and the step's number.
func splitStep(text string) (task string, no int, ok bool) {
	task, number, dotted := strings.Cut(text, ".")
	no, err := strconv.Atoi(number)
	if !dotted || err != nil || no < 1 || no > 65535 {
		return "", 0, false
	}
	return task, no, true
}

// shortStep returns a cell with a step's short id: the short id of its task, a dot, and the step's number.
func (a *app) shortStep(step uuid.UUID) term.Cell {
	const high, low = 14, 15 // a step's number is in its last two bytes, where its task has zeros
	no := int(step[high])<<8 | int(step[low])
	if task := a.taskID(step); len(task.String()) == shortDigits {
		return term.Whole(task.String() + "." + strconv.Itoa(no))
	}
	return term.Whole(step.String())
}

// findShort returns the UUID that an argument names, whole or short. list returns the UUIDs that match a short id.
func (a *app) findShort(
	ctx context.Context, what, text, hint string, list func(ctx context.Context, short string) ([]uuid.UUID, error),
) (uuid.UUID, error) {
	if !shortForm.MatchString(text) {
		return parseUUIDFrom(what, text, hint)
	}
	found, err := list(ctx, text)
	switch {
	case err != nil:
		return uuid.UUID{}, err
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return uuid.UUID{}, &problem{
			Exit: exitNotFound, Message: "no " + what + " is " + quote(text) + " among the 200,000 newest", Hint: hint,
		}
	}
	p := &problem{Exit: exitConflict, Message: fmt.Sprintf("%d are %s", len(found), quote(text)), Hint: "Say which one, by its whole id."}
	for _, id := range found {
		p.Problems = append(p.Problems, id.String())
	}
	return uuid.UUID{}, p
}

const whichEntries = "tasker dlq list prints them."

// findEntry returns the investigation that an argument names.
func (a *app) findEntry(ctx context.Context, what, text string) (uuid.UUID, error) {
	return a.findShort(ctx, what, text, whichEntries, func(ctx context.Context, short string) ([]uuid.UUID, error) {
		e, err := a.executor(ctx)
		if err != nil {
			return nil, err
		}
		return e.FindDLQEntriesByShortID(ctx, short)
	})
}

// findWorker returns the worker that an argument names: by its id, whole or short, or by its name.
func (a *app) findWorker(ctx context.Context, what, text string) (uuid.UUID, error) {
	if id, err := uuid.Parse(text); err == nil {
		return id, nil
	}
	e, err := a.executor(ctx)
	if err != nil {
		return uuid.UUID{}, err
	}
	workers, err := e.ListWorkers(ctx, 0)
	if err != nil {
		return uuid.UUID{}, err
	}
	p := &problem{Exit: exitConflict, Hint: "Say which one, by its whole id."}
	var only uuid.UUID
	for _, w := range workers {
		if w.Name == text || shortIn(text, w.WorkerUUID) {
			only = w.WorkerUUID
			p.Problems = append(p.Problems, w.WorkerUUID.String()+" "+w.Name)
		}
	}
	switch len(p.Problems) {
	case 1:
		return only, nil
	case 0:
		return uuid.UUID{}, &problem{
			Exit: exitNotFound, Message: what + " " + quote(text) + " is the id or name of no worker",
			Hint: "tasker worker list --all prints them.",
		}
	}
	p.Message = fmt.Sprintf("%d workers are %s", len(p.Problems), quote(text))
	return uuid.UUID{}, p
}

// findJob returns the job that an argument names.
func (a *app) findJob(ctx context.Context, what, text string) (uuid.UUID, error) {
	return a.findShort(ctx, what, text, whichJobs, func(ctx context.Context, short string) ([]uuid.UUID, error) {
		f, err := a.jobs(ctx)
		if err != nil {
			return nil, err
		}
		return f.FindTasksByShortID(ctx, short)
	})
}
