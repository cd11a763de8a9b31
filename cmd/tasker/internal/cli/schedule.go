package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) scheduleCommands() *cobra.Command {
	return a.group("schedule", "Schedules: tasks that recur, by cron expression or interval", "docs/schedules.md tells how they behave.",
		a.scheduleList(), a.scheduleShow(), a.scheduleSet(), a.schedulePause(), a.scheduleResume(), a.scheduleRun(),
		a.scheduleBackfill(), a.scheduleDelete())
}

// parseSchedule reads NAMESPACE/SCHEDULE.
func parseSchedule(text string) (namespace, schedule string, err error) {
	namespace, schedule, ok := strings.Cut(text, "/")
	if !ok || namespace == "" || schedule == "" {
		return "", "", &problem{
			Exit: exitUsage, Message: "a schedule is NAMESPACE/SCHEDULE, not " + quote(text), Hint: "tasker schedule list shows them.",
		}
	}
	return namespace, schedule, nil
}

func (a *app) schedules(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListSchedules(ctx, "")
	return pluck(rows, err, func(s gen.Schedule) string { return s.Namespace + "/" + s.Schedule })
}

func (a *app) scheduleList() *cobra.Command {
	var namespace string
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the schedules: what each creates, when it ticks next, and what prevents it",
	}, "an array of tasker.schedules: list_schedules()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		schedules, err := e.ListSchedules(ctx, namespace)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("SCHEDULE", "TASKS OF", "WHEN", "NEXT", "LAST", "").Yield("LAST", "TASKS OF")
		return list(a, schedules, "there are no schedules", table, func(s gen.Schedule) []term.Cell {
			return []term.Cell{
				term.Text(s.Namespace + "/" + s.Schedule), term.Text(s.TaskName), term.Text(scheduleWhen(s)),
				term.Text(distance(s.DueAt, now)), term.Text(distance(s.LastTickAt, now)), term.Colored(scheduleNote(s), term.Yellow),
			}
		})
	})
	command.Flags().StringVarP(&namespace, "namespace", "n", "", "only of this namespace")
	a.completeFlag(command, "namespace", a.namespaces)
	return a.watched(command)
}

// scheduleWhen describes when a schedule ticks.
func scheduleWhen(s gen.Schedule) string {
	if s.EverySeconds != nil {
		return "every " + span(time.Duration(*s.EverySeconds)*time.Second)
	}
	return text(s.Cron) + " " + s.Timezone
}

// scheduleNote describes the obstacle to a schedule's ticks, or its other work.
func scheduleNote(s gen.Schedule) string {
	paused, failing, queued, backfill, ended := "", "", "", "", ""
	if s.PausedAt != nil {
		paused = join(" by ", "paused", text(s.PausedBy))
	}
	if s.LastError != nil {
		failing = fmt.Sprintf("failed %d times: %s", s.Failures, *s.LastError)
	}
	if s.QueuedTickAt != nil {
		queued = "a tick waits for the running task"
	}
	if s.BackfillNextAt != nil {
		backfill = "is backfilled"
	}
	if s.NextTickAt == nil {
		ended = "has ended"
	}
	return join(", ", paused, failing, queued, backfill, ended)
}

// shownSchedule is a schedule as --json prints it.
type shownSchedule struct {
	Schedule gen.Schedule       `json:"schedule"`
	Next     []gen.ScheduleRun  `json:"next"`
	Ticks    []gen.ScheduleTick `json:"ticks"`
}

func (a *app) scheduleShow() *cobra.Command {
	var limit, next int32
	command := a.leaf(cobra.Command{
		Use:               "show NAMESPACE/SCHEDULE",
		Short:             "Show a schedule, its next ticks, and the outcomes of its last ticks",
		ValidArgsFunction: a.complete(a.schedules),
	}, "an object: schedule (list_schedules()), next (next_runs()), ticks (list_schedule_ticks())", func(ctx context.Context, args []string) error {
		namespace, name, err := parseSchedule(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		var shown shownSchedule
		if shown.Next, err = e.NextRuns(ctx, namespace, name, next); err != nil {
			return err
		}
		shown.Ticks, err = e.ListScheduleTicks(ctx, sqlfn.ListScheduleTicksParams{Namespace: namespace, Schedule: name, Limit: limit})
		if err != nil {
			return err
		}
		schedules, err := e.ListSchedules(ctx, namespace)
		if err != nil {
			return err
		}
		for _, s := range schedules {
			if s.Schedule == name {
				shown.Schedule = s
			}
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(shown, func() error { return a.printSchedule(shown, now) })
	})
	flags := command.Flags()
	flags.Int32VarP(&limit, "limit", "l", 20, "how many ticks of the past at most")
	flags.Int32Var(&next, "next", 5, "how many future ticks")
	return command
}

func (a *app) printSchedule(shown shownSchedule, now time.Time) error {
	s := shown.Schedule
	next := make([]string, len(shown.Next))
	for i, run := range shown.Next {
		next[i] = a.at(run.DueAt)
	}
	backfill := ""
	if s.BackfillNextAt != nil {
		backfill = fmt.Sprintf("at %s, until %s, overlap %s", a.at(*s.BackfillNextAt), a.at(*s.BackfillUntil), *s.BackfillOverlap)
	}
	catchUp := s.CatchUp
	if catchUp == "all" {
		catchUp = fmt.Sprintf("all, up to %d", s.CatchUpLimit)
	}
	version, last := text(s.TaskVersion), ""
	if version == "" {
		version = "the newest version"
	}
	if s.LastTaskUUID != nil {
		last = s.LastTaskUUID.String()
	}
	err := term.Fields(a.out,
		"schedule", s.Namespace+"/"+s.Schedule,
		"tasks of", s.TaskName+", "+version,
		"when", scheduleWhen(s),
		"starts", a.when(s.StartsAt, now),
		"ends", a.when(s.EndsAt, now),
		"catch-up", catchUp,
		"overlap", s.Overlap,
		"note", scheduleNote(s),
		"next", strings.Join(next, ", "),
		"backfill", backfill,
		"last tick", a.when(s.LastTickAt, now),
		"last task", last,
		"context", compact(s.Context),
		"set", a.when(&s.UpdatedAt, now)+" by "+s.UpdatedBy,
	)
	if err != nil || len(shown.Ticks) == 0 {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	table := term.NewTable("TICK", "FIRED", "CAUSE", "OUTCOME", "TASK", "").Yield("FIRED", "CAUSE")
	for _, k := range shown.Ticks {
		task := term.Text("")
		if k.TaskUUID != nil {
			task = a.taskID(*k.TaskUUID)
		}
		table.Row(term.Text(a.at(k.TickAt)).Uncut(), term.Text(a.at(k.FiredAt)).Uncut(), term.Text(strings.ReplaceAll(k.Cause, "_", " ")),
			term.Text(k.Outcome), task, term.Text(text(k.Reason)))
	}
	return table.Write(a.out)
}
