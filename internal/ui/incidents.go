package ui

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/judge"
)

// incidentGroup are the incidents of one severity under their heading.
type incidentGroup struct {
	Title, Class, Icon string
	Rows               []incidentRow
}

// incidentRow is an incident with its next action, the other actions on exactly the incident's set, and the causes of the same handler that
// began with the incident.
type incidentRow struct {
	gen.IncidentDetail
	Failing *judge.FailingFigures
	Causes  []incidentRow
	Next    *offer
	More    []offer
}

// groupIncidents puts incidents under the headings of their severities. Causes that are part of another incident of the same
// severity stand below that incident.
func groupIncidents(incidents []gen.IncidentDetail, pauses []gen.HandlerPause) []incidentGroup {
	groups := []incidentGroup{
		{Title: "Act now", Class: "failed", Icon: "blocked"},
		{Title: "Look today", Class: "warn", Icon: "retry"},
		{Title: "For information", Class: "idle", Icon: "check"},
	}
	at := map[string]int{judge.ActNow: 0, judge.LookToday: 1, judge.Information: 2}
	first := map[string]int{}
	for _, i := range incidents {
		rows := &groups[at[i.Severity]].Rows
		row := rowOf(i, pauses)
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

// rowOf returns an incident with the next action of a person, and the other actions.
func rowOf(i gen.IncidentDetail, pauses []gen.HandlerPause) incidentRow {
	row := incidentRow{IncidentDetail: i}
	if f, ok := judge.Failing(i); ok {
		row.Failing = &f
		row.offerFailing(pauses)
	} else {
		row.Next = nextStep(i)
		if i.Kind == "retention" {
			row.More = append(row.More, offer{"", "Show the partitions", Root + "/partitions", false})
		}
		if i.Kind == "limit" && row.Next.Name != "" {
			row.More = append(row.More, offer{"", "Show the limit", Root + "/limits/" + url.PathEscape(text(i.Namespace)) + "/" + url.PathEscape(i.Subject), false})
		}
	}
	if i.EndedAt == nil && i.Kind != "unjudged" {
		row.More = append(row.More, offer{"acknowledge", "Acknowledge…", incidentPath(i.Incident) + "/acknowledge", false})
	}
	return row
}

// offerFailing offers the actions on a cause of failures. While steps still fail, the first action is to pause the handler. When the
// failures are over, the first action is to retry the failed steps.
func (r *incidentRow) offerFailing(pauses []gen.HandlerPause) {
	path := incidentPath(r.Incident)
	namespace := text(r.Namespace)
	hold := offer{"namespace", "Pause the " + handlerKind(r.Subject) + "…", handlerPath(namespace, r.Subject) + "/pause", false}
	paused := pauseOf(pauses, namespace, r.Subject) != nil
	if paused {
		hold = offer{"namespace", "Resume the " + handlerKind(r.Subject) + "…", handlerPath(namespace, r.Subject) + "/resume", false}
	}
	offers := []offer{hold}
	if r.Entries > 0 {
		steps := count(min(r.Entries, 10000), "step")
		offers = append(offers,
			offer{"mass", "Retry " + steps + "…", path + "/retry", false},
			offer{"mass", "Fork their tasks…", path + "/fork", false},
			offer{"mass", "Complete " + steps + " by hand…", path + "/complete", false},
			offer{"mass", "Cancel their tasks…", path + "/cancel", true},
		)
	}
	offers = append(offers, offer{"", "Show the cause", path, false})
	next := len(offers) - 1
	switch {
	case r.EndedAt != nil:
	case r.Failing.FailuresMinute > 0 || paused:
		next = 0
	case r.Entries > 0:
		next = 1
	}
	r.Next = &offers[next]
	for n := range offers {
		if n != next {
			r.More = append(r.More, offers[n])
		}
	}
}

// nextStep is the next action of a person on an incident of another kind: an action, or the place of the remedy.
func nextStep(i gen.IncidentDetail) *offer {
	switch i.Kind {
	case "paused":
		if i.Rule == "handler" {
			return &offer{"namespace", "Resume the " + handlerKind(i.Subject) + "…", handlerPath(text(i.Namespace), i.Subject) + "/resume", false}
		}
		return &offer{"namespace", "Resume…", Root + "/namespaces/" + url.PathEscape(i.Subject) + "/resume", false}
	case "dead_letters":
		return &offer{"", "Show the entries", Root + "/dead-letters?namespace=" + url.QueryEscape(i.Subject), false}
	case "unserved", "workers_gone":
		return &offer{"", "Show the workers", Root + "/workers", false}
	case "queue":
		return &offer{"", "Show the queues", Root + "/queues", false}
	case "limit":
		if key, ok := lineKey(i); ok {
			return &offer{"limit", "Bound the key…", boundPath(text(i.Namespace), i.Subject, key), false}
		}
		return &offer{"", "Show the limit", Root + "/limits/" + url.PathEscape(text(i.Namespace)) + "/" + url.PathEscape(i.Subject), false}
	case "schedule":
		return &offer{"", "Show the schedule", Root + "/schedules/" + url.PathEscape(text(i.Namespace)) + "/" + url.PathEscape(i.Subject), false}
	case "sequence":
		var f struct {
			FirstTask string `json:"first_task"`
		}
		if json.Unmarshal(i.Figures, &f) == nil && f.FirstTask != "" {
			return &offer{"", "Show the first task", Root + "/tasks/" + url.PathEscape(f.FirstTask), false}
		}
	case "deadline":
		return &offer{"", "Show the tasks", Root + "/tasks?state=error&namespace=" + url.QueryEscape(i.Subject), false}
	case "retention":
		return &offer{"partition", "Evacuate the oldest range…", evacuatePath(time.Time{}), false}
	case "partitions":
		return &offer{"", "Show the partitions", Root + "/partitions", false}
	}
	return &offer{"", "Show health", Root + "/health", false}
}

// lineKey is the key of a limit whose line is long. Figures hold at most 200 characters of a key. A cut key is not used, since
// the digest in the incident's name then differs from the key's digest.
func lineKey(i gen.IncidentDetail) (string, bool) {
	var figures struct{ Key *string }
	if json.Unmarshal(i.Figures, &figures) != nil || figures.Key == nil {
		return "", false
	}
	digest := md5.Sum([]byte(*figures.Key))
	return *figures.Key, strings.HasSuffix(i.Incident, "/"+hex.EncodeToString(digest[:]))
}

// Many is the number of entries. All failed steps are counted. Other entries are counted up to 10,000.
func (r incidentRow) Many() string {
	if r.Failing == nil && r.Entries > 10000 {
		return "> 10,000"
	}
	return number(r.Entries)
}

// Class is the colour of the incident.
func (r incidentRow) Class() string {
	return map[string]string{judge.ActNow: "failed", judge.LookToday: "warn"}[r.Severity]
}

// Word is the severity in a word.
func (r incidentRow) Word() string {
	return map[string]string{judge.ActNow: "Act now", judge.LookToday: "Look today", judge.Information: "For information"}[r.Severity]
}

// Share is the share of failures beside the usual share.
func (r incidentRow) Share() string {
	return fmt.Sprintf("%.1f %%, usually %.1f %%", 100*r.Failing.Share, 100*r.Failing.Usual)
}

// Spark draws the failures of an hour, minute by minute.
// ErrorText is the first error of a failing cause, empty if the title has its beginning.
func (r incidentRow) ErrorText() string {
	first := cut(r.Failing.FirstError, 200)
	if strings.Contains(r.What, strings.TrimSuffix(cut(first, 60), "…")) {
		return ""
	}
	return first
}

func (r incidentRow) Spark() template.HTML { return r.spark(nil) }

func (r incidentRow) spark(marks []deployment) template.HTML {
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
	for _, m := range marks {
		fmt.Fprintf(&bars, `<rect class="deployed" x="%.1f" y="0" width="0.6" height="24"><title>%s</title></rect>`,
			120-m.ago.Minutes()*2, template.HTMLEscapeString(m.Version))
		label += ", version " + m.Version + " " + number(int64(m.ago.Minutes())) + " minutes ago"
	}
	label = template.HTMLEscapeString(label)
	return template.HTML(`<svg class="spark" viewBox="0 0 120 24" preserveAspectRatio="none" role="img" aria-label="` + label + `">` + bars.String() + `</svg>`)
}

type incidentPage struct {
	incidentRow
	Steps   []gen.IncidentStep
	Shares  []gen.IncidentShare
	More    bool
	Actions []offer
}

func (p incidentPage) mark() any {
	return []any{p.Severity, p.Entries, p.EndedAt, p.AcknowledgedAt, p.AcknowledgedUntil, string(p.Figures)}
}

// deployment is a version of a program whose first worker registered within the hour.
type deployment struct {
	Version string
	At      time.Time
	ago     time.Duration
}

// Deployments are the versions that began within the hour that the chart shows, which marks them.
func (p incidentPage) Deployments() (marks []deployment) {
	for _, s := range p.Shares {
		if s.FirstAt == nil {
			continue
		}
		if ago := p.JudgedAt.Sub(*s.FirstAt); ago >= 0 && ago < time.Hour {
			marks = append(marks, deployment{s.Value, *s.FirstAt, ago})
		}
	}
	return marks
}

// Chart is the hour with the marks of deployments.
func (p incidentPage) Chart() template.HTML { return p.spark(p.Deployments()) }

// Concentration says where the failures concentrate.
func (p incidentPage) Concentration() string { return judge.Concentration(p.Shares) }

// Compared are the shares of dimensions with several values. A single value has all failures and all attempts, so its
// share tells nothing.
func (p incidentPage) Compared() (rows []gen.IncidentShare) {
	values := map[string]int{}
	for _, s := range p.Shares {
		values[s.Dimension]++
	}
	for _, s := range p.Shares {
		if s.Failures+s.Attempts > 0 && (values[s.Dimension] > 1 || s.Value != "unknown") {
			rows = append(rows, s)
		}
	}
	return rows
}

// shareBar draws a share of the failures, and as a stroke the share of the attempts.
func shareBar(s gen.IncidentShare) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="%.1f" height="8"/><rect class="attempts" x="%.1f" width="1" height="8"/></svg>`,
		100*s.FailedShare, min(100*s.AttemptedShare, 99)))
}

// incidentSteps is the number of steps that the page of an incident shows.
const incidentSteps = 20

// readIncident reads the incident of the path.
func (q *query) readIncident(ctx context.Context) (gen.IncidentDetail, error) {
	name := q.r.PathValue("incident")
	found, err := q.ListIncidents(ctx, name, 1)
	if err != nil {
		return gen.IncidentDetail{}, err
	}
	if len(found) == 0 {
		return gen.IncidentDetail{}, &Problem{Status: 404, Code: "TK404", Detail: "No incident of the last week is called " + cut(name, 100) + ".", Hint: "The first screen lists the open ones."}
	}
	return found[0], nil
}

func loadIncident(ctx context.Context, q *query) (page, error) {
	i, err := q.readIncident(ctx)
	if err != nil {
		return page{}, err
	}
	pauses, err := q.ListHandlerPauses(ctx, "")
	if err != nil {
		return page{}, err
	}
	p := incidentPage{incidentRow: rowOf(i, pauses)}
	if p.Failing != nil {
		listed, limit := q.paged(ctx, incidentSteps)
		if p.Steps, err = q.ListIncidentSteps(listed, i.Incident, [16]byte{}, limit); err != nil {
			return page{}, err
		}
		if p.Shares, err = q.ListIncidentShares(ctx, i.Incident); err != nil {
			return page{}, err
		}
		p.More = len(p.Steps) > incidentSteps
		p.Steps = p.Steps[:min(len(p.Steps), incidentSteps)]
	}
	p.Actions = slices.DeleteFunc(p.incidentRow.More, func(o offer) bool { return o.Name == "" })
	return page{title: cut(i.What, 80) + " · incident", data: p}, nil
}

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
				until, err := hoursFrom(form, q.now)
				if err != nil {
					return Note{}, err
				}
				changed, err := q.AcknowledgeIncident(ctx, q.r.PathValue("incident"), until, act(form))
				return answered(changed, "The incident is acknowledged."), err
			},
		},
		"/incidents/{incident}/retry":    onIncident("steps", "retry"),
		"/incidents/{incident}/complete": onIncident("steps", "complete"),
		"/incidents/{incident}/fork":     onIncident("tasks", "fork"),
		"/incidents/{incident}/cancel":   onIncident("tasks", "cancel"),
	}
}
