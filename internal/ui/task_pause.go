package ui

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// readPause reads the entry of the log of administration about the pause of a paused task. It is nil if the task is not paused,
// and if the reader may not read the log.
func (q *query) readPause(ctx context.Context, t executor.TaskDetail) (pause *gen.AdministrationEntry, err error) {
	if !t.Paused {
		return nil, nil
	}
	_, err = q.part(ctx, func(e *executor.SqlFunctionExecutor) error {
		entries, err := e.ListAdministration(ctx, sqlfn.ListAdministrationParams{Kind: "tasks", Object: t.TaskUUID.String(), Limit: 100})
		for i := range entries {
			if text(entries[i].Call) == "pause_task" {
				pause = &entries[i]
				break
			}
		}
		return err
	})
	return pause, err
}

func askPause(t executor.TaskDetail) question {
	asks := question{Title: "Pause the task", Button: "Pause the task", Reason: why, Effects: []string{
		"No step of the task starts until the task is resumed. Running steps end, and their results count.",
		"Waits and time-outs go on, and so does the deadline of the task.",
	}}
	if t.Complete {
		asks.Idle = "The task has ended already."
	} else if undoing(t) {
		asks.Idle = "The task is being undone."
	} else if t.Paused {
		asks.Idle = "The task is paused already."
	}
	return asks
}

func askResume(t executor.TaskDetail) question {
	asks := question{Title: "Resume the task", Button: "Resume the task", Named: true, Effects: []string{"Ready steps of the task start again at once."}}
	if !t.Paused {
		asks.Idle = "The task is not paused."
	}
	return asks
}

// askSkip asks before the runs of a key go on without a task that has failed.
func askSkip(t executor.TaskDetail) question {
	asks := question{
		Title: "Skip the task", Button: "Skip the task", Danger: true, Reason: why, Back: templatePath(t.Namespace, t.Name, t.Version),
		Effects: []string{
			"The task loses its place, and the next task of its key starts.",
			"A reset puts the task at the end of the line.",
		},
	}
	switch t.State {
	case "blocked_by_failures":
		asks.Effects = append(asks.Effects, "The task is given up first. A task that has something to undo is undone first, and keeps its place until it is skipped again.")
	case "error":
	default:
		asks.Idle = "The task has not failed, and holds up no other task."
	}
	return asks
}

func skipRun(e *executor.SqlFunctionExecutor, ctx context.Context, task uuid.UUID, reason, actor string) (bool, error) {
	return e.SkipBlockedRun(ctx, task, reason, executor.By{Actor: actor})
}
