package ui

import (
	"context"
	"net/url"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"

	"github.com/google/uuid"
)

type deadLettersPage struct {
	Status, Reason, Namespace string
	Statuses                  []string
	Counts                    []gen.DLQReasonCounts
	Entries                   []gen.DLQEntry
	Next, First, RequeueAll   string
	Spaces                    []gen.TaskNamespace
}

func (d deadLettersPage) mark() any {
	seen := []any{}
	for _, e := range d.Entries {
		seen = append(seen, e.DLQEntryUUID, e.ResolutionStatus, e.CurrentState)
	}
	return seen
}

var dlqStatuses = []string{"pending", "manually_resolved", "permanently_failed", "cancelled"}

func loadDeadLetters(ctx context.Context, q *query) (page, error) {
	d := deadLettersPage{Status: "pending", Reason: text(q.value("reason")), Namespace: text(q.value("namespace")), Statuses: dlqStatuses}
	if q.r.URL.Query().Has("status") {
		d.Status = text(q.value("status"))
	}
	if d.Status == "all" {
		d.Status = ""
	}
	listed, limit := q.paged(ctx, pageSize)
	params := sqlfn.ListDLQEntriesParams{ResolutionStatus: d.Status, Reason: d.Reason, Namespace: d.Namespace, Limit: limit}
	if before := q.value("before"); before != nil {
		id, err := parseUUID("before", *before)
		if err != nil {
			return page{}, err
		}
		params.Before, d.First = id, with(q.r.URL, "before", "")
	}
	matching := url.Values{}
	for name, value := range map[string]string{"reason": d.Reason, "namespace": d.Namespace} {
		if value != "" {
			matching.Set(name, value)
		}
	}
	if d.Status == "pending" {
		d.RequeueAll = (&url.URL{Path: Root + "/dead-letters/requeue", RawQuery: matching.Encode()}).String()
	}
	var err error
	if d.Counts, err = q.GetDLQDashboard(ctx); err != nil {
		return page{}, err
	}
	if d.Entries, err = q.ListDLQEntries(listed, params); err != nil {
		return page{}, err
	}
	if len(d.Entries) > pageSize {
		d.Entries = d.Entries[:pageSize]
		d.Next = q.next(pageSize, "before", d.Entries[pageSize-1].DLQEntryUUID.String())
	}
	d.Spaces, err = q.ListNamespaces(ctx)
	return page{title: "Dead letters", data: d}, err
}

type deadLetterPage struct {
	Entry   gen.DLQEntry
	Actions []offer
}

func (d deadLetterPage) mark() any {
	return []any{d.Entry.ResolutionStatus, d.Entry.CurrentState, d.Entry.ResolutionNotes}
}

func (q *query) readEntry(ctx context.Context) (gen.DLQEntry, error) {
	id, err := parseUUID("the dead letter", q.r.PathValue("entry"))
	if err != nil {
		return gen.DLQEntry{}, err
	}
	return q.GetDLQEntry(ctx, id)
}

func entryPath(id uuid.UUID) string { return Root + "/dead-letters/" + id.String() }

func loadDeadLetter(ctx context.Context, q *query) (page, error) {
	e, err := q.readEntry(ctx)
	if err != nil {
		return page{}, err
	}
	d := deadLetterPage{Entry: e}
	if e.ResolutionStatus == "pending" {
		path := entryPath(e.DLQEntryUUID)
		d.Actions = []offer{{"requeue", "Requeue…", path + "/requeue", false}, {"requeue", "Close…", path + "/resolve", false}}
	}
	return page{title: "Dead letter " + short(e.DLQEntryUUID), data: d}, nil
}

func onEntry(ask func(gen.DLQEntry) question, do func(ctx context.Context, q *query, e gen.DLQEntry, form url.Values) (Note, error)) action {
	return action{
		name: "requeue", section: "dead-letters",
		ask: func(ctx context.Context, q *query) (question, error) {
			e, err := q.readEntry(ctx)
			if err != nil {
				return question{}, err
			}
			asks := ask(e)
			asks.About, asks.Back = "The investigation of "+text(e.NamespaceName)+"/"+text(e.TaskName)+" "+short(e.TaskUUID), entryPath(e.DLQEntryUUID)
			asks.State, asks.Reason = e.ResolutionStatus, "Notes"
			if e.CurrentState != nil {
				asks.Effects = append(asks.Effects, "The task is "+spaced(string(*e.CurrentState))+" now.")
			}
			if e.ResolutionStatus != "pending" {
				asks.Idle = "The investigation is closed."
			}
			return asks, nil
		},
		do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
			e, err := q.readEntry(ctx)
			if err != nil {
				return Note{}, err
			}
			return do(ctx, q, e, form)
		},
	}
}

func deadLetterActions() map[string]action {
	const path = "/dead-letters/{entry}"
	return map[string]action{
		path + "/requeue": onEntry(func(gen.DLQEntry) question {
			return question{Title: "Requeue the task", Button: "Requeue", Effects: []string{"The task goes on: its failed steps have all attempts again.", "The investigation is closed as manually resolved."}}
		}, func(ctx context.Context, q *query, e gen.DLQEntry, form url.Values) (Note, error) {
			changed, err := q.RequeueDLQEntry(ctx, e.DLQEntryUUID, act(form).Reason, act(form))
			return answered(changed, "The task goes on, and the investigation is closed."), err
		}),
		path + "/resolve": onEntry(func(gen.DLQEntry) question {
			return question{
				Title: "Close the investigation", Button: "Close the investigation", Effects: []string{"The investigation is closed with what you found. The task stays as it is."},
				Fields: []field{{Name: "status", Label: "What became of it", Kind: "choice", Choices: dlqStatuses[1:], Required: true, Value: dlqStatuses[1]}},
			}
		}, func(ctx context.Context, q *query, e gen.DLQEntry, form url.Values) (Note, error) {
			changed, err := q.ResolveDLQEntry(ctx, e.DLQEntryUUID, form.Get("status"), act(form).Reason, act(form))
			return answered(changed, "The investigation is closed."), err
		}),
	}
}
