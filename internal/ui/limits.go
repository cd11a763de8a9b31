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
	l.Limits, err = q.ListLimits(q.sorted(ctx), text(q.value("namespace")))
	return page{title: "Limits", data: l}, err
}

// limitKeys is how many keys of a limit are shown.
const limitKeys = 100

type limitPage struct {
	Limit   gen.LimitDetail
	Keys    []gen.LimitKeyDetail
	Actions []offer
}

func (l limitPage) mark() any {
	seen := []any{l.Limit.InUse, l.Limit.Waiting, l.Limit.UpdatedAt}
	for _, k := range l.Keys {
		seen = append(seen, k.LimitKey, k.InUse, k.Waiting, k.OwnBounds, k.InputBound != nil, keyBounded(k))
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
	shown := limitPage{Limit: l, Actions: []offer{{"limit", "Change…", limitPath(l) + "/set", false}, {"limit", "Bound a key…", limitPath(l) + "/bound", false}}}
	listed, limit := q.paged(ctx, limitKeys-1)
	shown.Keys, err = q.ListLimitKeys(listed, l.Namespace, l.Name, limit)
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

// limitFields ask for bounds.
func limitFields(concurrency, rate *int32, per, burst int32) []field {
	number := func(p *int32) string {
		if p == nil {
			return ""
		}
		return strconv.Itoa(int(*p))
	}
	return []field{
		{Name: "concurrency", Label: "Steps at a time", Kind: "integer", Value: number(concurrency)},
		{Name: "rate", Label: "Starts in each period", Kind: "integer", Value: number(rate)},
		{Name: "per", Label: "Seconds of a period", Kind: "integer", Value: number(&per), Hint: "Only with a rate."},
		{Name: "burst", Label: "Starts at once", Kind: "integer", Value: number(&burst), Hint: "Only with a rate."},
	}
}

// limitFrom reads the bounds of a form.
func limitFrom(l gen.LimitDetail, form url.Values) (sqlfn.SetLimitParams, error) {
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
			return params, invalid(strconv.Quote(cut(given, 40))+" is not a whole number; nothing was changed.", "For example 20.")
		}
		f.set(int32(n))
	}
	if params.Rate == nil {
		params.PerSeconds, params.Burst = 0, 0 // They belong to a rate.
	}
	return params, nil
}

// setLimit changes the bounds of a limit.
var setLimit = action{
	name: "limit", section: "limits",
	ask: func(ctx context.Context, q *query) (question, error) {
		l, err := q.readLimit(ctx)
		if err != nil {
			return question{}, err
		}
		return question{
			Title: "Change the limit", Button: "Change the limit", About: l.Namespace + "/" + l.Name + ": " + bounded(l), Back: limitPath(l), Named: true,
			Effects: []string{"The bounds hold from the next claim on, for each key. Steps that run are not stopped.", "An empty field is no bound of that kind."},
			Fields:  limitFields(l.Concurrency, l.Rate, l.PerSeconds, l.Burst),
		}, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		l, err := q.readLimit(ctx)
		if err != nil {
			return Note{}, err
		}
		params, err := limitFrom(l, form)
		if err != nil {
			return Note{}, err
		}
		changed, err := q.SetLimit(ctx, params, act(form))
		return Note{Done: true, Text: "The limit is now " + bounded(changed) + "."}, err
	},
}

// boundPath is the address of the question for the bounds of one key.
func boundPath(namespace, name, key string) string {
	return Root + "/limits/" + url.PathEscape(namespace) + "/" + url.PathEscape(name) + "/bound?" + url.Values{"key": {key}}.Encode()
}

// unboundPath is the address of the question before a key's own bounds are dropped.
func unboundPath(namespace, name, key string) string {
	return strings.Replace(boundPath(namespace, name, key), "/bound?", "/unbound?", 1)
}

// keyBounded describes the bounds of a key.
func keyBounded(k gen.LimitKeyDetail) string {
	return bounded(gen.LimitDetail{Concurrency: k.Concurrency, Rate: k.Rate, PerSeconds: k.PerSeconds, Burst: k.Burst})
}

// boundKey gives one key of a limit bounds of its own.
var boundKey = action{
	name: "limit", section: "limits", takes: []string{"key"},
	ask: func(ctx context.Context, q *query) (question, error) {
		l, err := q.readLimit(ctx)
		if err != nil {
			return question{}, err
		}
		if !q.r.URL.Query().Has("key") { // The key may have no step now.
			return question{
				Title: "Bound one key", Button: "Bound the key", Back: limitPath(l), Named: true, About: l.Namespace + "/" + l.Name + ": " + bounded(l),
				Effects: []string{"The bounds hold for the key alone, in place of all bounds of the limit, from the next claim on.", "An empty field is no bound of that kind."},
				Fields:  append([]field{{Name: "limit_key", Label: "Key", Hint: "The value that limit_key of the steps leads to. Empty: the steps without a value."}}, limitFields(l.Concurrency, l.Rate, l.PerSeconds, l.Burst)...),
			}, nil
		}
		key := q.r.URL.Query().Get("key")
		keys, err := q.ListLimitKeys(ctx, l.Namespace, l.Name, 1000)
		if err != nil {
			return question{}, err
		}
		now := gen.LimitKeyDetail{Concurrency: l.Concurrency, Rate: l.Rate, PerSeconds: l.PerSeconds, Burst: l.Burst}
		for _, k := range keys {
			if k.LimitKey == key {
				now = k
			}
		}
		return question{
			Title: "Bound one key", Button: "Bound the key", Back: limitPath(l), Named: true,
			About:   fmt.Sprintf("%s/%s, key %q: %s", l.Namespace, l.Name, cut(key, 200), keyBounded(now)),
			Facts:   []pair{{"Runs", number(now.InUse)}, {"Waits", number(now.Waiting)}},
			Effects: []string{"The bounds hold for this key alone, in place of all bounds of the limit, from the next claim on.", "Steps that run are not stopped. An empty field is no bound of that kind."},
			Fields:  limitFields(now.Concurrency, now.Rate, now.PerSeconds, now.Burst),
		}, nil
	},
	do: func(ctx context.Context, q *query, form url.Values) (Note, error) {
		l, err := q.readLimit(ctx)
		if err != nil {
			return Note{}, err
		}
		p, err := limitFrom(l, form)
		if err != nil {
			return Note{}, err
		}
		key := form.Get("limit_key")
		if q.r.URL.Query().Has("key") {
			key = q.r.URL.Query().Get("key")
		}
		changed, err := q.SetLimitKey(ctx, sqlfn.SetLimitKeyParams{
			Namespace: p.Namespace, Name: p.Name, LimitKey: key,
			Concurrency: p.Concurrency, Rate: p.Rate, PerSeconds: p.PerSeconds, Burst: p.Burst,
		}, act(form))
		return Note{Done: true, Text: "The key now has " + keyBounded(changed) + "."}, err
	},
}
