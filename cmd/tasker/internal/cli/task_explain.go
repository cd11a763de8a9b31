package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
)

// explainedTask is the JSON of the story of a task.
type explainedTask struct {
	// Kinds has the seconds that each kind of work or wait took, the longest first.
	Kinds []spentTime         `json:"kinds"`
	Parts []gen.TaskStoryPart `json:"parts"`
}

type spentTime struct {
	Kind    string  `json:"kind"`
	Seconds float64 `json:"seconds"`
}

// storyKinds describes the kinds of work and waits in words.
var storyKinds = map[string]string{
	"start": "until its start", "engine": "in the engine", "workers": "waiting for workers", "running": "running", "retry": "waiting for retries",
	"signal": "waiting for people", "event": "waiting for events", "time": "waiting for a time", "task": "waiting for another task",
	"failed": "failed, waiting for an operator", "unread": "not read",
}

func (a *app) taskExplain() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "explain TASK",
		Short: "Show the critical path of a task, and how its time was spent",
		Long: `Show the critical path of a task: the steps that each waited for the preceding step, and what each of them did
or waited for. Steps that are not on the path did not make the task take longer. For an open task, the path ends now.`,
		Example: "  tasker task explain 5b1d2c3a\n  tasker task explain latest",
	}, "an object: kinds (kind, seconds), parts (get_task_story())", func(ctx context.Context, args []string) error {
		id, err := a.findTaskBy(ctx, "TASK", args[0], true)
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		parts, err := e.GetTaskStory(ctx, id, 1000)
		if err != nil {
			return err
		}
		story := explainedTask{Kinds: []spentTime{}, Parts: parts}
		for _, part := range parts {
			i := slices.IndexFunc(story.Kinds, func(s spentTime) bool { return s.Kind == part.Kind })
			if i < 0 {
				i = len(story.Kinds)
				story.Kinds = append(story.Kinds, spentTime{Kind: part.Kind})
			}
			story.Kinds[i].Seconds += part.Seconds
		}
		slices.SortStableFunc(story.Kinds, func(x, y spentTime) int { return cmp.Compare(y.Seconds, x.Seconds) })
		return a.show(story, func() error { return a.printStory(story) })
	})
}

func (a *app) printStory(story explainedTask) error {
	if len(story.Parts) == 0 {
		return a.errs.Say("no time has passed\n")
	}
	var total float64
	for _, kind := range story.Kinds {
		total += kind.Seconds
	}
	sums := term.NewTable("TIME", "SHARE", "WHERE IT WENT")
	for _, kind := range story.Kinds {
		sums.Row(term.Text(spent(kind.Seconds)), term.Text(fmt.Sprintf("%.0f%%", 100*kind.Seconds/max(total, 1e-9))), term.Text(storyKinds[kind.Kind]))
	}
	if err := sums.Write(a.out); err != nil {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	path := term.NewTable("AFTER", "TIME", "STEP", "", "").Yield("")
	for _, part := range story.Parts {
		after := part.BeganAt.Sub(story.Parts[0].BeganAt)
		path.Row(term.Text(span(after)), term.Text(spent(part.Seconds)), term.Text(text(part.StepName)), term.Text(storyKinds[part.Kind]), term.Text(text(part.Detail)))
	}
	return path.Write(a.out)
}

func spent(s float64) string { return span(time.Duration(s * float64(time.Second))) }
