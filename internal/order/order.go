// Package order sorts lists. The page, the HTTP API and the command line sort all their lists in the same way: the SQL function
// reads at most [Order.Bound] rows by its index, and a statement around the function sorts these rows.
package order

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/nearest"
)

// Functions are the lists that can be sorted. Other lists have a meaningful order already, such as a history.
var Functions = []string{
	"get_queue_health", "get_queue_statistics", "list_administration", "list_dlq_entries", "list_erasures", "list_events", "list_handler_pauses",
	"list_incident_steps", "list_limit_keys", "list_limits", "list_mass_actions", "list_namespaces", "list_runs", "list_schedules",
	"list_selection_entries", "list_settings", "list_steps", "list_subscriptions", "list_task_templates", "list_tasks", "list_waits", "list_workers",
	"partition_sizes", "list_schedule_ticks",
}

// Order is the order of a list.
type Order struct {
	// Function is the SQL function of the list, and Column the column by which its rows are sorted.
	Function, Column string
	// Descending says that the greatest value comes first. Rows without a value are always last.
	Descending bool
	// Limit is the largest number of rows, 0 for all, and Skip the number of rows before them.
	Limit, Skip int32
}

var column = regexp.MustCompile(`^-?(attribute\.)?[a-z][a-z0-9_]{0,62}$`)

// attribute is the prefix of a column that is an attribute of tasks, declared by a template.
const attribute = "attribute."

// Parse reads an order as addresses and flags have it: the name of a column, after a minus sign for a descending order. It
// returns false if the text is no such order.
func Parse(function, given string) (Order, bool) {
	name, descending := strings.CutPrefix(given, "-")
	own := strings.HasPrefix(name, attribute)
	return Order{Function: function, Column: name, Descending: descending}, column.MatchString(given) && (!own || function == "list_tasks")
}

// String returns the order in the form that Parse reads.
func (o Order) String() string {
	if o.Descending {
		return "-" + o.Column
	}
	return o.Column
}

// Attribute returns the argument `p_sort` of list_tasks, which is empty if the tasks are not sorted by an attribute. The
// function list_tasks itself sorts by attributes, with an index.
func (o Order) Attribute() string {
	name, ok := strings.CutPrefix(o.Column, attribute)
	if ok && o.Descending {
		return "-" + name
	}
	return map[bool]string{true: name}[ok]
}

// Bound returns the largest number of rows that the function reads and the statement sorts.
func (o Order) Bound() int32 {
	if o.Function == "list_events" {
		return 1000
	}
	return 10000
}

// Tasks changes the arguments of list_tasks so that indexes sort by the time of the request or by attributes. The list then
// begins with the oldest of all tasks, not with the oldest of the newest rows.
func (o Order) Tasks(p *sqlfn.ListTasksParams) {
	p.Sort = o.Attribute()
	if o.Column == "requested_at" && !o.Descending {
		p.After = uuid.UUID{15: 1} // This UUID sorts before every task.
	}
}

// Tasks applies the order of a context to the arguments of list_tasks.
func Tasks(ctx context.Context, p *sqlfn.ListTasksParams) {
	if o, ok := ctx.Value(key{}).(Order); ok {
		o.Tasks(p)
	}
}

type key struct{}

// With returns a context in which the next queries of the function are sorted.
func (o Order) With(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, o) }

// From returns the order of a context. It returns false if no statement around the function needs to sort.
func From(ctx context.Context) (Order, bool) {
	o, ok := ctx.Value(key{}).(Order)
	return o, ok && o.Attribute() == ""
}

// noColumn is the error of a list that lacks the column, in the form of the database's errors.
func noColumn(column string, columns []string) error {
	hint := "Sort by " + strings.Join(columns, ", ") + "; a minus sign before it puts the greatest first."
	if likely := nearest.Name(column, columns); likely != "" {
		hint = "Did you mean " + likely + "? " + hint
	}
	return &pgconn.PgError{Severity: "ERROR", Code: "TK422", Message: fmt.Sprintf("the list has no column %q", column), Hint: hint}
}

// query matches a generated query: columns, and a call of one function.
var query = regexp.MustCompile(`^-- name: \w+ :many\nselect ([a-z0-9_, ]+?)\s+from tasker\.([a-z_]+)\(`)

// derived has columns that a list lacks, as expressions of the list's columns.
var derived = map[string]string{
	"duration": "coalesce(completed_at, tasker.clock()) - requested_at",
}

// Apply adds the context's order to a query, if the query reads the list of that order.
func Apply(ctx context.Context, sql string, args []any) (string, []any, error) {
	o, ok := From(ctx)
	if !ok {
		return sql, args, nil
	}
	found := query.FindStringSubmatch(sql)
	if found == nil || found[2] != o.Function {
		return sql, args, nil
	}
	columns := strings.Split(found[1], ", ")
	by := `"` + o.Column + `"`
	if !slices.Contains(columns, o.Column) {
		expression, ok := derived[o.Column]
		if !ok || !slices.Contains(columns, "requested_at") {
			return "", nil, noColumn(o.Column, columns)
		}
		by = expression
	}
	if o.Descending {
		by += " desc"
	}
	// Rows with equal values keep the order of the function, so that no row appears on two pages.
	sql += "order by " + by + " nulls last, row_number() over ()"
	if o.Limit > 0 {
		args = append(slices.Clone(args), o.Limit, o.Skip)
		sql += fmt.Sprintf(" limit $%d offset $%d", len(args)-1, len(args))
	}
	return sql, args, nil
}
