package ui

import (
	"context"
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
	// Next leads to the next page, First to the first; empty if there is none.
	Next, First string
	Filtered    bool
	// Matching are the actions on all tasks that match.
	Matching []offer
	Now      time.Time `json:"-"`
}

// taskFilters are the filters as the form has them.
type taskFilters struct {
	Namespace, Name, Version, State, Tag, Since, Until, Correlation, Before string
}

var taskStates = []string{
	"pending", "initializing", "enqueuing_steps", "steps_in_process", "evaluating_results", "waiting_for_dependencies",
	"waiting_for_retry", "blocked_by_failures", "complete", "error", "cancelled", "resolved_manually",
}

// ages are those that the form offers.
var ages = append([]period{{"15m", "15 minutes", 15 * time.Minute, 0}}, periods...)

func loadTasks(ctx context.Context, q *query) (page, error) {
	v := q.r.URL.Query()
	f := taskFilters{
		Namespace: v.Get("namespace"), Name: v.Get("name"), Version: v.Get("version"), State: v.Get("state"),
		Tag: v.Get("tag"), Since: v.Get("since"), Until: v.Get("until"), Correlation: v.Get("correlation"), Before: v.Get("before"),
	}
	shown := tasksPage{Filters: f, States: taskStates, Ages: ages, Now: q.now}
	shown.Filtered = f.Namespace+f.Name+f.Version+f.State+f.Tag+f.Since+f.Until+f.Correlation != ""
	if shown.Filtered {
		for _, may := range []struct {
			action, label string
			suits         bool
		}{
			{"reset", "Reset all that match…", f.State == "blocked_by_failures" || f.State == "error"},
			{"fork", "Fork all that match…", f.State == "blocked_by_failures" || f.State == "error"},
			{"cancel", "Cancel all that match…", f.State != "complete" && f.State != "cancelled" && f.State != "error" && f.State != "resolved_manually"},
		} {
			if may.suits {
				address := &url.URL{Path: Root + "/tasks/" + may.action, RawQuery: q.r.URL.RawQuery}
				shown.Matching = append(shown.Matching, offer{"mass", may.label, with(address, "before", ""), may.action == "cancel"})
			}
		}
	}
	params, err := f.params(q.now)
	if err != nil {
		return page{}, err
	}
	if shown.Tasks, err = q.ListTasks(ctx, params); err != nil {
		return page{}, err
	}
	if len(shown.Tasks) > pageSize {
		shown.Tasks = shown.Tasks[:pageSize]
		shown.Next = with(q.r.URL, "before", shown.Tasks[pageSize-1].TaskUUID.String())
	}
	if f.Before != "" {
		shown.First = with(q.r.URL, "before", "")
	}
	if shown.Spaces, err = q.ListNamespaces(ctx); err != nil {
		return page{}, err
	}
	if shown.Names, err = q.ListTaskTemplates(ctx, f.Namespace); err != nil {
		return page{}, err
	}
	// A name once, not once for each version.
	shown.Names = slices.CompactFunc(shown.Names, func(a, b gen.TaskTemplateSummary) bool { return a.Name == b.Name })
	for i := range shown.Tasks {
		shown.Tasks[i].Context = nil
	}
	return page{title: "Tasks", data: shown}, nil
}

// params makes of the form what list_tasks takes.
func (f taskFilters) params(now time.Time) (sqlfn.ListTasksParams, error) {
	limit := int32(pageSize + 1) // One more says that there is a next page.
	p := sqlfn.ListTasksParams{
		Namespace: f.Namespace, Name: f.Name, Version: f.Version, State: f.State, Limit: limit,
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
	return p, nil
}

// with returns the address with other values of parameters, given as names and values; without those whose value is empty.
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

// invalid is the problem of a value that the database need not be asked about.
func invalid(detail, hint string) *Problem {
	return &Problem{Status: 422, Code: "TK422", Detail: detail, Hint: hint}
}

// taskPath and stepPath lead to a task and to one of its steps.
func taskPath(id uuid.UUID) string { return Root + "/tasks/" + id.String() }

func stepPath(step uuid.UUID) string {
	return taskPath(taskOf(step)) + "/steps/" + strconv.Itoa(stepNo(step))
}
