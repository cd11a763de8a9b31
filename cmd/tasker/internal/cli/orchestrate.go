package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/orchestrator"
	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
)

func (a *app) orchestrateCommand() *cobra.Command {
	var (
		config orchestrator.Config
		once   bool
		poll   time.Duration
		listen string
		reads  string
	)
	var command *cobra.Command
	command = a.leaf(cobra.Command{
		Use:   "orchestrate",
		Short: "Keep tasks moving: timers, lost workers, requests, deferred starts, recorded results",
		Long: `Keep tasks moving: timers, lost workers, requests by message, deferred starts, recorded results. It also runs
the duties of tasker.run_maintenance() that are due. Workers handle timers and lost workers, too, so one worker process can
drive a whole system. The other work waits for this command, or for pg_cron that calls tasker.orchestrate().

Notifications and the clock wake it. A fallback polls every 30 seconds in case a notification was lost. The log has the findings of each of these three, and their counts at the end. Any number of orchestrators may run. On SIGINT and SIGTERM it finishes its current call; the exit code is 0 then. With --metrics, Prometheus reads http://ADDRESS/metrics. Each scrape shows the whole database, not this process, so one orchestrator with --metrics is enough.`,
		Example: `  tasker orchestrate
  tasker orchestrate --poll 5s --no-listen      # through a pooler that gives connections by transaction
  tasker orchestrate --poll 0                   # events and due times only
  tasker orchestrate --metrics 127.0.0.1:9187   # for Prometheus
  tasker orchestrate --once                     # no maintenance, no metrics`,
	}, "an object: for each source (start, event, due, fallback) looks, requests_processed, timers_fired, tasks_advanced, steps_recovered, results_processed; "+
		"logs are JSON too. With --once an object of tasker.orchestration_reports: orchestrate()",
		func(ctx context.Context, _ []string) error {
			if config.Limit < 1 {
				return &problem{Exit: exitUsage, Message: "--limit is at least 1"}
			}
			if once && listen != "" {
				return usage(command, "--once takes no --metrics")
			}
			pool, err := a.connect(ctx)
			if err != nil {
				return err
			}
			if once {
				return a.orchestrateOnce(ctx, executor.New(pool), config.Limit)
			}
			if command.Flags().Changed("poll") {
				config.Poll, config.NoPoll = poll, poll == 0
			}
			config.Logger = a.logger()
			if listen != "" {
				read, err := a.connectReads(ctx, reads)
				if err != nil {
					return err
				}
				stop, err := serveMetrics(ctx, listen, pool, cmp.Or(read, pool), config.Logger)
				if err != nil {
					return err
				}
				defer stop()
			}
			counts, err := orchestrator.Run(ctx, pool, config)
			if err != nil {
				return err
			}
			config.Logger.InfoContext(context.WithoutCancel(ctx), "stopped")
			return a.show(counts, func() error { return a.printCounts(counts) })
		})
	flags := command.Flags()
	flags.DurationVar(&poll, "poll", 0, "how often the fallback polls; 0 is never (default: the setting fallback_poll_seconds)")
	flags.BoolVar(&config.NoListen, "no-listen", false, "do not LISTEN")
	flags.Int32VarP(&config.Limit, "limit", "l", 100, "how many items of each kind one call handles at most")
	flags.StringVar(&listen, "metrics", "", "serve metrics for Prometheus at this address, such as 127.0.0.1:9187")
	flags.StringVar(&reads, "reads", "", "the address of a standby that the metrics are read from (default $DATABASE_READ_URL)")
	flags.BoolVar(&once, "once", false, "do the work that is due now, and exit")
	return command
}

// logger writes to standard error, as text or as JSON.
func (a *app) logger() *slog.Logger {
	if a.json {
		return slog.New(slog.NewJSONHandler(a.Err, nil))
	}
	return slog.New(slog.NewTextHandler(a.Err, nil))
}

func (a *app) orchestrateOnce(ctx context.Context, e *executor.SqlFunctionExecutor, limit int32) error {
	processor := uuid.New()
	report, err := e.OrchestrateAs(ctx, limit, processor)
	if err != nil {
		return err
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	return a.show(report, func() error {
		return term.Fields(a.out,
			"requests processed", fmt.Sprint(report.RequestsProcessed),
			"timers fired", fmt.Sprint(report.TimersFired),
			"tasks advanced", fmt.Sprint(report.TasksAdvanced),
			"steps recovered", fmt.Sprint(report.StepsRecovered),
			"results processed", fmt.Sprint(report.ResultsProcessed),
			"next due", a.when(report.NextDueAt, now),
			"processor", processor.String(),
		)
	})
}

func (a *app) printCounts(counts orchestrator.Counts) error {
	table := term.NewTable("FOUND BY", "LOOKS", "REQUESTS", "TIMERS", "TASKS", "LOST STEPS", "RESULTS")
	for _, source := range []orchestrator.Source{orchestrator.Start, orchestrator.Event, orchestrator.Due, orchestrator.Fallback} {
		c := counts[source]
		table.Row(
			term.Text(string(source)), term.Number(c.Looks), term.Number(c.RequestsProcessed), term.Number(c.TimersFired),
			term.Number(c.TasksAdvanced), term.Number(c.StepsRecovered), term.Number(c.ResultsProcessed),
		)
	}
	return table.Write(a.out)
}
