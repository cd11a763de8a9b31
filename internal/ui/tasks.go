package ui

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"

	"github.com/google/uuid"
)

// pageSize is how many rows a list shows at a time.
const pageSize = 50

type tasksPage struct {
	Filters taskFilters
	States  []string
	Ages    []period
	Names   []gen.TaskTemplateSummary
	Spaces  []gen.TaskNamespace
	Tasks   []executor.TaskDetail
	// Next leads to the next page, First to the first page. They are empty if there is no such page.
	Next, First string
	Filtered    bool
	// Tokens are the filters in words, each with a link to the list without the filter.
	Tokens []token
	// Total is the number of matching tasks. It is empty if they were not counted.
	Total string
	// Progress is the progress of the open tasks that report it.
	Progress map[uuid.UUID]progress `json:"-"`
	// Columns are the names of the attributes that the list is filtered or sorted by. Attributes has the values of the tasks, and Known the
	// attributes of the namespace.
	Columns    []string
	Attributes map[uuid.UUID]map[string]gen.AttributeValue `json:"-"`
	Known      []gen.AttributeDetail
	// Matching are the actions on all tasks that match.
	Matching []offer
	Now      time.Time `json:"-"`
}

// mark leaves out counts.
func (t tasksPage) mark() any {
	return []any{t.Tasks, t.Progress, t.Next, t.Names, t.Spaces, t.Attributes}
}

// token is a filter that holds.
type token struct{ Name, Value, Without string }

// taskFilters are the values of the form's filters.
type taskFilters struct {
	Namespace, Name, Version, State, Tag, Since, Until, Correlation, Before  string
	Key, Initiator, Schedule, Handler, Step, Error, Longer, Attribute, Where string
}

// readTaskFilters reads the filters of an address.
func readTaskFilters(v url.Values) taskFilters {
	return taskFilters{
		Namespace: v.Get("namespace"), Name: v.Get("name"), Version: v.Get("version"), State: v.Get("state"),
		Tag: v.Get("tag"), Since: v.Get("since"), Until: v.Get("until"), Correlation: v.Get("correlation"), Before: v.Get("before"),
		Key: v.Get("key"), Initiator: v.Get("initiator"), Schedule: v.Get("schedule"), Handler: v.Get("handler"), Step: v.Get("step"),
		Error: v.Get("error"), Longer: v.Get("longer"), Attribute: strings.Join(v["attribute"], ", "), Where: v.Get("where"),
	}
}

// tokens are the filters that hold, in words.
func (f taskFilters) tokens(u *url.URL) (tokens []token) {
	add := func(parameter, name, value string) {
		if value != "" {
			tokens = append(tokens, token{name, cut(value, 60), with(u, parameter, "", "before", "", "skip", "")})
		}
	}
	add("state", "State", spaced(f.State))
	add("namespace", "Namespace", f.Namespace)
	add("name", "Template", f.Name)
	add("version", "Version", f.Version)
	since := f.Since
	if i := slices.IndexFunc(ages, func(a period) bool { return a.Name == f.Since }); i >= 0 {
		since = "last " + ages[i].Said
	}
	add("since", "Requested", since)
	add("until", "Requested before", f.Until)
	add("tag", "Tags", f.Tag)
	add("key", "Key", f.Key)
	add("correlation", "Correlation", f.Correlation)
	add("initiator", "Started by", f.Initiator)
	add("schedule", "Schedule", f.Schedule)
	add("handler", "Handler", f.Handler)
	add("step", "Step", f.Step)
	add("error", "Error contains", f.Error)
	add("longer", "Takes at least", f.Longer)
	add("attribute", "Attributes", f.Attribute)
	add("where", "Context", f.Where)
	return tokens
}

var taskStates = []string{
	"open", "pending", "initializing", "enqueuing_steps", "steps_in_process", "evaluating_results", "waiting_for_dependencies",
	"waiting_for_retry", "blocked_by_failures", "complete", "error", "cancelled", "resolved_manually",
}

// ages are the ages that the form offers.
var ages = append([]period{{"15m", "15 minutes", 15 * time.Minute, 0}}, periods...)

func loadTasks(ctx context.Context, q *query) (page, error) {
	f := readTaskFilters(q.r.URL.Query())
	shown := tasksPage{Filters: f, States: taskStates, Ages: ages, Now: q.now, Tokens: f.tokens(q.r.URL)}
	shown.Filtered = len(shown.Tokens) > 0
	if shown.Filtered {
		failed := f.State == "blocked_by_failures" || f.State == "error"
		for _, may := range []struct {
			action, label string
			suits         bool
		}{
			{"reset", "Reset all that match…", failed},
			{"fork", "Fork all that match…", failed || f.State == "complete" || f.Version != ""},
			{"cancel", "Cancel all that match…", f.State != "complete" && f.State != "cancelled" && f.State != "error" && f.State != "resolved_manually"},
		} {
			if may.suits {
				address := &url.URL{Path: Root + "/tasks/" + may.action, RawQuery: q.r.URL.RawQuery}
				shown.Matching = append(shown.Matching, offer{"mass", may.label, with(address, "before", "", "sort", "", "skip", ""), may.action == "cancel"})
			}
		}
	}
	params, err := f.params(q.now)
	if err != nil {
		return page{}, err
	}
	if by := q.order.by; q.order.on && by.Column == "requested_at" && !by.Descending {
		// An index has this order: its pages go on after the last task of the page before.
		q.order.on, params.After, params.Before = false, params.Before, uuid.Nil
		if f.Before == "" {
			by.Tasks(&params)
		}
	}
	params.Sort = q.order.by.Attribute()
	listed, limit := q.paged(ctx, pageSize)
	params.Limit = limit
	if shown.Tasks, err = q.ListTasks(listed, params); err != nil {
		return page{}, err
	}
	if len(shown.Tasks) > pageSize {
		shown.Tasks = shown.Tasks[:pageSize]
		shown.Next = q.next(pageSize, "before", shown.Tasks[pageSize-1].TaskUUID.String())
	}
	if shown.Progress, err = q.readProgress(ctx, shown.Tasks); err != nil {
		return page{}, err
	}
	if shown.Filtered && q.r.Header.Get("Accept") != "text/event-stream" {
		if err := shown.count(ctx, q, params); err != nil {
			return page{}, err
		}
	}
	if err := shown.attributes(ctx, q, params); err != nil {
		return page{}, err
	}
	if f.Before != "" || q.order.by.Skip > 0 {
		shown.First = with(q.r.URL, "before", "", "skip", "")
	}
	if shown.Spaces, err = q.ListNamespaces(ctx); err != nil {
		return page{}, err
	}
	if shown.Names, err = q.ListTaskTemplates(ctx, f.Namespace); err != nil {
		return page{}, err
	}
	// A name stands once in the list, not once for each version.
	shown.Names = slices.CompactFunc(shown.Names, func(a, b gen.TaskTemplateSummary) bool { return a.Name == b.Name })
	for i := range shown.Tasks {
		shown.Tasks[i].Context = nil
	}
	return page{title: "Tasks", data: shown}, nil
}

// counted is the largest number of tasks that are counted.
const countedAtMost = 1000

// count counts the tasks that match. A page whose count would read too many tasks has no count.
func (t *tasksPage) count(ctx context.Context, q *query, p sqlfn.ListTasksParams) error {
	filters, err := json.Marshal(executor.SelectionFilters(p))
	if err != nil {
		return err
	}
	var found gen.SelectionPreview
	refused, err := q.part(ctx, func(e *executor.SqlFunctionExecutor) (err error) {
		found, err = e.PreviewSelection(ctx, sqlfn.PreviewSelectionParams{Kind: "tasks", Filters: filters, Limit: countedAtMost})
		return err
	})
	if err != nil || refused != nil {
		return err
	}
	t.Total = number(int64(found.Entries))
	if found.More {
		t.Total = "more than " + t.Total
	}
	return nil
}

// parseSpan reads a length of time, such as 90s, 10m, 2h or 3d.
func parseSpan(name, given string) (time.Duration, error) {
	days, isDays := strings.CutSuffix(given, "d")
	length, err := time.ParseDuration(given)
	if isDays {
		var n int
		n, err = strconv.Atoi(days)
		length = time.Duration(n) * day
	}
	if err != nil || length < time.Second || length > 1000*day {
		return 0, invalid(name+" is not a length of time: "+strconv.Quote(cut(given, 60)), "A length is written 90s, 10m, 2h or 3d.")
	}
	return length, nil
}

// params makes the arguments of list_tasks from the form.
func (f taskFilters) params(now time.Time) (sqlfn.ListTasksParams, error) {
	p := sqlfn.ListTasksParams{
		Namespace: f.Namespace, Name: f.Name, Version: f.Version, State: f.State,
		IdentityKey: f.Key, Initiator: f.Initiator, Schedule: f.Schedule, Handler: f.Handler, Step: f.Step, Error: f.Error, Where: f.Where,
	}
	if f.Longer != "" {
		longer, err := parseSpan("longer", f.Longer)
		if err != nil {
			return p, err
		}
		p.LongerThan = longer
	}
	if tags := strings.FieldsFunc(f.Tag, func(r rune) bool { return r == ',' }); len(tags) > 0 {
		for _, tag := range tags {
			p.Tags = append(p.Tags, strings.TrimSpace(tag))
		}
	}
	if i := slices.IndexFunc(ages, func(a period) bool { return a.Name == f.Since }); i >= 0 {
		p.RequestedAfter = now.Add(-ages[i].Since).Truncate(time.Minute)
	} else if f.Since != "" {
		since, err := parseTime("since", f.Since)
		if err != nil {
			return p, err
		}
		p.RequestedAfter = since
	}
	if f.Until != "" {
		until, err := parseTime("until", f.Until)
		if err != nil {
			return p, err
		}
		p.RequestedBefore = until
	}
	for _, id := range []struct {
		name, text string
		to         *uuid.UUID
	}{{"correlation", f.Correlation, &p.CorrelationID}, {"before", f.Before, &p.Before}} {
		if id.text == "" {
			continue
		}
		var err error
		if *id.to, err = parseUUID(id.name, id.text); err != nil {
			return p, err
		}
	}
	for _, condition := range strings.Split(f.Attribute, ",") {
		if condition = strings.TrimSpace(condition); condition != "" {
			p.Attributes = append(p.Attributes, condition)
		}
	}
	return p, nil
}

// with returns the address with other values of parameters, given as names and values. Parameters with an empty value are
// removed.
func with(u *url.URL, pairs ...string) string {
	v := u.Query()
	for i := 0; i < len(pairs); i += 2 {
		v.Del(pairs[i])
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	if len(v) == 0 {
		return u.Path
	}
	return u.Path + "?" + v.Encode()
}

func parseUUID(name, given string) (uuid.UUID, error) {
	id, err := uuid.Parse(given)
	if err != nil || len(given) != 36 {
		return id, invalid(name+" is not a UUID: "+strconv.Quote(cut(given, 60)), "A UUID is written 0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000.")
	}
	return id, nil
}

// parseTime reads a time as forms send it, without a zone, or as RFC 3339.
func parseTime(name, given string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, given); err == nil {
			return t, nil
		}
	}
	return time.Time{}, invalid(name+" is not a time: "+strconv.Quote(cut(given, 60)), "A time is written 2026-01-31T12:00; it is in UTC.")
}

// invalid is the problem of a value that the page refuses without the database.
func invalid(detail, hint string) *Problem {
	return &Problem{Status: 422, Code: "TK422", Detail: detail, Hint: hint}
}

// taskPath and stepPath lead to a task and to one of its steps.
func taskPath(id uuid.UUID) string { return Root + "/tasks/" + id.String() }

func stepPath(step uuid.UUID) string {
	return taskPath(taskOf(step)) + "/steps/" + strconv.Itoa(stepNo(step))
}
