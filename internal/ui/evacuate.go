package ui

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
)

// evacuatePath is the path of the question for the evacuation of a range. If from is zero, the range is the oldest
// held range.
func evacuatePath(from time.Time) string {
	if from.IsZero() {
		return Root + "/partitions/evacuate"
	}
	return Root + "/partitions/evacuate?" + url.Values{"from": {from.UTC().Format(time.RFC3339)}}.Encode()
}

// readHeld reads the held range that the address names by its start, or the oldest held range.
func (q *query) readHeld(ctx context.Context) (gen.HeldPartition, error) {
	held, err := q.HeldPartitions(ctx)
	if err != nil {
		return gen.HeldPartition{}, err
	}
	from := text(q.value("from"))
	evacuated := map[time.Time]bool{} // An evacuated range has nothing that could be dropped.
	if from == "" {
		sizes, err := q.PartitionSizes(ctx)
		if err != nil {
			return gen.HeldPartition{}, err
		}
		for _, s := range sizes {
			evacuated[s.StartsAt.UTC()] = strings.Contains(s.Suffix, "_e")
		}
	}
	for _, h := range held {
		if from == "" && !evacuated[h.StartsAt.UTC()] || h.StartsAt.UTC().Format(time.RFC3339) == from {
			return h, nil
		}
	}
	return gen.HeldPartition{}, &Problem{Status: 404, Code: "TK404", Detail: "No range is held past its retention from " + cut(from, 40) + ".", Hint: "“Partitions” lists the held ranges."}
}

// evacuateRange keeps the tasks that hold a range, and drops the rest of the range.
var evacuateRange = action{
	name: "partition", section: "partitions", takes: []string{"from"},
	ask: func(ctx context.Context, q *query) (question, error) {
		h, err := q.readHeld(ctx)
		return question{
			Title: "Evacuate a range", Button: "Evacuate the range", Danger: true, Back: Root + "/partitions", Named: true,
			About: "The range of " + h.StartsAt.UTC().Format("2006-01-02 15:04") + " UTC: " + h.Reason + ".",
			Effects: []string{
				"Tasks that have not ended or are under investigation are kept, with their steps and their history.",
				"Everything else in the range is dropped for good: it is past its retention.",
			},
			Hidden: []pair{{"from", h.StartsAt.UTC().Format(time.RFC3339)}},
		}, err
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		from, err := time.Parse(time.RFC3339, form.Get("from"))
		if err != nil {
			return Note{}, invalid("The form names no range; nothing was changed.", "“Partitions” lists the held ranges.")
		}
		outcome, err := q.EvacuatePartition(ctx, from, 1000, act(form))
		if err == nil && outcome.Outcome != "evacuated" {
			return Note{}, &Problem{Status: 409, Code: "TK409", Detail: "The range is " + outcome.Outcome + "; nothing was changed.", Hint: outcome.Detail}
		}
		return Note{Done: true, Text: "The range is evacuated: the tasks that held it are kept, the rest is gone."}, err
	},
}
