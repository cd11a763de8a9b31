package ui

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// requeueAtOnce is how many investigations that match are requeued in one transaction; the rest is said.
const requeueAtOnce = 1000

var requeueEffects = []string{"Each task goes on: its failed steps have all attempts again.", "The investigations are closed as manually resolved."}

// unfit says why an investigation's task cannot go on, if so.
func unfit(e executor.DLQEntry) string {
	switch {
	case e.ResolutionStatus != "pending":
		return "The investigation is closed."
	case e.CurrentState == nil:
		return "The task was dropped."
	case *e.CurrentState == "complete", *e.CurrentState == "cancelled", *e.CurrentState == "resolved_manually":
		return "The task has ended."
	}
	return ""
}

// selectedEntries reads the dead letters that the address names, in the order in which their tasks are locked.
func (q *query) selectedEntries(ctx context.Context) ([]executor.DLQEntry, error) {
	ids := q.r.URL.Query()["entry"]
	if len(ids) == 0 || len(ids) > selectable {
		return nil, invalid(fmt.Sprintf("%d dead letters are selected.", len(ids)), fmt.Sprintf("Select 1 to %d in the list.", selectable))
	}
	entries := make([]executor.DLQEntry, 0, len(ids))
	for _, given := range ids {
		id, err := parseUUID("a dead letter", given)
		if err != nil {
			return nil, err
		}
		e, err := q.GetDLQEntry(ctx, id)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b executor.DLQEntry) int { return bytes.Compare(a.TaskUUID[:], b.TaskUUID[:]) })
	return entries, nil
}

// requeueSelected requeues the dead letters that were ticked: all of them, or none.
var requeueSelected = action{
	name: "requeue", section: "dead-letters", mass: true, takes: []string{"entry"},
	ask: func(ctx context.Context, q *query) (question, error) {
		entries, err := q.selectedEntries(ctx)
		if err != nil {
			return question{}, err
		}
		asks := question{
			Title: "Requeue dead letters", Button: "Requeue them", Reason: "Notes", Back: Root + "/dead-letters",
			Effects: append(slices.Clone(requeueEffects), "All of it is done, or nothing."),
		}
		changing := 0
		for _, e := range entries {
			note := unfit(e)
			if note == "" {
				changing++
			}
			i := item{Name: text(e.NamespaceName) + "/" + text(e.TaskName) + " " + short(e.TaskUUID), Href: entryPath(e.DLQEntryUUID), Note: note}
			if e.CurrentState != nil {
				i.State = string(*e.CurrentState)
			}
			asks.Items = append(asks.Items, i)
		}
		asks.About = fmt.Sprintf("%s of %d selected will go on.", count(changing, "task"), len(entries))
		if changing == 0 {
			asks.Idle = "None of the selected tasks can go on."
		}
		return asks, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		entries, err := q.selectedEntries(ctx)
		if err != nil {
			return Note{}, err
		}
		done := 0
		for _, e := range entries {
			if unfit(e) != "" {
				continue
			}
			changed, err := q.RequeueDLQEntry(ctx, e.DLQEntryUUID, notes(form))
			if err != nil {
				return Note{}, err
			}
			if changed {
				done++
			}
		}
		return Note{Done: done > 0, Text: fmt.Sprintf("%s of %d selected: requeued.", count(done, "dead letter"), len(entries))}, nil
	},
}

// requeueMatching requeues the open investigations that match the filters of the list.
var requeueMatching = action{
	name: "requeue", section: "dead-letters", mass: true, takes: []string{"reason", "namespace"},
	ask: func(ctx context.Context, q *query) (question, error) {
		params := q.requeueParams()
		params.Notes, params.DryRun = "dry run", true
		found, err := q.RequeueDLQEntries(ctx, params)
		if err != nil {
			return question{}, err
		}
		said := ""
		if params.Reason != "" {
			said += " for " + spaced(params.Reason)
		}
		if params.Namespace != "" {
			said += " of namespace " + params.Namespace
		}
		asks := question{
			Title: "Requeue all dead letters that match", Button: "Requeue them", Reason: "Notes", Back: Root + "/dead-letters?" + q.r.URL.RawQuery,
			About:   count(len(found), "open dead letter") + said + " will be requeued.",
			Effects: append(slices.Clone(requeueEffects), "Those whose task cannot go on, or is held by another transaction, are skipped, and counted."),
		}
		if len(found) == requeueAtOnce {
			asks.About = fmt.Sprintf("The %s oldest open dead letters%s will be requeued; repeat it for the rest.", number(requeueAtOnce), said)
		}
		for _, e := range found[:min(len(found), 20)] {
			i := item{Name: text(e.Namespace) + "/" + text(e.Name) + " " + short(e.TaskUUID), Href: entryPath(e.DLQEntryUUID), Note: spaced(e.DLQReason)}
			if e.CurrentState != nil {
				i.State = string(*e.CurrentState)
			}
			asks.Items = append(asks.Items, i)
		}
		if more := len(found) - len(asks.Items); more > 0 {
			asks.Effects = append(asks.Effects, "The first 20 are listed; "+count(more, "more")+".")
		}
		if len(found) == 0 {
			asks.Idle = "No open dead letter matches."
		}
		return asks, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		params := q.requeueParams()
		params.Notes = notes(form)
		found, err := q.RequeueDLQEntries(ctx, params)
		if err != nil {
			return Note{}, err
		}
		outcomes := map[string]int{}
		for _, e := range found {
			outcomes[e.Outcome]++
		}
		note := Note{Done: outcomes["requeued"] > 0, Text: count(outcomes["requeued"], "dead letter") + " requeued."}
		for _, skipped := range []struct{ outcome, said string }{
			{"locked", "skipped: another transaction holds the task"}, {"ended", "skipped: the task cannot run again"}, {"closed", "skipped: closed meanwhile"},
		} {
			if n := outcomes[skipped.outcome]; n > 0 {
				note.Lines = append(note.Lines, fmt.Sprintf("%d %s", n, skipped.said))
			}
		}
		return note, nil
	},
}

// requeueParams makes of the list's filters what requeue_dlq_entries takes.
func (q *query) requeueParams() sqlfn.RequeueDLQEntriesParams {
	return sqlfn.RequeueDLQEntriesParams{Reason: text(q.value("reason")), Namespace: text(q.value("namespace")), Limit: requeueAtOnce}
}
