package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/judge"
)

var incidentOperations = group(
	"Incidents",
	list("/v1/incidents", "listIncidents", "List what is wrong now, the most severe first",
		func(ctx context.Context, e *direct.Executor, in limitedTo) ([]gen.IncidentDetail, error) {
			return e.ListIncidents(ctx, "", in.Limit)
		}),
	read("/v1/incidents/verdict", "getVerdict", "Say whether a person must act now or look today, with the worst incident in a sentence",
		func(ctx context.Context, e *direct.Executor, _ nothing) (judge.Verdict, error) {
			return judge.ReadVerdict(ctx, e.SqlFunctionExecutor)
		}),
	list("/v1/incidents/rules", "listIncidentRules", "List the rules by which incidents are judged",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]incidentRule, error) {
			rules, err := e.ListIncidentRules(ctx)
			rows := make([]incidentRule, len(rules))
			for i, r := range rules {
				rows[i] = incidentRule{
					Kind: r.Kind, Rule: r.Rule, Measure: r.Measure, Unit: r.Unit, LookAt: r.LookAt, ActAt: r.ActAt, AtLeast: r.AtLeast,
					TimesUsual: r.TimesUsual, InARow: r.InARow, ClearsAfterSeconds: r.ClearsAfter.Seconds(), NextStep: r.NextStep,
				}
			}
			return rows, err
		}),
	read("/v1/incidents/{incident}", "getIncident", "Get an incident that is open, or has ended within a week",
		func(ctx context.Context, e *direct.Executor, in incidentName) (gen.IncidentDetail, error) {
			found, err := e.ListIncidents(ctx, in.Incident, 1)
			if err == nil && len(found) == 0 {
				err = pgx.ErrNoRows
			}
			if err != nil {
				return gen.IncidentDetail{}, err
			}
			return found[0], nil
		}),
	paged("/v1/incidents/{incident}/steps", "listIncidentSteps", "List the steps that stand failed for the cause of an incident", listIncidentSteps,
		func(_ incidentSteps, last gen.IncidentStep) cursor {
			return afterUUID("listIncidentSteps", last.StepUUID)
		}).sorted("list_incident_steps"),
	list("/v1/incidents/{incident}/shares", "listIncidentShares", "Compare the shares of versions, workers and tenants in the failures of a cause with their shares in the attempts",
		func(ctx context.Context, e *direct.Executor, in incidentName) ([]gen.IncidentShare, error) {
			return e.ListIncidentShares(ctx, in.Incident)
		}),
	write(http.MethodPost, "/v1/incidents/{incident}/acknowledge", "acknowledgeIncident", "Say that a person takes care of an open incident",
		func(ctx context.Context, e *direct.Executor, in acknowledgement) (changedBody, error) {
			return changed(e.AcknowledgeIncident(ctx, in.Incident, value(in.Until), in.act()))
		}).and("The incident is for information until then, until it ends or until it becomes more severe."),
)

type incidentName struct {
	Incident string `path:"incident" json:"-" doc:"The name of the incident, as the list has it."`
}

type incidentSteps struct {
	incidentName
	paging
}

func listIncidentSteps(ctx context.Context, e *direct.Executor, in incidentSteps) ([]gen.IncidentStep, error) {
	after, err := in.Cursor.uuid("listIncidentSteps")
	if err != nil {
		return nil, err
	}
	return e.ListIncidentSteps(ctx, in.Incident, value(after), in.Limit)
}

type acknowledgement struct {
	incidentName
	intent
	Until *time.Time `json:"until,omitempty" doc:"Until when; as long as the incident is open if it is left out."`
}

// incidentRule is a rule for incidents. It has its time in seconds.
type incidentRule struct {
	Kind               string   `json:"kind"`
	Rule               string   `json:"rule"`
	Measure            string   `json:"measure" doc:"The figure that is compared."`
	Unit               string   `json:"unit"`
	LookAt             *float64 `json:"look_at" doc:"From which value a person should look today; null: this rule never says so."`
	ActAt              *float64 `json:"act_at" doc:"From which value a person should act now; null: this rule never says so."`
	AtLeast            *float64 `json:"at_least" doc:"Below this many failures, or seconds, the share alone says nothing."`
	TimesUsual         *float64 `json:"times_usual" doc:"The factor by which the measure must be above its usual value."`
	InARow             int16    `json:"in_a_row" doc:"How many judgements in a row must exceed the threshold."`
	ClearsAfterSeconds float64  `json:"clears_after_seconds" doc:"How long the measure must stay below before the incident falls or ends."`
	NextStep           string   `json:"next_step"`
}
