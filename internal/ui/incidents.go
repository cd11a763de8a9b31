package ui

import (
	"context"
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
)

// incidentGroup are the incidents of one severity under their heading.
type incidentGroup struct {
	Title, Class, Icon string
	Rows               []incidentRow
}

// incidentRow is an incident with its one next step, and the causes of the same handler that began with it.
type incidentRow struct {
	executor.IncidentDetail
	Failing *executor.FailingFigures
	Causes  []incidentRow
	Next    *offer
}

// groupIncidents puts incidents under the headings of their severities. Causes that are part of another incident of the same
// severity stand below it.
func groupIncidents(incidents []executor.IncidentDetail) []incidentGroup {
	groups := []incidentGroup{
		{Title: "Act now", Class: "failed", Icon: "blocked"},
		{Title: "Look today", Class: "warn", Icon: "retry"},
		{Title: "For information", Class: "idle", Icon: "check"},
	}
	at := map[string]int{executor.ActNow: 0, executor.LookToday: 1, executor.Information: 2}
	first := map[string]int{}
	for _, i := range incidents {
		rows := &groups[at[i.Severity]].Rows
		row := incidentRow{IncidentDetail: i, Next: nextStep(i)}
		if f, ok := executor.Failing(i); ok {
			row.Failing = &f
		}
		of := i.Severity + " " + i.PartOf
		if n, found := first[of]; found {
			(*rows)[n].Causes = append((*rows)[n].Causes, row)
			continue
		}
		first[of] = len(*rows)
		*rows = append(*rows, row)
	}
	var shown []incidentGroup
	for _, g := range groups {
		if len(g.Rows) > 0 {
			shown = append(shown, g)
		}
	}
	return shown
}

func incidentPath(incident string) string { return Root + "/incidents/" + url.PathEscape(incident) }

// nextStep is what a person does next about an incident: an action, or the place where it is mended.
func nextStep(i executor.IncidentDetail) *offer {
	switch i.Kind {
	case "failing":
		if i.Entries > 0 && (i.Rule == "over" || i.Rule == "first") {
			return &offer{"retry", "Retry " + count(min(i.Entries, 10000), "step") + "…", incidentPath(i.Incident) + "/retry", false}
		}
		return &offer{"", "Show the cause", incidentPath(i.Incident), false}
	case "paused":
		return &offer{"namespace", "Resume…", Root + "/namespaces/" + url.PathEscape(i.Subject) + "/resume", false}
	case "dead_letters":
		return &offer{"", "Show the entries", Root + "/dead-letters?namespace=" + url.QueryEscape(i.Subject), false}
	case "unserved", "workers_gone":
		return &offer{"", "Show the workers", Root + "/workers", false}
	case "queue":
		return &offer{"", "Show the queues", Root + "/queues", false}
	case "limit":
		return &offer{"", "Show the limit", Root + "/limits/" + url.PathEscape(text(i.Namespace)) + "/" + url.PathEscape(i.Subject), false}
	case "schedule":
		return &offer{"", "Show the schedule", Root + "/schedules/" + url.PathEscape(text(i.Namespace)) + "/" + url.PathEscape(i.Subject), false}
	case "deadline":
		return &offer{"", "Show the tasks", Root + "/tasks?state=error&namespace=" + url.QueryEscape(i.Subject), false}
	case "retention", "partitions":
		return &offer{"", "Show the partitions", Root + "/partitions", false}
	}
	return &offer{"", "Show health", Root + "/health", false}
}

// Many is the number of entries: steps that stand failed are all counted, of the others at most 10,000.
func (r incidentRow) Many() string {
	if r.Failing == nil && r.Entries > 10000 {
		return "> 10,000"
	}
	return number(r.Entries)
}

// Class is the colour of the incident.
func (r incidentRow) Class() string {
	return map[string]string{executor.ActNow: "failed", executor.LookToday: "warn"}[r.Severity]
}

// Word is its severity as people read it.
func (r incidentRow) Word() string {
	return map[string]string{executor.ActNow: "Act now", executor.LookToday: "Look today", executor.Information: "For information"}[r.Severity]
}

// Share is the share of failures beside the usual one.
func (r incidentRow) Share() string {
	return fmt.Sprintf("%.1f %%, usually %.1f %%", 100*r.Failing.Share, 100*r.Failing.Usual)
}

// Spark draws the failures of an hour, minute by minute.
func (r incidentRow) Spark() template.HTML {
	var (
		highest int64 = 1
		sum     int64
		bars    strings.Builder
	)
	for _, n := range r.Failing.Minutes {
		highest, sum = max(highest, n), sum+n
	}
	for x, n := range r.Failing.Minutes {
		if n > 0 {
			height := max(float64(n)/float64(highest)*24, 1)
			fmt.Fprintf(&bars, `<rect x="%d" y="%.1f" width="1.6" height="%.1f"/>`, 2*x, 24-height, height)
		}
	}
	label := fmt.Sprintf("Failures of the last hour: %s, at most %s in a minute", number(sum), number(highest))
	return template.HTML(`<svg class="spark" viewBox="0 0 120 24" preserveAspectRatio="none" role="img" aria-label="` + label + `">` + bars.String() + `</svg>`)
}

type incidentPage struct {
	incidentRow
	Steps   []gen.IncidentStep
	More    bool
	Actions []offer
}

func (p incidentPage) mark() any {
	return []any{p.Severity, p.Entries, p.EndedAt, p.AcknowledgedAt, p.AcknowledgedUntil, string(p.Figures)}
}

// incidentSteps is how many steps the page of an incident shows.
const incidentSteps = 20

// readIncident reads the incident of the path.
func (q *query) readIncident(ctx context.Context) (executor.IncidentDetail, error) {
	name := q.r.PathValue("incident")
	found, err := q.ListIncidents(ctx, name, 1)
	if err != nil {
		return executor.IncidentDetail{}, err
	}
	if len(found) == 0 {
		return executor.IncidentDetail{}, &Problem{Status: 404, Code: "TK404", Detail: "No incident of the last week is called " + cut(name, 100) + ".", Hint: "The first screen lists the open ones."}
	}
	return found[0], nil
}

func loadIncident(ctx context.Context, q *query) (page, error) {
	i, err := q.readIncident(ctx)
	if err != nil {
		return page{}, err
	}
	p := incidentPage{incidentRow: incidentRow{IncidentDetail: i}}
	if f, ok := executor.Failing(i); ok {
		p.Failing = &f
		if p.Steps, err = q.ListIncidentSteps(ctx, i.Incident, [16]byte{}, incidentSteps+1); err != nil {
			return page{}, err
		}
		p.More = len(p.Steps) > incidentSteps
		p.Steps = p.Steps[:min(len(p.Steps), incidentSteps)]
		if len(p.Steps) > 0 {
			p.Actions = append(p.Actions, offer{"retry", "Retry the steps…", incidentPath(i.Incident) + "/retry", false})
		}
	} else if next := nextStep(i); next != nil {
		p.Next = next
	}
	if i.EndedAt == nil && i.Kind != "unjudged" {
		p.Actions = append(p.Actions, offer{"acknowledge", "Acknowledge…", incidentPath(i.Incident) + "/acknowledge", false})
	}
	return page{title: cut(i.What, 80) + " · incident", data: p}, nil
}

// retriedAtOnce is how many steps of an incident one press retries.
const retriedAtOnce = 200

func incidentActions() map[string]action {
	ask := func(ctx context.Context, q *query, asks question) (question, error) {
		i, err := q.readIncident(ctx)
		if err != nil {
			return question{}, err
		}
		asks.About, asks.Back = i.What, incidentPath(i.Incident)
		return asks, nil
	}
	return map[string]action{
		"/incidents/{incident}/acknowledge": {
			name: "acknowledge", section: "overview",
			ask: func(ctx context.Context, q *query) (question, error) {
				return ask(ctx, q, question{
					Title: "Acknowledge the incident", Button: "Acknowledge", Named: true,
					Effects: []string{"It is for information until then, until it ends or until it becomes more severe.", "tasker health is well, and alerts are silent, if nothing else is wrong."},
					Fields:  []field{{Name: "hours", Label: "For how many hours", Kind: "number", Min: "0", Hint: "Empty: as long as it is open."}},
				})
			},
			do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
				var until time.Time
				if given := strings.TrimSpace(form.Get("hours")); given != "" {
					hours, err := time.ParseDuration(given + "h")
					if err != nil || hours <= 0 {
						return Note{}, &Problem{Status: 422, Code: "TK422", Detail: "Hours are a number above 0, not " + cut(given, 40) + ".", Hint: "Leave the field empty to acknowledge the incident as long as it is open."}
					}
					until = q.now.Add(hours)
				}
				changed, err := q.AcknowledgeIncident(ctx, q.r.PathValue("incident"), until, act(form))
				return answered(changed, "The incident is acknowledged."), err
			},
		},
		"/incidents/{incident}/retry": {
			name: "retry", section: "overview", mass: true,
			ask: func(ctx context.Context, q *query) (question, error) {
				asks, err := ask(ctx, q, question{Title: "Retry the steps of the incident", Button: "Retry", Reason: "Why"})
				if err != nil {
					return question{}, err
				}
				steps, err := q.ListIncidentSteps(ctx, q.r.PathValue("incident"), [16]byte{}, retriedAtOnce)
				if err != nil {
					return question{}, err
				}
				if len(steps) == 0 {
					asks.Idle = "No step stands failed for this cause."
					return asks, nil
				}
				asks.Button = "Retry " + count(int64(len(steps)), "step")
				asks.Effects = []string{"Their attempts are restored, and they run again as soon as a worker claims them.", "Effects of their handlers happen again."}
				if len(steps) == retriedAtOnce {
					asks.Effects = append(asks.Effects, fmt.Sprintf("These are the first %d; the next ones can be retried when these have passed.", retriedAtOnce))
				}
				for _, s := range steps[:min(len(steps), 5)] {
					asks.Items = append(asks.Items, item{Name: s.Namespace + "/" + s.TaskName + " " + s.StepName, Href: stepPath(s.StepUUID), State: s.State, Note: cut(text(s.Error), 120)})
				}
				return asks, nil
			},
			do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
				steps, err := q.ListIncidentSteps(ctx, q.r.PathValue("incident"), [16]byte{}, retriedAtOnce)
				if err != nil {
					return Note{}, err
				}
				reason, actor := intent(form)
				retried := int64(0)
				// In the order of tasks, in which every transaction locks them.
				for _, s := range steps {
					changed, err := q.RetryStep(ctx, s.StepUUID, reason, actor)
					if err != nil {
						return Note{}, err
					}
					if changed {
						retried++
					}
				}
				return answered(retried > 0, count(retried, "step")+" run again."), nil
			},
		},
	}
}
