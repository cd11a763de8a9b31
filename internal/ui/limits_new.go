package ui

import (
	"context"
	"net/url"
	"strings"

	"github.com/pgtasker/pgtasker/gen"
)

// newLimit registers a limit.
var newLimit = action{
	name: "limit", section: "limits", takes: []string{"namespace"},
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
			Title: "New limit", Button: "Create the limit", Back: Root + "/limits", Named: true,
			About:   "A limit bounds how many steps of a key run at once, and how many start in a period. Steps name it in their template.",
			Effects: []string{"The bounds hold from the next claim on, for each key. If the limit exists, its bounds change.", "An empty field is no bound of that kind."},
			Fields: append([]field{
				{Name: "namespace", Label: "Namespace", Kind: "choice", Choices: names, Value: text(q.value("namespace")), Required: true},
				{Name: "limit", Label: "Name of the limit", Required: true, Length: 64},
			}, limitFields(nil, nil, 1, 1)...),
		}, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		params, err := limitFrom(gen.LimitDetail{Namespace: form.Get("namespace"), Name: strings.TrimSpace(form.Get("limit"))}, form)
		if err != nil {
			return Note{}, err
		}
		made, err := q.SetLimit(ctx, params, act(form))
		return Note{Done: true, Text: "The limit has " + bounded(made) + ".", To: limitPath(made)}, err
	},
}

// unboundKey drops a key's own bounds, so that the bounds of the limit hold again.
var unboundKey = action{
	name: "limit", section: "limits", takes: []string{"key"},
	ask: func(ctx context.Context, q *query) (question, error) {
		l, err := q.readLimit(ctx)
		return question{
			Title: "Drop the bounds of the key", Button: "Drop the bounds", Back: limitPath(l), Named: true,
			About:   l.Namespace + "/" + l.Name + ", key " + cut(q.r.URL.Query().Get("key"), 200),
			Effects: []string{"The key has the bounds of the limit again, from the next claim on: " + bounded(l) + ".", "Steps that run are not stopped."},
		}, err
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		changed, err := q.DropLimitKey(ctx, q.r.PathValue("namespace"), q.r.PathValue("name"), q.r.URL.Query().Get("key"), act(form))
		return answered(changed, "The key has the bounds of the limit."), err
	},
}
