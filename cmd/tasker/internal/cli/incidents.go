package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/judge"
)

func (a *app) incidentCommands() *cobra.Command {
	list := a.incidentsList()
	group := a.group("incidents", "Show what is wrong, since when and how bad it is, and take care of it", "Without a command it lists the open ones.",
		list, a.incidentsShow(), a.incidentsSteps(), a.incidentsAcknowledge(), a.incidentsRules())
	unknown := group.RunE
	group.RunE = func(command *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknown(command, args)
		}
		list.SetContext(command.Context())
		return list.RunE(list, args)
	}
	return group
}

// incidents returns the names of the open incidents.
func (a *app) incidents(ctx context.Context, e *executor.SqlFunctionExecutor) ([]string, error) {
	rows, err := e.ListIncidents(ctx, "", 0)
	return pluck(rows, err, func(i gen.IncidentDetail) string { return i.Incident })
}

// severityWord returns a severity as people read it.
func severityWord(severity string) string {
	switch severity {
	case judge.ActNow:
		return "act now"
	case judge.LookToday:
		return "look today"
	case judge.Information:
		return "for information"
	}
	return severity
}

func severityCell(severity string) term.Cell {
	switch severity {
	case judge.ActNow:
		return term.Colored(severityWord(severity), term.Red)
	case judge.LookToday:
		return term.Colored(severityWord(severity), term.Yellow)
	}
	return term.Colored(severityWord(severity), term.Dim)
}

// many returns the number of an incident's entries as a text. The database counts at most 10,000 entries.
func many(entries int64) string {
	if entries > 10000 {
		return "> 10000"
	}
	return fmt.Sprint(entries)
}

func (a *app) incidentsList() *cobra.Command {
	var limit int32
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List what is wrong now, the most severe first",
		Long: `List what is wrong now, the most severe first: causes of failures, missing workers, full limits, and everything
else that has a rule. The rules are evaluated every 15 seconds. tasker incidents rules shows their thresholds.`,
	}, "an array of tasker.incident_details: list_incidents()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		incidents, err := e.ListIncidents(ctx, "", limit)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("SEVERITY", "INCIDENT", "SINCE", "WHAT").Yield("WHAT")
		return list(a, incidents, "nothing is wrong", table, func(i gen.IncidentDetail) []term.Cell {
			return []term.Cell{severityCell(i.Severity), term.Text(i.Incident), term.Text(span(now.Sub(i.Since)) + " ago"), term.Text(i.What)}
		})
	})
	command.Flags().Int32VarP(&limit, "limit", "l", 100, "how many at most")
	return a.watched(command)
}

// findIncident reads an incident by its name, and returns a problem if the name is unknown.
func findIncident(ctx context.Context, e *executor.SqlFunctionExecutor, name string) (gen.IncidentDetail, error) {
	found, err := e.ListIncidents(ctx, name, 1)
	if err == nil && len(found) == 0 {
		err = &problem{
			Exit: exitNotFound, Message: "no incident of the last week is called " + quote(name),
			Hint: "tasker incidents list shows the open ones.",
		}
	}
	if err != nil {
		return gen.IncidentDetail{}, err
	}
	return found[0], nil
}

func (a *app) incidentsShow() *cobra.Command {
	return a.watched(a.leaf(cobra.Command{
		Use:               "show INCIDENT",
		Short:             "Show an incident: its figures, its error and what to do next",
		ValidArgsFunction: a.complete(a.incidents),
	}, "an object of tasker.incident_details: list_incidents(), and shares (list_incident_shares(), empty unless steps fail)", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		i, err := findIncident(ctx, e, args[0])
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		shown := shownIncident{IncidentDetail: i, Shares: []gen.IncidentShare{}}
		if _, ok := judge.Failing(i); ok {
			if shown.Shares, err = e.ListIncidentShares(ctx, i.Incident); err != nil {
				return err
			}
		}
		return a.show(shown, func() error { return a.printIncident(shown, now) })
	}))
}

// shownIncident is an incident with the common properties of its failures.
type shownIncident struct {
	gen.IncidentDetail
	Shares []gen.IncidentShare `json:"shares"`
}

func (a *app) printIncident(i shownIncident, now time.Time) error {
	fields := []string{
		"incident", i.Incident,
		"severity", severityWord(i.Severity),
		"what", i.What,
		"next", i.NextStep,
		"runbook", i.Runbook,
		"namespace", text(i.Namespace),
		"since", a.when(&i.Since, now),
		"judged", a.when(&i.JudgedAt, now),
		"ended", a.when(i.EndedAt, now),
		"concerns", many(i.Entries),
	}
	if i.PartOf != i.Incident {
		fields = append(fields, "part of", i.PartOf)
	}
	if f, ok := judge.Failing(i.IncidentDetail); ok {
		var templates []string
		for _, t := range f.Templates {
			templates = append(templates, fmt.Sprintf("%s (%d)", t.Template, t.Steps))
		}
		fields = append(fields,
			"steps", fmt.Sprintf("%d failed, %d tried again", f.Failed, f.Retrying),
			"failures", fmt.Sprintf("%d within a minute, %d within an hour", f.FailuresMinute, f.FailuresHour),
			"share", fmt.Sprintf("%.1f %%, usually %.1f %%", 100*f.Share, 100*f.Usual),
			"templates", strings.Join(templates, ", "),
			"concentrates", judge.Concentration(i.Shares),
			"deployed", a.deployments(i.Shares, now),
			"first step", f.FirstStep,
			"first error", f.FirstError,
		)
	}
	if i.AcknowledgedBy != nil {
		fields = append(fields, "acknowledged", a.when(i.AcknowledgedAt, now)+" by "+*i.AcknowledgedBy, "until", a.when(i.AcknowledgedUntil, now), "reason", text(i.AcknowledgedReason))
	}
	return term.Fields(a.out, fields...)
}

// deployments names the versions of the handler's programs that were deployed within a day, the newest first.
func (a *app) deployments(shares []gen.IncidentShare, now time.Time) string {
	recent := slices.DeleteFunc(slices.Clone(shares), func(s gen.IncidentShare) bool { return s.FirstAt == nil || now.Sub(*s.FirstAt) > 24*time.Hour })
	slices.SortFunc(recent, func(a, b gen.IncidentShare) int { return b.FirstAt.Compare(*a.FirstAt) })
	var texts []string
	for _, s := range recent {
		texts = append(texts, s.Value+" "+a.when(s.FirstAt, now))
	}
	return strings.Join(texts, ", ")
}

func (a *app) incidentsSteps() *cobra.Command {
	var (
		after string
		limit int32
	)
	command := a.leaf(cobra.Command{
		Use:   "steps INCIDENT",
		Short: "List the steps that are in state error because of the cause of an incident",
		Long: `List the steps that are in state error because of the cause of an incident: exactly the steps that it concerns
now. Steps that were retried and steps of tasks that have ended are not in the list.`,
		ValidArgsFunction: a.complete(a.incidents),
	}, "an array of tasker.incident_steps: list_incident_steps()", func(ctx context.Context, args []string) error {
		var last uuid.UUID
		if after != "" {
			step, err := a.findStep(ctx, []string{after})
			if err != nil {
				return err
			}
			last = step.WorkflowStepUUID
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		steps, err := e.ListIncidentSteps(ctx, args[0], last, limit)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("STEP", "TEMPLATE", "NAME", "FAILED", "ERROR").Yield("ERROR")
		return list(a, steps, "no step stands failed for it", table, func(s gen.IncidentStep) []term.Cell {
			return []term.Cell{
				a.shortStep(s.StepUUID), term.Text(s.Namespace + "/" + s.TaskName + "@" + s.TaskVersion), term.Text(s.StepName),
				term.Text(span(now.Sub(s.FailedAt)) + " ago"), term.Text(text(s.Error)),
			}
		})
	})
	flags := command.Flags()
	flags.StringVar(&after, "after", "", "after this step, the last step of the preceding page")
	flags.Int32VarP(&limit, "limit", "l", 50, "how many at most")
	return command
}

// acknowledged is the JSON of an acknowledgement.
type acknowledged struct {
	// Changed is false if the incident was acknowledged in the same way before.
	Changed bool `json:"changed"`
	gen.IncidentDetail
}

func (a *app) incidentsAcknowledge() *cobra.Command {
	var until string
	command := a.acting(a.leaf(cobra.Command{
		Use:   "acknowledge INCIDENT",
		Short: "Record that a person takes care of an incident: it is only for information until it ends or becomes more severe",
		Example: `  tasker incidents acknowledge failing:3982418527767847255 --reason 'the bank is told' --until 2h
  tasker incidents acknowledge dead_letters:shop --actor ann`,
		ValidArgsFunction: a.complete(a.incidents),
	}, "an object of tasker.incident_details, and changed (false if it was acknowledged in the same way before)",
		func(ctx context.Context, args []string) error {
			e, err := a.executor(ctx)
			if err != nil {
				return err
			}
			now, err := e.Clock(ctx)
			if err != nil {
				return err
			}
			end, err := parseTime("until", until, now, 1)
			if err != nil {
				return err
			}
			changed, err := e.AcknowledgeIncident(ctx, args[0], end, a.act)
			if err != nil {
				return err
			}
			i, err := findIncident(ctx, e, args[0])
			if err != nil {
				return err
			}
			return a.show(acknowledged{changed, i}, func() error {
				verb := a.out.Paint("done:", term.Green)
				if !changed {
					verb = "nothing to do:"
				}
				span := "until it ends"
				if i.AcknowledgedUntil != nil {
					span = "until " + a.when(i.AcknowledgedUntil, now)
				}
				return a.out.Say("%s %s is for information %s\n", verb, i.Incident, span)
			})
		}))
	command.Flags().StringVar(&until, "until", "", "until this time, or for this span (default: until the incident ends)")
	return command
}

func (a *app) incidentsRules() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:   "rules",
		Short: "List the rules of incidents and their thresholds",
		Long: `List the rules of incidents: what each rule measures, from which value on a person should look today or act
now, and how long the measure must stay below that value before the incident ends.`,
	}, "an array of tasker.incident_rules: list_incident_rules()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		rules, err := e.ListIncidentRules(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("KIND", "LOOK TODAY", "ACT NOW", "UNIT", "CLEARS", "MEASURE").Yield("MEASURE")
		return list(a, rules, "there are no rules", table, func(r gen.IncidentRule) []term.Cell {
			return []term.Cell{
				term.Text(r.Kind), term.Text(threshold(r.LookAt)), term.Text(threshold(r.ActAt)), term.Text(r.Unit), term.Text(span(r.ClearsAfter)), term.Text(r.Measure),
			}
		})
	})
}

func threshold(value *float64) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprintf("%.10g", *value)
}
