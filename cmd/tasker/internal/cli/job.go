package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/tasklib"
	tasklibgen "github.com/pgtasker/pgtasker/tasklib/gen"
)

func (a *app) jobCommands() *cobra.Command {
	return a.group("job", "Submit and look at jobs: tasks of tasklib, which have no graph", `Jobs are what tasklib calls tasks: a name, arguments, retries, one row each, and no graph. docs/tasklib.md tells of them.`,
		a.jobSubmit(), a.jobList(), a.jobShow(), a.jobRetry(), a.jobCancel(), a.jobErase(), a.jobStats(), a.jobPause(), a.jobResume(),
		a.jobPurge(), a.jobSchedules(), a.jobSchedule(), a.jobUnschedule())
}

// jobs returns a caller of the functions of schema tasklib.
func (a *app) jobs(ctx context.Context) (*tasklib.Functions, error) {
	pool, err := a.connect(ctx)
	if err != nil {
		return nil, err
	}
	return tasklib.NewFunctions(pool), nil
}

const whichJobs = "tasker job list prints them."

// readObject returns the JSON that a flag names, nil if it is empty.
func (a *app) readObject(flag, argument string) (json.RawMessage, error) {
	if argument == "" {
		return nil, nil
	}
	content, err := a.readText(argument)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	if !json.Valid(content) {
		return nil, invalid(fmt.Sprintf(`For example --%s '{"order": 7}'.`, flag), "--%s is not JSON", flag)
	}
	return content, nil
}

func (a *app) jobSubmit() *cobra.Command {
	var (
		kwargs, tags, key, limitKey string
		delay, timeout              time.Duration
		retries                     int32
		params                      tasklibgen.SubmitTaskParams
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "submit NAME",
		Short: "Submit a job of a registered name",
		Long: `Submit a job of a registered name and print its id. With --dedup-key the command finds a pending or running job
of the same name and key instead, and with --dedup-kept also a job that has ended. The output says "created" or "exists".
Arguments that workers expect encrypted must come from a program that has the key.`,
		Example: `  tasker job submit send_email --kwargs '{"to": "someone@example.org"}' --priority 5
  tasker job submit report --kwargs @report.json --delay 10m --dedup-key monday`,
	}, "an object of tasklib.task_submissions: submit_task()", func(ctx context.Context, args []string) (err error) {
		params.Name, params.DelaySeconds, params.DedupKey = args[0], delay.Seconds(), optional(key)
		params.LimitKey = optional(limitKey)
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
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		submitted, err := f.SubmitTask(ctx, params)
		if err != nil {
			return err
		}
		return a.show(submitted, func() error {
			verb := a.out.Paint("created", term.Green)
			if !submitted.Created {
				verb = "exists"
			}
			return a.out.Say("%s %s\n", submitted.ID, verb)
		})
	})
	flags := command.Flags()
	flags.StringVar(&kwargs, "kwargs", "{}", "the arguments of the job, a JSON object; @FILE reads a file, - standard input")
	flags.StringVar(&tags, "tags", "", "tags of the job, a JSON object")
	flags.DurationVar(&delay, "delay", 0, "how long the job waits before its first run")
	flags.Int32VarP(&params.Priority, "priority", "p", 0, "a job with a higher priority starts first")
	flags.Int32Var(&retries, "max-retries", 0, "how often the job is tried again (default: the value of the name or of the settings)")
	flags.DurationVar(&timeout, "timeout", 0, "how long a run may take (default: the value of the name)")
	flags.StringVar(&key, "dedup-key", "", "if a job with this key exists, find that job instead")
	flags.BoolVar(&params.DedupKept, "dedup-kept", false, "find also a job that has ended")
	flags.StringVar(&limitKey, "limit-key", "", "the key, such as a customer; the keys of a name take turns")
	return command
}

func jobColor(s tasklib.State) term.Color {
	switch s {
	case tasklib.StateRunning:
		return term.Cyan
	case tasklib.StateCompleted:
		return term.Green
	case tasklib.StateFailed:
		return term.Red
	case tasklib.StateCancelled:
		return term.Dim
	}
	return term.Plain
}

func (a *app) jobList() *cobra.Command {
	var (
		inState, name, tags, before string
		limit                       int32
	)
	command := a.leaf(cobra.Command{
		Use:     "list",
		Short:   "List jobs, newest first",
		Example: "  tasker job list --state failed --name send_email\n  tasker job list --tags '{\"order\": 7}'",
	}, "an array of tasklib.task_details: list_tasks()", func(ctx context.Context, _ []string) (err error) {
		params := tasklibgen.ListTasksParams{State: optional(inState), Name: optional(name), MaxTasks: limit}
		if params.Tags, err = a.readObject("tags", tags); err != nil {
			return err
		}
		if before != "" {
			id, err := a.findJob(ctx, "--before", before)
			if err != nil {
				return err
			}
			params.Before = &id
		}
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		found, err := f.ListTasks(ctx, params)
		if err != nil {
			return err
		}
		now, err := f.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("JOB", "NAME", "STATE", "RETRIES", "AGE", "").Yield("RETRIES")
		return list(a, found, "there are no such jobs", table, func(t tasklibgen.TaskDetail) []term.Cell {
			return []term.Cell{
				a.id(t.ID), term.Text(t.Name), term.Colored(string(t.State), jobColor(t.State)),
				term.Text(fmt.Sprintf("%d/%d", t.RetryCount, t.MaxRetries)), term.Text(span(now.Sub(t.CreatedAt))),
				term.Text(jobNote(t, now)),
			}
		})
	})
	flags := command.Flags()
	flags.StringVarP(&inState, "state", "s", "", "in this state: pending, running, completed, failed or cancelled")
	flags.StringVar(&name, "name", "", "of this name")
	flags.StringVar(&tags, "tags", "", "whose tags contain these, a JSON object")
	flags.StringVar(&before, "before", "", "older than this job, the last job of the preceding page")
	flags.Int32VarP(&limit, "limit", "l", 50, "how many at most")
	return a.watched(command)
}

// jobNote returns when a job is due, and its error.
func jobNote(t tasklibgen.TaskDetail, now time.Time) string {
	due := ""
	if t.State == tasklib.StatePending {
		at := t.ScheduledAt
		if t.NextRetryAt != nil {
			at = *t.NextRetryAt
		}
		if at.After(now) {
			due = "in " + span(at.Sub(now))
		}
	}
	return join(": ", due, text(t.Error))
}

// shownJob is a job as --json prints it.
type shownJob struct {
	Task tasklibgen.TaskDetail `json:"task"`
	Runs []tasklibgen.TaskRun  `json:"runs"`
}

func (a *app) jobShow() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "show JOB",
		Short: "Show a job: its state, arguments, result, and the runs that have ended",
		Long: `Show a job: its state, arguments, result, and the runs that have ended. Runs are recorded while the setting
audit_runs of tasklib is true.`,
	}, "an object: task (get_task()), runs (list_task_runs())", func(ctx context.Context, args []string) error {
		id, err := a.findJob(ctx, "JOB", args[0])
		if err != nil {
			return err
		}
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		task, err := f.GetTask(ctx, id)
		if err != nil {
			return err
		}
		runs, err := f.ListTaskRuns(ctx, id)
		if err != nil {
			return err
		}
		now, err := f.Clock(ctx)
		if err != nil {
			return err
		}
		if runs == nil {
			runs = []tasklibgen.TaskRun{}
		}
		return a.show(shownJob{task, runs}, func() error { return a.printJob(task, runs, now) })
	})
}

func (a *app) printJob(t tasklibgen.TaskDetail, runs []tasklibgen.TaskRun, now time.Time) error {
	timeout, priority := "", ""
	if t.TimeoutSeconds != nil {
		timeout = span(time.Duration(*t.TimeoutSeconds) * time.Second)
	}
	if t.Priority != 0 {
		priority = fmt.Sprint(t.Priority)
	}
	err := term.Fields(a.out,
		"job", t.ID.String(),
		"name", t.Name,
		"state", string(t.State),
		"retries", fmt.Sprintf("%d of %d", t.RetryCount, t.MaxRetries),
		"priority", priority,
		"timeout", timeout,
		"submitted", a.when(&t.CreatedAt, now)+" by "+t.SubmittedBy,
		"due", a.when(&t.ScheduledAt, now),
		"next retry", a.when(t.NextRetryAt, now),
		"started", a.when(t.StartedAt, now),
		"ended", a.when(t.CompletedAt, now),
		"worker", text(t.WorkerID),
		"locked until", a.when(t.LockedUntil, now),
		"kept until", a.when(t.ExpiresAt, now),
		"key", text(t.DedupKey),
		"limit key", text(t.LimitKey),
		"tags", compact(t.Tags),
		"arguments", compact(t.Kwargs),
		"result", compact(t.Result),
		"error", text(t.Error),
	)
	if err != nil || len(runs) == 0 {
		return err
	}
	if err := a.out.Print("\n"); err != nil {
		return err
	}
	heading, cell := a.timeColumn("STARTED", each(runs, func(r tasklibgen.TaskRun) time.Time { return r.StartedAt }))
	table := term.NewTable("RUN", heading, "TOOK", "WORKER", "OUTCOME", "").Yield("WORKER", "TOOK")
	for _, r := range runs {
		table.Row(term.Number(r.ClaimNo), cell(r.StartedAt), term.Text(span(r.EndedAt.Sub(r.StartedAt))),
			term.Text(r.WorkerID), term.Text(r.Outcome), term.Text(text(r.Error)))
	}
	return table.Write(a.out)
}

// jobOutcome is the JSON of a change.
type jobOutcome struct {
	// Changed is false if the job already was in the wanted state.
	Changed bool `json:"changed"`
	tasklibgen.TaskDetail
}

// jobChange returns the command that changes one job.
func (a *app) jobChange(command cobra.Command, change func(ctx context.Context, f *tasklib.Functions, id uuid.UUID) (bool, error)) *cobra.Command {
	return a.leaf(command, "an object of tasklib.task_details, and changed (false if there was nothing to do)",
		func(ctx context.Context, args []string) error {
			id, err := a.findJob(ctx, "JOB", args[0])
			if err != nil {
				return err
			}
			f, err := a.jobs(ctx)
			if err != nil {
				return err
			}
			changed, err := change(ctx, f, id)
			if err != nil {
				return err
			}
			task, err := f.GetTask(ctx, id)
			if err != nil {
				return err
			}
			return a.show(jobOutcome{changed, task}, func() error {
				verb := a.out.Paint("done:", term.Green)
				if !changed {
					verb = "nothing to do:"
				}
				return a.out.Say("%s job %s is %s\n", verb, id, a.out.Paint(string(task.State), jobColor(task.State)))
			})
		})
}

func (a *app) jobRetry() *cobra.Command {
	var delay time.Duration
	command := a.jobChange(cobra.Command{
		Use:   "retry JOB",
		Short: "Run a failed or cancelled job again, with all its retries",
	}, func(ctx context.Context, f *tasklib.Functions, id uuid.UUID) (bool, error) {
		return f.RetryTask(ctx, id, delay.Seconds())
	})
	command.Flags().DurationVar(&delay, "delay", 0, "how long the job waits before it runs")
	return command
}

func (a *app) jobCancel() *cobra.Command {
	var reason string
	command := a.jobChange(cobra.Command{
		Use:   "cancel JOB",
		Short: "Cancel a job; the worker of a running job is notified, and its result is refused",
	}, func(ctx context.Context, f *tasklib.Functions, id uuid.UUID) (bool, error) {
		return f.CancelTask(ctx, id, optional(reason))
	})
	command.Flags().StringVarP(&reason, "reason", "r", "", "why, for the record")
	return command
}

func (a *app) jobStats() *cobra.Command {
	var since string
	command := a.leaf(cobra.Command{
		Use:   "stats [NAME]",
		Short: "Count the jobs of each name by state, and the recently submitted ones by outcome",
	}, "an array of tasklib.task_stats: stats()", func(ctx context.Context, args []string) error {
		var name *string
		if len(args) > 0 {
			name = &args[0]
		}
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		now, err := f.Clock(ctx)
		if err != nil {
			return err
		}
		from, err := parseTime("since", since, now, -1)
		if err != nil {
			return err
		}
		stats, err := f.Stats(ctx, name, now.Sub(from).Seconds())
		if err != nil {
			return err
		}
		table := term.NewTable("NAME", "READY", "OLDEST", "WAITING", "RUNNING", "FAILED", "SUBMITTED", "COMPLETED", "RETRIED", "RUN TOOK", "WAITED", "").Yield("RETRIED", "WAITED", "RUN TOOK", "SUBMITTED", "COMPLETED", "WAITING", "OLDEST")
		return list(a, stats, "no name is registered", table, func(s tasklibgen.TaskStats) []term.Cell {
			oldest := ""
			if s.OldestReadyAt != nil {
				oldest = span(now.Sub(*s.OldestReadyAt))
			}
			return []term.Cell{
				term.Text(s.Name), term.Number(s.Ready), term.Text(oldest), term.Number(s.Waiting), term.Number(s.Running),
				term.Number(s.Failed), term.Number(s.Submitted), term.Number(s.Completed), term.Number(s.Retried),
				term.Text(tookOrNone(s.MeanRunSeconds)), term.Text(tookOrNone(s.MeanWaitSeconds)), term.Colored(heldUp(s, now), term.Yellow),
			}
		})
	})
	command.Flags().StringVar(&since, "since", "1h", "count the outcomes of jobs that were submitted since this time: 1h ago, or 2026-01-31T12:00:00Z")
	return a.watched(command)
}

// heldUp returns why no job of a name is claimed.
func heldUp(s tasklibgen.TaskStats, now time.Time) string {
	paused, open := "", ""
	if s.Paused {
		paused = "paused"
	}
	if until := s.BreakerOpenUntil; until != nil && until.After(now) {
		open = "breaker open for " + span(until.Sub(now))
	}
	return join(", ", paused, open)
}

// tookOrNone calls took for a number that may be missing.
func tookOrNone(seconds *float64) string {
	if seconds == nil {
		return ""
	}
	return took(*seconds)
}

func (a *app) jobSchedules() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "schedules",
		Short: "List the schedules that submit jobs: when each ticks next, and when it ticked last",
	}, "an array of tasklib.schedules: list_schedules()", func(ctx context.Context, _ []string) error {
		f, err := a.jobs(ctx)
		if err != nil {
			return err
		}
		schedules, err := f.ListSchedules(ctx)
		if err != nil {
			return err
		}
		now, err := f.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("SCHEDULE", "JOBS OF", "CRON", "ZONE", "MISSED", "NEXT", "LAST").Yield("MISSED", "LAST", "ZONE")
		return list(a, schedules, "there are no schedules", table, func(s tasklibgen.Schedule) []term.Cell {
			return []term.Cell{
				term.Text(s.Schedule), term.Text(s.Name), term.Text(s.Cron), term.Text(s.Timezone), term.Text(s.Missed),
				term.Text(distance(&s.NextAt, now)), term.Text(distance(s.LastAt, now)),
			}
		})
	})
}
