package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) scheduleSet() *cobra.Command {
	var (
		params                    sqlfn.SetScheduleParams
		cron, input, starts, ends string
		every, jitter, deadline   time.Duration
	)
	command := a.leaf(cobra.Command{
		Use:   "set NAMESPACE/SCHEDULE TEMPLATE",
		Short: "Create a task of a template at every tick, from now on",
		Long: `Create a task of a template (NAME or NAME@VERSION) at every tick, from now on, however many workers there are.
An existing schedule of this name is changed. The file of a template may also have schedules: see "tasker apply".`,
		Example: `  tasker schedule set shop/nightly report --cron '0 2 * * *' --timezone Europe/Berlin --overlap skip
  tasker schedule set shop/poll fetch@1.2.0 --every 5m --jitter 30s --context '{"feed": 7}'`,
	}, "an object of tasker.schedules: set_schedule()", func(ctx context.Context, args []string) (err error) {
		if params.Namespace, params.Schedule, err = parseSchedule(args[0]); err != nil {
			return err
		}
		template, err := parseReference(params.Namespace + "/" + args[1])
		if err != nil {
			return err
		}
		params.TaskName, params.TaskVersion, params.Cron = template.name, text(template.version), cron
		if params.Context, err = a.readObject("context", input); err != nil {
			return err
		}
		for flag, d := range map[string]time.Duration{"every": every, "jitter": jitter, "deadline": deadline} {
			if d%time.Second != 0 {
				return &problem{Exit: exitUsage, Message: "--" + flag + " is a whole number of seconds, not " + d.String()}
			}
		}
		params.EverySeconds = int32(every / time.Second)
		params.DeadlineSeconds = int32(deadline / time.Second)
		params.JitterSeconds = int32(jitter / time.Second)
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		if params.StartsAt, err = parseTime("starts", starts, now, 1); err != nil {
			return err
		}
		if params.EndsAt, err = parseTime("ends", ends, now, 1); err != nil {
			return err
		}
		schedule, err := e.SetSchedule(ctx, params, a.act)
		if err != nil {
			return err
		}
		return a.show(schedule, func() error {
			return a.out.Say("%s schedule %s/%s creates a task of %s next at %s\n",
				a.out.Paint("done:", term.Green), schedule.Namespace, schedule.Schedule, schedule.TaskName, a.when(schedule.DueAt, now))
		})
	})
	flags := command.Flags()
	flags.StringVar(&cron, "cron", "", "when: minute, hour, day of the month, month, day of the week")
	flags.DurationVar(&every, "every", 0, "instead of --cron: an interval")
	flags.StringVar(&params.Timezone, "timezone", "UTC", "the time zone of the expression")
	flags.StringVarP(&input, "context", "c", "{}", "the JSON object that handlers get; @FILE reads a file, - standard input")
	flags.StringVar(&params.CatchUp, "catch-up", "one", "missed ticks: skip creates no task for them, one creates one task for all of them, all creates one task for each")
	flags.Int32Var(&params.CatchUpLimit, "catch-up-limit", 100, "for how many missed ticks --catch-up all creates tasks")
	flags.StringVar(&params.Overlap, "overlap", "allow", "while a task runs: allow another one, skip the tick, or queue_one")
	flags.DurationVar(&jitter, "jitter", 0, "the longest delay of a tick; the same tick always has the same delay")
	flags.DurationVar(&deadline, "deadline", 0, "how long after its tick a task fails if it has not ended")
	flags.StringVar(&starts, "starts", "", "no tick before this time: 2h from now, or 2026-01-31T12:00:00Z")
	flags.StringVar(&ends, "ends", "", "no tick after this time")
	flags.Int32VarP(&params.Priority, "priority", "p", 0, "a task with a higher priority starts first")
	flags.StringSliceVarP(&params.Tags, "tag", "t", nil, "a tag of the tasks; may be given more than once")
	return a.acting(command)
}

// scheduleChange returns the command that changes one schedule, and reports its state.
func (a *app) scheduleChange(
	command cobra.Command, rows, done, not string, change func(ctx context.Context, e *executor.SqlFunctionExecutor, namespace, schedule string) (bool, error),
) *cobra.Command {
	command.ValidArgsFunction = a.complete(a.schedules)
	return a.acting(a.leaf(command, rows, func(ctx context.Context, args []string) error {
		namespace, name, err := parseSchedule(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		changed, err := change(ctx, e, namespace, name)
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"changed": changed}, func() error {
			if !changed {
				return a.out.Say("nothing to do: schedule %s %s\n", args[0], not)
			}
			return a.out.Say("done: schedule %s %s\n", args[0], done)
		})
	}))
}

func (a *app) schedulePause() *cobra.Command {
	return a.scheduleChange(cobra.Command{
		Use:   "pause NAMESPACE/SCHEDULE",
		Short: "Stop a schedule from creating tasks; existing tasks continue",
	}, "an object: changed, false if it was paused already", "is paused", "was paused already",
		func(ctx context.Context, e *executor.SqlFunctionExecutor, namespace, schedule string) (bool, error) {
			return e.PauseSchedule(ctx, namespace, schedule, a.act)
		})
}

func (a *app) scheduleResume() *cobra.Command {
	return a.scheduleChange(cobra.Command{
		Use:   "resume NAMESPACE/SCHEDULE",
		Short: "Resume a paused schedule, from now on",
	}, "an object: changed, false if it was not paused", "ticks again", "was not paused",
		func(ctx context.Context, e *executor.SqlFunctionExecutor, namespace, schedule string) (bool, error) {
			return e.ResumeSchedule(ctx, namespace, schedule, a.act)
		})
}

func (a *app) scheduleDelete() *cobra.Command {
	return a.scheduleChange(cobra.Command{
		Use:   "delete NAMESPACE/SCHEDULE",
		Short: "Delete a schedule and its history; the tasks that it created stay",
	}, "an object: changed, false if there was no such schedule", "is deleted", "does not exist",
		func(ctx context.Context, e *executor.SqlFunctionExecutor, namespace, schedule string) (bool, error) {
			return e.DeleteSchedule(ctx, namespace, schedule, a.act)
		})
}

func (a *app) scheduleRun() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:               "run NAMESPACE/SCHEDULE",
		Short:             "Create a task of a schedule now, in addition to its ticks",
		ValidArgsFunction: a.complete(a.schedules),
	}, "an object of tasker.schedule_ticks: run_schedule_now()", func(ctx context.Context, args []string) error {
		namespace, name, err := parseSchedule(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		tick, err := e.RunScheduleNow(ctx, namespace, name, a.act)
		if err != nil {
			return err
		}
		return a.show(tick, func() error { return a.out.Say("%s created\n", tick.TaskUUID) })
	}))
}

func (a *app) scheduleBackfill() *cobra.Command {
	var (
		from, until, overlap string
		stop                 bool
	)
	command := a.leaf(cobra.Command{
		Use:   "backfill NAMESPACE/SCHEDULE",
		Short: "Create the tasks of a schedule's ticks in a past period",
		Long: `Create the tasks of a schedule's ticks in a past period. A tick that already has a task gets no second task.
"tasker schedule show" shows the progress of the backfill, and --stop ends it.`,
		Example:           "  tasker schedule backfill shop/nightly --since 2026-01-01T00:00:00Z --until 2026-01-31T00:00:00Z",
		ValidArgsFunction: a.complete(a.schedules),
	}, "an object of tasker.schedules: backfill_schedule()", func(ctx context.Context, args []string) (err error) {
		params := sqlfn.BackfillScheduleParams{Overlap: overlap}
		if params.Namespace, params.Schedule, err = parseSchedule(args[0]); err != nil {
			return err
		}
		if stop == (from != "") || stop == (until != "") {
			return &problem{Exit: exitUsage, Message: "schedule backfill takes either --since and --until, or --stop", Hint: "For example --since 48h --until 24h."}
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		if params.FromAt, err = parseTime("since", from, now, -1); err != nil {
			return err
		}
		if params.UntilAt, err = parseTime("until", until, now, -1); err != nil {
			return err
		}
		schedule, err := e.BackfillSchedule(ctx, params, a.act)
		if err != nil {
			return err
		}
		return a.show(schedule, func() error {
			if schedule.BackfillNextAt == nil {
				return a.out.Say("done: schedule %s is no longer backfilled\n", args[0])
			}
			return a.out.Say("done: schedule %s is backfilled from %s until %s\n", args[0], a.at(*schedule.BackfillNextAt), a.at(*schedule.BackfillUntil))
		})
	})
	flags := command.Flags()
	flags.StringVar(&from, "since", "", "no tick before this time: 48h ago, or 2026-01-31T12:00:00Z")
	flags.StringVar(&until, "until", "", "no tick after this time")
	flags.StringVar(&overlap, "overlap", "one_by_one", "one_by_one: each task after the end of the preceding task; allow: without waiting")
	flags.BoolVar(&stop, "stop", false, "end the running backfill")
	return a.acting(command)
}
