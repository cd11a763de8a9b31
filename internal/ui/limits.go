package ui

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

type limitsPage struct {
	Limits []gen.LimitDetail
}

func (l limitsPage) mark() any {
	seen := []any{}
	for _, x := range l.Limits {
		seen = append(seen, x.Namespace, x.Name, x.InUse, x.Waiting, x.Keys, x.UpdatedAt)
	}
	return seen
}

func loadLimits(ctx context.Context, q *query) (page, error) {
	var (
		l   limitsPage
		err error
	)
	l.Limits, err = q.ListLimits(ctx, text(q.value("namespace")))
	return page{title: "Limits", data: l}, err
}

type limitPage struct {
	Limit   gen.LimitDetail
	Keys    []gen.LimitKeyDetail
	Actions []offer
}

func (l limitPage) mark() any {
	seen := []any{l.Limit.InUse, l.Limit.Waiting, l.Limit.UpdatedAt}
	for _, k := range l.Keys {
		seen = append(seen, k.LimitKey, k.InUse, k.Waiting)
	}
	return seen
}

// readLimit reads the limit of the path.
func (q *query) readLimit(ctx context.Context) (gen.LimitDetail, error) {
	namespace, name := q.r.PathValue("namespace"), q.r.PathValue("name")
	all, err := q.ListLimits(ctx, namespace)
	if err != nil {
		return gen.LimitDetail{}, err
	}
	for _, l := range all {
		if l.Name == name {
			return l, nil
		}
	}
	return gen.LimitDetail{}, &Problem{Status: 404, Code: "TK404", Detail: "There is no limit " + cut(namespace+"/"+name, 100) + ".", Hint: "The list shows those that there are."}
}

func limitPath(l gen.LimitDetail) string {
	return Root + "/limits/" + url.PathEscape(l.Namespace) + "/" + url.PathEscape(l.Name)
}

func loadLimit(ctx context.Context, q *query) (page, error) {
	l, err := q.readLimit(ctx)
	if err != nil {
		return page{}, err
	}
	shown := limitPage{Limit: l, Actions: []offer{{"limit", "Change…", limitPath(l) + "/set", false}}}
	shown.Keys, err = q.ListLimitKeys(ctx, l.Namespace, l.Name, 100)
	return page{title: l.Name + " · limit", data: shown}, err
}

// bounded describes the bounds of a limit.
func bounded(l gen.LimitDetail) string {
	var parts []string
	if l.Concurrency != nil {
		parts = append(parts, number(int64(*l.Concurrency))+" at a time")
	}
	if l.Rate != nil {
		every := "second"
		if l.PerSeconds != 1 {
			every = strconv.Itoa(int(l.PerSeconds)) + " s"
		}
		parts = append(parts, fmt.Sprintf("%s each %s, %s at once", number(int64(*l.Rate)), every, number(int64(l.Burst))))
	}
	if len(parts) == 0 {
		return "no bound"
	}
	return strings.Join(parts, "; ")
}

// setLimit changes the bounds of a limit.
var setLimit = action{
	name: "limit", section: "limits",
	ask: func(ctx context.Context, q *query) (question, error) {
		l, err := q.readLimit(ctx)
		if err != nil {
			return question{}, err
		}
		number := func(p *int32) string {
			if p == nil {
				return ""
			}
			return strconv.Itoa(int(*p))
		}
		return question{
			Title: "Change the limit", Button: "Change the limit", About: l.Namespace + "/" + l.Name + ": " + bounded(l), Back: limitPath(l), Named: true,
			Effects: []string{"The bounds hold from the next claim on, for each key. Steps that run are not stopped.", "An empty field is no bound of that kind."},
			Fields: []field{
				{Name: "concurrency", Label: "Steps at a time", Kind: "integer", Value: number(l.Concurrency)},
				{Name: "rate", Label: "Starts in each period", Kind: "integer", Value: number(l.Rate)},
				{Name: "per", Label: "Seconds of a period", Kind: "integer", Value: number(&l.PerSeconds), Hint: "Only with a rate."},
				{Name: "burst", Label: "Starts at once", Kind: "integer", Value: number(&l.Burst), Hint: "Only with a rate."},
			},
		}, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		l, err := q.readLimit(ctx)
		if err != nil {
			return Note{}, err
		}
		params := sqlfn.SetLimitParams{Namespace: l.Namespace, Name: l.Name}
		for _, f := range []struct {
			name string
			set  func(n int32)
		}{
			{"concurrency", func(n int32) { params.Concurrency = &n }},
			{"rate", func(n int32) { params.Rate = &n }},
			{"per", func(n int32) { params.PerSeconds = n }},
			{"burst", func(n int32) { params.Burst = n }},
		} {
			given := strings.TrimSpace(form.Get(f.name))
			if given == "" {
				continue
			}
			n, err := strconv.ParseInt(given, 10, 32)
			if err != nil {
				return Note{}, invalid(strconv.Quote(cut(given, 40))+" is not a whole number; nothing was changed.", "For example 20.")
			}
			f.set(int32(n))
		}
		if params.Rate == nil {
			params.PerSeconds, params.Burst = 0, 0 // They are those of a rate.
		}
		changed, err := q.SetLimit(ctx, params, act(form))
		return Note{Done: true, Text: "The limit is now " + bounded(changed) + "."}, err
	},
}
