package ui

import (
	"context"
	"net/url"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// backfillSchedule creates the tasks of a past period.
var backfillSchedule = withFields(
	onSchedule("Backfill the schedule", "Backfill", "Each tick in that time that has no task gets one, oldest first, as claims go on. Ticks to come are not affected.",
		func(ctx context.Context, q *query, s gen.Schedule, form url.Values) (Note, error) {
			from, err := parseTime("from", form.Get("from"))
			if err != nil {
				return Note{}, err
			}
			until, err := parseTime("until", form.Get("until"))
			if err != nil {
				return Note{}, err
			}
			after, err := q.BackfillSchedule(ctx, sqlfn.BackfillScheduleParams{
				Namespace: s.Namespace, Schedule: s.Schedule, FromAt: from, UntilAt: until, Overlap: form.Get("overlap"),
			}, act(form))
			if err != nil {
				return Note{}, err
			}
			if after.BackfillNextAt == nil {
				return Note{Done: true, Text: "The backfill is done."}, nil
			}
			return Note{Done: true, Text: "The backfill begins with the tick of " + after.BackfillNextAt.UTC().Format("2006-01-02 15:04:05 UTC") + "."}, nil
		}, func(s gen.Schedule) string {
			if s.BackfillNextAt != nil {
				return "A backfill runs already."
			}
			return ""
		}),
	field{Name: "from", Label: "From", Kind: "text", Required: true, Length: 40, Hint: "In UTC, such as 2026-01-31T12:00. A tick at this time is included."},
	field{Name: "until", Label: "Until", Kind: "text", Required: true, Length: 40, Hint: "In UTC. A tick at this time is included."},
	field{Name: "overlap", Label: "Overlap", Kind: "choice", Required: true, Value: "one_by_one", Choices: []string{"one_by_one", "allow"}, Hint: "one_by_one starts a task when the one before has ended; allow does not wait."},
)

// endBackfill ends the running backfill.
var endBackfill = withFields(onSchedule("End the backfill", "End the backfill", "No further tick of the past gets a task. Tasks that were created go on.",
	func(ctx context.Context, q *query, s gen.Schedule, form url.Values) (Note, error) {
		_, err := q.BackfillSchedule(ctx, sqlfn.BackfillScheduleParams{Namespace: s.Namespace, Schedule: s.Schedule, Overlap: "one_by_one"}, act(form))
		return Note{Done: true, Text: "The backfill has ended."}, err
	}, func(s gen.Schedule) string {
		if s.BackfillNextAt == nil {
			return "No backfill runs."
		}
		return ""
	}))

// withFields adds inputs to the form of an action.
func withFields(a action, fields ...field) action {
	ask := a.ask
	a.ask = func(ctx context.Context, q *query) (question, error) {
		asks, err := ask(ctx, q)
		asks.Fields = fields
		return asks, err
	}
	return a
}
