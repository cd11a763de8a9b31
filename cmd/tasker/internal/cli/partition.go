package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) partitionCommands() *cobra.Command {
	return a.group("partition", "See to the partitions: made ahead, dropped when they are old", "docs/partitions.md tells which interval suits whom.",
		a.partitionStatus(), a.partitionSetup(), a.partitionMaintain(), a.partitionGrowth(), a.partitionEvacuate(),
		a.partitionKeep(), a.partitionKept())
}

// partitionReport is the output of the commands status and setup.
type partitionReport struct {
	gen.PartitionStatus
	Partitions []gen.PartitionSize `json:"partitions"`
}

func (a *app) printPartitions(ctx context.Context, e *executor.SqlFunctionExecutor) error {
	status, err := e.PartitionStatus(ctx)
	if err != nil {
		return err
	}
	sizes, err := e.PartitionSizes(ctx)
	if err != nil {
		return err
	}
	return a.show(partitionReport{status, sizes}, func() error {
		from, starts := a.timeColumn("FROM", each(sizes, func(s gen.PartitionSize) time.Time { return s.StartsAt }))
		until, ends := a.timeColumn("UNTIL", each(sizes, func(s gen.PartitionSize) time.Time { return s.EndsAt }))
		table := term.NewTable(from, until, "STATUS", "TASKS", "STEPS", "SIZE", "WHY").Yield("TASKS", "STEPS")
		for _, s := range sizes {
			table.Row(
				starts(s.StartsAt), ends(s.EndsAt), rangeStatus(s.Status),
				term.Number(s.Tasks), term.Number(s.Steps), term.Text(size(float64(s.Bytes))), term.Text(text(s.Detail)),
			)
		}
		if err := table.Write(a.out); err != nil {
			return err
		}
		err := a.out.Say("\none %s each, %d ahead, kept for %s; made by %s: %s\n%s in %s\n",
			status.PartitionUnit, status.Premake, span(status.Retention), status.Backend, status.BackendReason,
			size(float64(status.Bytes)), count(int(status.Ranges), "range"))
		for _, problem := range status.Problems {
			if err == nil {
				err = a.out.Say("! %s\n", inOwnWords(problem))
			}
		}
		return err
	})
}

func rangeStatus(status string) term.Cell {
	switch status {
	case "held", "busy", "expired":
		return term.Colored(status, term.Yellow)
	}
	return term.Text(status)
}

// size formats a number of bytes with a unit.
func size(n float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for ; n >= 1000 && i < len(units)-1; i++ {
		n /= 1000
	}
	if i == 0 {
		return fmt.Sprintf("%.0f B", n)
	}
	return fmt.Sprintf("%.1f %s", n, units[i])
}

func (a *app) partitionStatus() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "status",
		Short: "Show the partitions with their sizes, what keeps old partitions from being dropped, what creates new ones, and problems",
	}, "an object of tasker.partition_statuses: partition_status(), with partitions: an array of tasker.partition_sizes",
		func(ctx context.Context, _ []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			return a.printPartitions(ctx, e)
		})
}

func (a *app) partitionSetup() *cobra.Command {
	var interval, retention, backend string
	var premake int32
	var cron bool
	command := a.leaf(cobra.Command{
		Use:   "setup",
		Short: "Set the length of ranges, how many are created ahead, how long they are kept and what creates them",
		Long: `Set the length of ranges, how many are created ahead, how long they are kept and what creates them. Other settings stay.

It also works on a database with data: if the interval changes, the ranges that have not begun are replaced, without a gap.`,
		Example: "  tasker partition setup --interval '7 days' --premake 4 --retention '90 days'\n  tasker partition setup --pg-cron",
	}, "an object of tasker.partition_statuses: partition_status(), with partitions: an array of tasker.partition_sizes",
		func(ctx context.Context, _ []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			if _, err := e.SetupPartitioning(ctx, sqlfn.SetupPartitioningParams{
				PartitionInterval: interval, Premake: premake,
				Retention: retention, Backend: backend,
			}, a.act); err != nil {
				return err
			}
			for made := int32(1); made > 0; {
				if made, err = e.EnsurePartitions(ctx); err != nil {
					return err
				}
			}
			if cron {
				if _, err := e.SetupCron(ctx, true, a.act); err != nil {
					return err
				}
			}
			return a.printPartitions(ctx, e)
		})
	flags := command.Flags()
	flags.StringVar(&interval, "interval", "", "1 month, 7 days, 1 day or 1 hour")
	flags.Int32Var(&premake, "premake", 0, "how many ranges are created ahead")
	flags.StringVar(&retention, "retention", "", "how long a range is kept, such as 90 days")
	flags.StringVar(&backend, "backend", "", "what creates partitions: auto, builtin or pg_partman")
	flags.BoolVar(&cron, "pg-cron", false, "have pg_cron run maintenance and orchestrate(), as this role")
	return a.acting(command)
}

func (a *app) partitionGrowth() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "growth",
		Short: "Show how fast the run tables grow and which interval suits that",
	}, "an object of tasker.growth_analyses: analyze_growth()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		growth, err := e.AnalyzeGrowth(ctx)
		if err != nil {
			return err
		}
		return a.show(growth, func() error {
			return a.out.Say("about %d tasks and %d steps in %s\n%.0f tasks and %s a day, by the last %.1f days\n"+
				"with ranges of one %s: %s, %s when retention has caught up\n%s\n",
				growth.Tasks, growth.Steps, size(float64(growth.Bytes)),
				growth.TasksPerDay, size(growth.BytesPerDay), growth.DaysObserved,
				growth.RecommendedUnit, count(int(growth.RangesThen), "range"), size(growth.BytesThen), growth.Advice)
		})
	})
}

func (a *app) partitionEvacuate() *cobra.Command {
	var tasks int32
	command := a.leaf(cobra.Command{
		Use:     "evacuate FROM",
		Short:   "Rebuild a range that tasks keep from being dropped, with only these tasks, and drop the rest",
		Example: "  tasker partition evacuate 2026-07-01T00:00:00Z      # the start of a range that status shows as held",
	}, "an object of tasker.retention_outcomes: evacuate_partition()", func(ctx context.Context, args []string) error {
		startsAt, err := time.Parse(time.RFC3339, args[0])
		if err != nil {
			return &problem{Exit: exitUsage, Message: fmt.Sprintf("%q is not a time such as 2026-07-01T00:00:00Z", args[0])}
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		outcome, err := e.EvacuatePartition(ctx, startsAt, tasks, a.act)
		if err != nil {
			return err
		}
		if err := a.show(outcome, func() error {
			return a.out.Say("%s: %s\n", outcome.Outcome, outcome.Detail)
		}); err != nil {
			return err
		}
		if outcome.Outcome != "evacuated" {
			return &problem{Exit: exitNo, Message: "nothing was moved: " + outcome.Detail, Hint: "Try again later, or raise --limit."}
		}
		return nil
	})
	command.Flags().Int32VarP(&tasks, "limit", "l", 0, "how many tasks may be moved at most (default 1000)")
	return a.acting(command)
}

func (a *app) printRetentions(retentions []gen.Retention) error {
	table := term.NewTable("NAMESPACE", "TEMPLATE", "KEPT FOR", "SET", "BY").Yield("SET", "BY")
	return list(a, retentions, "all tasks are kept as long as their range", table, func(r gen.Retention) []term.Cell {
		template := "all others"
		if r.Template != nil {
			template = *r.Template
		}
		return []term.Cell{
			term.Text(r.Namespace), term.Text(template), term.Text(r.KeepFor), term.Text(a.at(r.SetAt)), term.Text(r.SetBy),
		}
	})
}

func (a *app) partitionKept() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "kept",
		Short: "List the namespaces and templates whose tasks are kept longer than the ranges",
	}, "an array of tasker.retention_details: list_retentions()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		retentions, err := e.ListRetentions(ctx)
		if err != nil {
			return err
		}
		return a.printRetentions(retentions)
	})
}

func (a *app) partitionKeep() *cobra.Command {
	var template, keepFor string
	command := a.leaf(cobra.Command{
		Use:   "keep NAMESPACE",
		Short: "Keep the tasks of a namespace or of a template longer than the ranges",
		Long: `Keep the tasks of a namespace, or of one of its templates, for a time after the end of their range. Maintenance moves
these tasks before it drops the range. Without --for the tasks are dropped with their range again.`,
		Example:           "  tasker partition keep audit --for '7 years'\n  tasker partition keep shop --template order --for '2 years'",
		ValidArgsFunction: a.complete(a.namespaces),
	}, "an array of tasker.retention_details: set_retention()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		retentions, err := e.SetRetention(ctx, args[0], template, keepFor, a.act)
		if err != nil {
			return err
		}
		return a.printRetentions(retentions)
	})
	command.Flags().StringVar(&template, "template", "", "a template of the namespace")
	command.Flags().StringVar(&keepFor, "for", "", "how long a task is kept after the end of its range, such as 2 years")
	return a.acting(command)
}
