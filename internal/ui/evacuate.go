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

// keepTasks sets how long the tasks of a namespace or of a template are kept.
var keepTasks = action{
	name: "partition", section: "partitions", takes: []string{"namespace", "template"},
	ask: func(ctx context.Context, q *query) (question, error) {
		spaces, err := q.ListNamespaces(ctx)
		if err != nil {
			return question{}, err
		}
		names := make([]string, len(spaces))
		for i, n := range spaces {
			names[i] = n.Name
		}
		return question{
			Title: "Keep tasks longer", Button: "Keep the tasks", Back: Root + "/partitions", Named: true,
			About:   "Tasks of a namespace, or of one of its templates, can be kept longer than the ranges.",
			Effects: []string{"Before a range is dropped, maintenance moves the tasks that are kept longer.", "A task that has been dropped does not come back."},
			Fields: []field{
				{Name: "namespace", Label: "Namespace", Kind: "choice", Choices: names, Value: text(q.value("namespace")), Required: true},
				{Name: "template", Label: "Template", Value: text(q.value("template")), Length: 64, Hint: "Empty: all templates of the namespace without a retention of their own."},
				{Name: "keep_for", Label: "Kept for", Length: 40, Hint: "After the end of the range, such as 2 years or 180 days. Empty: as long as the range."},
			},
		}, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		kept, err := q.SetRetention(ctx, form.Get("namespace"), strings.TrimSpace(form.Get("template")), strings.TrimSpace(form.Get("keep_for")), act(form))
		if err == nil && len(kept) == 0 {
			return Note{Done: true, Text: "The tasks are kept as long as their range.", To: Root + "/partitions"}, nil
		}
		return Note{Done: true, Text: "The tasks are kept longer.", To: Root + "/partitions"}, err
	},
}
