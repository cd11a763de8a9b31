package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/tasklib"
	tasklibgen "github.com/pgtasker/pgtasker/tasklib/gen"
)

func (a *app) jobPause() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:   "pause NAME",
		Short: "Stop handing out jobs of a name; running jobs finish",
	}, "an object: changed, false if it was paused already", func(ctx context.Context, args []string) error {
		return a.setJobPaused(ctx, args[0], "paused", (*tasklib.Functions).PauseTask)
	}))
}

func (a *app) jobResume() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:   "resume NAME",
		Short: "Hand out the jobs of a paused name again, and wake its workers",
	}, "an object: changed, false if it was not paused", func(ctx context.Context, args []string) error {
		return a.setJobPaused(ctx, args[0], "running", (*tasklib.Functions).ResumeTask)
	}))
}

// setJobPaused pauses or resumes a name, and reports its state.
func (a *app) setJobPaused(
	ctx context.Context, name, what string, set func(f *tasklib.Functions, ctx context.Context, name string, actor, reason *string) (bool, error),
) error {
	f, err := a.jobs(ctx)
	if err != nil {
		return err
	}
	changed, err := set(f, ctx, name, optional(a.act.Actor), optional(a.act.Reason))
	if err != nil {
		return err
	}
	return a.show(map[string]bool{"changed": changed}, func() error {
		verb := "done"
		if !changed {
			verb = "nothing to do"
		}
		return a.out.Say("%s: the jobs of %s are %s\n", verb, name, what)
	})
}

// purgeBatch is how many jobs one transaction deletes.
const purgeBatch = 10000

func (a *app) jobPurge() *cobra.Command {
	var (
		before, state, name string
		yes                 bool
	)
	command := a.leaf(cobra.Command{
		Use:   "purge",
		Short: "Delete jobs that ended long ago, whatever their time to live, and their recorded runs",
		Long: `Delete jobs that ended long ago, whatever their time to live, and their recorded runs. Pending and running jobs
are never deleted. The command asks before it deletes, unless --yes is given. A transaction has 10,000 jobs, so an interrupted
purge has deleted the oldest jobs.`,
		Example: "  tasker job purge --until 720h --state completed\n  tasker job purge --until 2026-01-01T00:00:00Z --name report --yes",
	}, "an object: deleted", func(ctx context.Context, _ []string) error {
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		now, err := f.Clock(ctx)
		if err != nil {
			return err
		}
		until, err := parseTime("until", before, now, -1)
		if err != nil {
			return err
		}
		if until.IsZero() {
			return &problem{Exit: exitUsage, Message: "--until is missing", Hint: "Say when the jobs must have ended: --until 720h is 30 days ago."}
		}
		if !yes {
			what := fmt.Sprintf("%s that ended before %s are deleted", jobsOf(state, name), a.at(until))
			if err := a.confirm(what, a.pool.Config().ConnConfig.Database); err != nil {
				return err
			}
		}
		deleted := 0
		for {
			n, err := f.Purge(ctx, tasklibgen.PurgeParams{
				Before: until, State: optional(state), Name: optional(name), MaxTasks: purgeBatch,
			})
			if err != nil {
				return err
			}
			deleted += int(n)
			if n < purgeBatch {
				break
			}
		}
		return a.show(map[string]int{"deleted": deleted}, func() error {
			return a.out.Say("%s deleted\n", count(deleted, "job"))
		})
	})
	flags := command.Flags()
	flags.StringVar(&before, "until", "", "jobs that ended before this time: 720h ago, or 2026-01-31T12:00:00Z")
	flags.StringVarP(&state, "state", "s", "", "only jobs in this state: completed, failed or cancelled")
	flags.StringVar(&name, "name", "", "only of this name")
	flags.BoolVar(&yes, "yes", false, "do not ask")
	return command
}

// jobsOf describes the jobs in a state and of a name.
func jobsOf(state, name string) string {
	what := "All jobs"
	if state != "" {
		what = "All " + state + " jobs"
	}
	if name != "" {
		what += " of " + quote(name)
	}
	return what
}

func (a *app) jobSchedule() *cobra.Command {
	var (
		kwargs, tags string
		timeout      time.Duration
		retries      int32
		params       tasklibgen.ScheduleTaskParams
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "schedule SCHEDULE NAME",
		Short: "Submit a job at every tick of a cron expression, from now on",
		Long: `Submit a job at every tick of a cron expression, from now on, however many workers run. An existing schedule of
this name is changed. --missed says what happens to ticks while no worker runs.`,
		Example: `  tasker job schedule nightly report --cron '0 2 * * *' --timezone Europe/Berlin
  tasker job schedule poll fetch --cron '*/5 * * * *' --kwargs '{"feed": 7}' --missed skip`,
	}, "an object of tasklib.schedules: schedule_task()", func(ctx context.Context, args []string) (err error) {
		params.Schedule, params.Name = args[0], args[1]
		if params.Cron == "" {
			return &problem{Exit: exitUsage, Message: "--cron is missing", Hint: "For example --cron '0 2 * * *', each day at two."}
		}
		if params.Kwargs, err = a.readObject("kwargs", kwargs); err != nil {
			return err
		}
		if params.Tags, err = a.readObject("tags", tags); err != nil {
			return err
		}
		if command.Flags().Changed("max-retries") {
			params.MaxRetries = &retries
		}
		if timeout%time.Second != 0 {
			return &problem{Exit: exitUsage, Message: "--timeout is a whole number of seconds, not " + timeout.String()}
		}
		params.TimeoutSeconds = optional(int32(timeout / time.Second))
		params.Actor, params.Reason = optional(a.act.Actor), optional(a.act.Reason)
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		schedule, err := f.ScheduleTask(ctx, params)
		if err != nil {
			return err
		}
		now, err := f.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(schedule, func() error {
			return a.out.Say("%s schedule %s submits %s next at %s\n",
				a.out.Paint("done:", term.Green), schedule.Schedule, schedule.Name, a.when(&schedule.NextAt, now))
		})
	})
	flags := command.Flags()
	flags.StringVar(&params.Cron, "cron", "", "when: minute, hour, day of the month, month, day of the week")
	flags.StringVar(&params.Timezone, "timezone", "UTC", "the time zone of the expression")
	flags.StringVar(&params.Missed, "missed", "once", "missed ticks: skip submits no job for them, once submits one job for all of them, all submits one job for each")
	flags.StringVar(&kwargs, "kwargs", "{}", "the jobs' arguments, a JSON object; @FILE reads a file, - standard input")
	flags.StringVar(&tags, "tags", "", "tags of the jobs, a JSON object")
	flags.Int32VarP(&params.Priority, "priority", "p", 0, "a job with a higher priority starts first")
	flags.Int32Var(&retries, "max-retries", 0, "how often each job is tried again (default: the value of the name or of the settings)")
	flags.DurationVar(&timeout, "timeout", 0, "how long a run may take (default: the value of the name)")
	return a.acting(command)
}

func (a *app) jobUnschedule() *cobra.Command {
	return a.acting(a.leaf(cobra.Command{
		Use:   "unschedule SCHEDULE",
		Short: "Delete a schedule; the jobs that it submitted stay",
	}, "an object: changed, false if there was no such schedule", func(ctx context.Context, args []string) error {
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		changed, err := f.UnscheduleTask(ctx, args[0], optional(a.act.Actor), optional(a.act.Reason))
		if err != nil {
			return err
		}
		return a.show(map[string]bool{"changed": changed}, func() error {
			if !changed {
				return a.out.Say("nothing to do: there is no schedule %s\n", quote(args[0]))
			}
			return a.out.Say("done: schedule %s has ended\n", quote(args[0]))
		})
	}))
}
