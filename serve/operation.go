package serve

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/order"
)

// operation is one entry of the table of operations. Routes, decoding, encoding and documentation come from this table.
type operation struct {
	method, path string
	// id is the operation's name in generated clients. group is the operation's heading in the documentation.
	id, group string
	// summary is one sentence without its full stop. description is the rest of the text.
	summary, description string
	// writes says whether the operation needs a transaction that can write.
	writes bool
	// paged says whether the answer's next_cursor may be set.
	paged bool
	// sorts is the name of the SQL function of a list that can be sorted. It is empty for other operations.
	sorts string
	// refusals are the statuses of the operation's answers that not every operation has.
	refusals []int
	in, out  reflect.Type
	// call runs the operation in the transaction of the request.
	call func(ctx context.Context, e *direct.Executor, c caller, in any) (any, error)
	// conflicted records in a separate transaction that the database refused the call. It is nil if such refusals are not
	// recorded.
	conflicted func(ctx context.Context, e *direct.Executor, in any) error
	// within bounds the request's time in the database more tightly than Config.Timeout does. Operations that only read their
	// arguments set it.
	within time.Duration
	// outside runs the operation without a transaction, if it waits. Only one of call and outside is set.
	outside func(ctx context.Context, s *Server, c *caller, in any) (any, error)
}

// caller is the sender of a request.
type caller struct {
	// token is the name of the token or of the person. role is the role of the token or person. Both are empty until the server
	// has accepted the caller.
	token, role string
	secret      secret
	expires     *time.Time // the end of the token, nil if it does not end
	// session says whether the secret belongs to a person's session. A browser's session has the secret sessionToken. A
	// program's session has the token bearer of the identity provider.
	session              bool
	sessionToken, bearer string
	touchDue             bool
	// proxied is a person whom a proxy has signed in.
	proxied *proxied
}

// named returns the name of a caller in histories.
func named(token string) string {
	if strings.HasPrefix(token, "person ") {
		return token
	}
	return "token " + token
}

// do does the work of an operation: it calls the database with the arguments of the request. In is a struct whose fields are
// tagged path, query, header or json. CONTRIBUTING.md has an example.
type do[In, Out any] func(ctx context.Context, e *direct.Executor, in In) (Out, error)

// read returns an operation that changes nothing.
func read[In, Out any](path, id, summary string, call do[In, Out]) operation {
	return define(operation{method: http.MethodGet, path: path, id: id, summary: summary}, call)
}

// write returns an operation that makes a change, which may conflict with the present state.
func write[In, Out any](method, path, id, summary string, call do[In, Out]) operation {
	o := define(operation{method: method, path: path, id: id, summary: summary, writes: true}, call)
	return o.mayRefuse(http.StatusConflict)
}

// list returns an operation that returns all rows at once.
func list[In, Row any](path, id, summary string, call do[In, []Row]) operation {
	return read(path, id, summary, func(ctx context.Context, e *direct.Executor, in In) (pageBody[Row], error) {
		by, sorted := order.From(ctx)
		if limit := reflect.ValueOf(&in).Elem().FieldByName("Limit"); sorted && limit.IsValid() {
			by.Limit = int32(limit.Int())
			limit.SetInt(int64(by.Bound()))
			ctx = by.With(ctx)
		}
		rows, err := call(ctx, e, in)
		return pageOf(rows), err
	})
}

// paged returns an operation that returns its rows in pages. The function after returns the cursor of the next page for the
// last row of a full page.
func paged[In limited, Row any](path, id, summary string, call do[In, []Row], after func(in In, last Row) cursor) operation {
	o := read(path, id, summary, func(ctx context.Context, e *direct.Executor, in In) (pageBody[Row], error) {
		if by, sorted := order.From(ctx); sorted {
			return sortedPage(ctx, e, id, by, in, call)
		}
		rows, err := call(ctx, e, in)
		page := pageOf(rows)
		if err == nil && len(rows) > 0 && len(rows) >= int(in.pageSize()) {
			next := after(in, rows[len(rows)-1])
			page.NextCursor = &next
		}
		return page, err
	})
	o.paged = true
	return o
}

// sortedPage returns a page of a list that is sorted. Its cursor is the number of rows before the next page.
func sortedPage[In limited, Row any](ctx context.Context, e *direct.Executor, id string, by order.Order, in In, call do[In, []Row]) (pageBody[Row], error) {
	p := any(&in).(interface{ asked() *paging }).asked()
	list := id + ":" + by.String()
	skip, err := p.Cursor.sortKey(list)
	if err != nil {
		return pageBody[Row]{}, err
	}
	by.Limit, by.Skip = p.Limit, value(skip)
	p.Cursor, p.Limit = nil, by.Bound()
	rows, err := call(by.With(ctx), e, in)
	page := pageOf(rows)
	if next := by.Skip + by.Limit; err == nil && len(rows) == int(by.Limit) && next < by.Bound() {
		after := afterNumber(list, int64(next))
		page.NextCursor = &after
	}
	return page, err
}

// sorted returns the operation with a parameter by which the caller sorts the list of this SQL function.
func (o operation) sorted(function string) operation {
	o.sorts = function
	return o
}

func define[In, Out any](o operation, call do[In, Out]) operation {
	o.in, o.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	o.call = func(ctx context.Context, e *direct.Executor, c caller, in any) (any, error) {
		typed := *in.(*In)
		if named, ok := any(&typed).(interface{ setToken(name string) }); ok {
			named.setToken(c.token)
		}
		return call(ctx, e, typed)
	}
	return o
}

func (o operation) mayRefuse(statuses ...int) operation {
	o.refusals = append(o.refusals, statuses...)
	return o
}

// and returns the operation with this description.
func (o operation) and(description string) operation {
	o.description = description
	return o
}

// group puts operations under a heading.
func group(heading string, members ...operation) []operation {
	for i := range members {
		members[i].group = heading
	}
	return members
}

// pageBody is a part of a list. NextCursor is the cursor of the next part, null at the end.
type pageBody[Row any] struct {
	Items      []Row   `json:"items"`
	NextCursor *cursor `json:"next_cursor"`
}

func pageOf[Row any](rows []Row) pageBody[Row] {
	if rows == nil {
		rows = []Row{}
	}
	return pageBody[Row]{Items: rows}
}

// changedBody is the answer of an operation that may find its change already made.
type changedBody struct {
	// Changed is false if the state before the call was already the wanted state.
	Changed bool `json:"changed" doc:"Whether this request did it; false if it was done before."`
}

func changed(did bool, err error) (changedBody, error) { return changedBody{did}, err }

// nothing is the type of the arguments of an operation that takes none.
type nothing struct{}

// value returns the value that p points to. For nil it returns the zero value, for which an optional argument takes its
// default.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
