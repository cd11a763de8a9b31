package ui

import (
	"cmp"
	"context"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pgtasker/pgtasker/internal/order"
)

// sorting is the order of a screen's list. Its values come from the address, so that the address can be shared.
type sorting struct {
	// function is the SQL function of the list, and natural the order that the function has without sorting.
	function, natural string
	by                order.Order
	// on says that the statement around the function sorts the list.
	on bool
}

// alias are names of orders that addresses had before.
var alias = map[string]string{"newest": "-requested_at", "oldest": "requested_at"}

// sortingOf reads the order of an address.
func (s screen) sortingOf(v url.Values) (sorting, error) {
	o := sorting{function: s.sorts, natural: s.natural}
	given := v.Get("sort")
	if given == "" || s.sorts == "" {
		return o, nil
	}
	if other, ok := alias[given]; ok {
		given = other
	}
	by, ok := order.Parse(s.sorts, given)
	if !ok {
		return o, invalid("sort is "+strconv.Quote(cut(given, 60)), "It is the name of a column; a minus sign before it puts the greatest first.")
	}
	if skip := v.Get("skip"); skip != "" {
		n, err := strconv.Atoi(skip)
		if err != nil || n < 0 || n > int(by.Bound()) {
			return o, invalid("skip is "+strconv.Quote(cut(skip, 60)), "It is the number of rows before the page, at most 10000.")
		}
		by.Skip = int32(n)
	}
	o.by, o.on = by, by.String() != s.natural && by.Attribute() == ""
	return o, nil
}

// sorted returns the context of a list that has all its rows on one page.
func (q *query) sorted(ctx context.Context) context.Context {
	if !q.order.on {
		return ctx
	}
	return q.order.by.With(ctx)
}

// paged returns the context of a list in pages, and the limit of its function: one row more than a page shows that there is a next page.
func (q *query) paged(ctx context.Context, size int32) (context.Context, int32) {
	if !q.order.on {
		return ctx, size + 1
	}
	q.order.by.Limit = size + 1
	return q.order.by.With(ctx), q.order.by.Bound()
}

// next returns the address of the next page, which pairs name in the order of the function.
func (q *query) next(size int, pairs ...string) string {
	if !q.order.on {
		return with(q.r.URL, pairs...)
	}
	skip := int(q.order.by.Skip) + size
	if skip >= int(q.order.by.Bound()) {
		return ""
	}
	return with(q.r.URL, "skip", strconv.Itoa(skip))
}

// greatestFirst says whether a first click on the head of a column puts the greatest first: numbers, ages and times.
func greatestFirst(column string, classes []string) bool {
	return slices.Contains(classes, "num") || slices.ContainsFunc([]string{"_at", "_seconds", "_steps", "attempts", "timestamp", "entries"}, func(end string) bool { return strings.HasSuffix(column, end) })
}

// Head is the head of a column. If the screen's list can be sorted, it is a link that sorts, and a second click reverses the order.
func (v view) Head(column, label string, classes ...string) template.HTML {
	class := ""
	if len(classes) > 0 {
		class = ` class="` + strings.Join(classes, " ") + `"`
	}
	content, direction := v.sorter(column, label, "", classes)
	if direction != "" {
		class += ` aria-sort="` + direction + `"`
	}
	return template.HTML(`<th scope="col"` + class + `>` + content + `</th>`) // The label and the address are escaped.
}

// By is the link that sorts a list without columns, such as cards.
func (v view) By(column, label string, classes ...string) template.HTML {
	content, _ := v.sorter(column, label, ` class="tag"`, classes)
	return template.HTML(content) // The label and the address are escaped.
}

// sorter returns the link that sorts by a column, and the direction in which the list is sorted by it, empty if it is not.
func (v view) sorter(column, label, attributes string, classes []string) (content, direction string) {
	content = template.HTMLEscapeString(label)
	address, err := url.Parse(v.Path)
	if err != nil || v.Order.function == "" {
		return content, ""
	}
	to, arrow := column, ""
	if greatestFirst(column, classes) {
		to = "-" + column
	}
	switch cmp.Or(v.Sort(), v.Order.natural) {
	case column:
		to, arrow, direction = "-"+column, "↑", "ascending"
	case "-" + column:
		to, arrow, direction = column, "↓", "descending"
	}
	if to == v.Order.natural {
		to = ""
	}
	if arrow != "" {
		arrow = ` <span aria-hidden="true">` + arrow + `</span>`
		if attributes != "" { // A head has its direction as aria-sort.
			arrow += `<span class="sr">, ` + direction + `</span>`
		}
	}
	return `<a` + attributes + ` href="` + template.HTMLEscapeString(with(address, "sort", to, "skip", "", "before", "", "after", "", "at", "")) + `">` + content + arrow + `</a>`, direction
}

// Bounded says that the list is sorted, and that its function reads a part of the rows.
func (v view) Bounded() string {
	if !v.Order.on {
		return ""
	}
	return "Sorted among the first " + number(int64(v.Order.by.Bound())) + " rows that match."
}

// Sort is the order of the address, which a form keeps.
func (v view) Sort() string {
	if v.Order.by.Column == "" {
		return ""
	}
	return v.Order.by.String()
}
