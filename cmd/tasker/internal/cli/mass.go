package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

func (a *app) massCommands() *cobra.Command {
	return a.group("mass", "Mass actions: an action on every entry of a selection, in stages", "docs/howto/mass-actions.md tells how they behave.",
		a.massStart(), a.massList(), a.massShow(), a.massStop(), a.massResume())
}

// massStarted is the JSON of a mass action that was started, stopped or resumed.
type massStarted struct {
	// Changed is false if the action already was in this state.
	Changed bool `json:"changed"`
	gen.MassActionDetail
}

func (a *app) massStart() *cobra.Command {
	var (
		params                 sqlfn.StartMassActionParams
		because                because
		version, from, results string
		keep                   bool
		canary                 time.Duration
		command                *cobra.Command
	)
	command = a.leaf(cobra.Command{
		Use:   "start SELECTION ACTION",
		Short: "Act on every entry of a selection, at most once: on one entry, then on ten, then on the rest",
		Long: `Act on every entry of a selection, at most once. ACTION is reset, cancel, fork or resolve for tasks, retry,
complete or resolve for steps, requeue for dead letters. tasker orchestrate acts on one entry, then on ten, then on the rest.
It begins the next stage when the outcomes are known, and stops if too large a share of them are failures.

The command shows the set and asks. --entries with the number of its entries confirms it without a question.`,
		Example: `  tasker mass start 0193d2a4-7c1e-7a52-8f00-1b2c3d4e5f60 reset --reason 'the bank is open'
  tasker mass start 0193d2a4-7c1e-7a52-8f00-1b2c3d4e5f60 fork --version 1.5.1 --entries 812 --reason 'mended in 1.5.1'`,
	}, "an object of tasker.mass_action_details: get_mass_action(), and changed (false if the same action was started before)",
		func(ctx context.Context, args []string) error {
			id, err := parseSelection(args[0])
			if err != nil {
				return err
			}
			if params.Arguments, err = massArguments(command, args[1], version, from, results, keep); err != nil {
				return err
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			s, err := e.GetSelection(ctx, id)
			if err != nil {
				return err
			}
			if !command.Flags().Changed("entries") {
				if err := a.askMass(ctx, e, s, args[1]); err != nil {
					return err
				}
				params.Entries = s.Entries
			}
			params.SelectionUUID, params.Action, params.Reason, params.Actor = id, args[1], because.reason, because.actor
			params.CanarySeconds = int32(canary.Seconds())
			changed, err := e.StartMassAction(ctx, params)
			if err != nil {
				return err
			}
			return a.showMass(ctx, e, id, changed, "started")
		})
	flags := command.Flags()
	flags.StringVarP(&because.reason, "reason", "r", "", "why, for the logs")
	flags.StringVar(&because.actor, "actor", "", "who, for the logs (default the database role)")
	flags.Int32Var(&params.Entries, "entries", 0, "how many entries the selection has, instead of a question")
	flags.BoolVar(&params.AtOnce, "at-once", false, "act on all entries at once, without the stages of one and of ten entries")
	flags.Int32Var(&params.PerMinute, "per-minute", 0, "how many entries of the rest it acts on in a minute (default any number)")
	flags.Float64Var(&params.StopShare, "stop-share", 0.2, "stop when a larger share of the known outcomes are failures")
	flags.DurationVar(&canary, "canary", 5*time.Minute, "how long it waits for the outcomes of the first entry, and of the ten next entries")
	flags.StringVar(&version, "version", "", "fork: the version of the template (default the task's)")
	flags.StringVar(&from, "from-step", "", "fork: from this step (default the first that failed)")
	flags.BoolVar(&keep, "keep", false, "fork: do not cancel the old tasks")
	flags.StringVar(&results, "results", "", "complete: the results, as JSON")
	return command
}

// askMass shows the set that a mass action would act on, and asks.
func (a *app) askMass(ctx context.Context, e *executor.SqlFunctionExecutor, s gen.SelectionDetail, action string) error {
	now, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	if !a.json {
		if err := a.printSelection(ctx, e, s, now); err != nil {
			return err
		}
	}
	err = a.confirm(action+" "+s.Words, a.pool.Config().ConnConfig.Database)
	var p *problem
	if errors.As(err, &p) && p.Exit == exitUsage {
		p.Hint = fmt.Sprintf("Pass --entries %d to confirm.", s.Entries)
	}
	return err
}

// massArguments returns the arguments of an action as an object, null for none.
func massArguments(command *cobra.Command, action, version, from, results string, keep bool) (json.RawMessage, error) {
	object := map[string]any{}
	if version != "" {
		object["version"] = version
	}
	if from != "" {
		object["from_step"] = from
	}
	if keep {
		object["cancel"] = false
	}
	if results != "" {
		if !json.Valid([]byte(results)) {
			return nil, usage(command, "--results is not JSON")
		}
		object["results"] = json.RawMessage(results)
	}
	if len(object) == 0 {
		return nil, nil
	}
	return json.Marshal(object)
}

// massSaid describes the progress of a mass action.
func massSaid(m gen.MassActionDetail) string {
	var parts []string
	for _, n := range []struct {
		count int32
		word  string
	}{{m.Passed, "passed"}, {m.Failed, "failed"}, {m.Skipped, "skipped"}, {m.Open, "open"}, {m.Waits, "wait"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	return strings.Join(parts, ", ")
}

func massCell(state string) term.Cell {
	switch state {
	case "stopped":
		return term.Colored(state, term.Yellow)
	case "done":
		return term.Colored(state, term.Green)
	}
	return term.Text(state)
}

func (a *app) massList() *cobra.Command {
	var (
		state string
		limit int32
	)
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the mass actions, the newest first",
	}, "an array of tasker.mass_action_details: list_mass_actions()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		actions, err := e.ListMassActions(ctx, state, uuid.Nil, limit)
		if err != nil {
			return err
		}
		table := term.NewTable("SELECTION", "ACTION", "STATE", "BY", "SO FAR", "HAS").Yield("HAS", "SO FAR", "BY")
		return list(a, actions, "there are no mass actions", table, func(m gen.MassActionDetail) []term.Cell {
			return []term.Cell{
				term.Whole(m.SelectionUUID.String()), term.Text(m.Action), massCell(m.State), term.Text(m.StartedBy), term.Text(massSaid(m)), term.Text(m.Words),
			}
		})
	})
	command.Flags().StringVarP(&state, "state", "s", "", "in this state: running, stopped or done")
	command.Flags().Int32VarP(&limit, "limit", "l", 50, "how many at most")
	return a.watched(command)
}

func (a *app) massShow() *cobra.Command {
	return a.watched(a.leaf(cobra.Command{
		Use:   "show SELECTION",
		Short: "Show a mass action: its stage, its outcomes, and by whom and why it was stopped",
	}, "an object of tasker.mass_action_details: get_mass_action()", func(ctx context.Context, args []string) error {
		id, err := parseSelection(args[0])
		if err != nil {
			return err
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		m, err := e.GetMassAction(ctx, id)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		return a.show(m, func() error { return a.printMass(m, now) })
	}))
}

func (a *app) printMass(m gen.MassActionDetail, now time.Time) error {
	stage := map[int16]string{1: "one entry", 2: "ten entries", 3: "the rest"}[m.Stage]
	rate := "as fast as batches go"
	if m.PerMinute != nil {
		rate = fmt.Sprintf("%d a minute", *m.PerMinute)
	}
	if m.State == "running" && m.RanAt == nil {
		stage += ", waits for tasker orchestrate"
	}
	arguments := string(m.Arguments)
	if arguments == "{}" {
		arguments = ""
	}
	return term.Fields(a.out,
		"selection", m.SelectionUUID.String(),
		"action", m.Action,
		"arguments", arguments,
		"has", m.Words,
		"state", m.State,
		"stage", stage,
		"so far", massSaid(m),
		"rate", rate,
		"stops", fmt.Sprintf("when more than %.3g %% of the outcomes are failures", 100*m.StopShare),
		"started", a.when(&m.StartedAt, now)+" by "+m.StartedBy,
		"reason", m.Reason,
		"stopped", join(": ", text(m.StoppedBy), text(m.StoppedWhy)),
		"ended", a.when(m.EndedAt, now),
	)
}

// showMass prints a mass action after it was changed.
func (a *app) showMass(ctx context.Context, e *executor.SqlFunctionExecutor, id uuid.UUID, changed bool, verb string) error {
	m, err := e.GetMassAction(ctx, id)
	if err != nil {
		return err
	}
	return a.show(massStarted{changed, m}, func() error {
		said := a.out.Paint("done:", term.Green)
		if !changed {
			said, verb = "nothing to do:", m.State
		}
		return a.out.Say("%s %s of %s is %s; tasker mass show %s follows it\n", said, m.Action, term.Clean(m.Words), verb, m.SelectionUUID)
	})
}

// massChange returns the command that changes one mass action.
func (a *app) massChange(command cobra.Command, verb string, change func(ctx context.Context, e *executor.SqlFunctionExecutor, id uuid.UUID) (bool, error)) *cobra.Command {
	return a.acting(a.leaf(command, "an object of tasker.mass_action_details: get_mass_action(), and changed (false if there was nothing to do)",
		func(ctx context.Context, args []string) error {
			id, err := parseSelection(args[0])
			if err != nil {
				return err
			}
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			changed, err := change(ctx, e, id)
			if err != nil {
				return err
			}
			return a.showMass(ctx, e, id, changed, verb)
		}))
}

func (a *app) massStop() *cobra.Command {
	return a.massChange(cobra.Command{
		Use:   "stop SELECTION",
		Short: "Stop a mass action: it acts on no further entry, and what it has done stays",
	}, "stopped", func(ctx context.Context, e *executor.SqlFunctionExecutor, id uuid.UUID) (bool, error) {
		return e.StopMassAction(ctx, id, a.act)
	})
}

func (a *app) massResume() *cobra.Command {
	return a.massChange(cobra.Command{
		Use:   "resume SELECTION",
		Short: "Resume a stopped mass action: it continues with the waiting entries",
	}, "running", func(ctx context.Context, e *executor.SqlFunctionExecutor, id uuid.UUID) (bool, error) {
		return e.ResumeMassAction(ctx, id, a.act)
	})
}
