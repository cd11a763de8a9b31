package serve

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/direct"
)

// operation is one line of the table that routes, decodes, encodes and documents.
type operation struct {
	method, path string
	// id is the name for generated clients, group the heading of the operation.
	id, group string
	// summary is one sentence without its full stop, description the rest of the text.
	summary, description string
	// writes is whether it needs a transaction that is not read-only.
	writes bool
	// paged is whether the answer's next_cursor may be set.
	paged bool
	// refusals are statuses that it may answer with beside the statuses of every operation.
	refusals []int
	in, out  reflect.Type
	// call runs it in the transaction of the request.
	call func(ctx context.Context, e *direct.Executor, c caller, in any) (any, error)
	// conflicted notes in a transaction of its own that the database refused the call, nil if nothing is noted.
	conflicted func(ctx context.Context, e *direct.Executor, in any) error
	// within bounds the request's time in the database more than Config.Timeout does, for an operation that only reads its arguments.
	within time.Duration
	// outside runs it without a transaction, for an operation that waits. Only one of call and outside is set.
	outside func(ctx context.Context, s *Server, c *caller, in any) (any, error)
}

// caller is who sent a request.
type caller struct {
	// token is the name of the token, or the person, and role the role that it acts as. They are empty before it was accepted.
	token, role string
	secret      secret
	expires     *time.Time // of the token; nil if it does not end
	// session is whether the secret is that of a person's session: one of a browser with this token, or one of a program whose
	// token of the identity provider is bearer.
	session              bool
	sessionToken, bearer string
	touchDue             bool
	// proxied is a person whom a proxy has signed in.
	proxied *proxied
}

// named is a caller as histories name it.
func named(token string) string {
	if strings.HasPrefix(token, "person ") {
		return token
	}
	return "token " + token
}

// do is the work of an operation: it calls the database with the arguments of the request. In is a struct whose fields are
// tagged path, query, header or json. CONTRIBUTING.md has an example.
type do[In, Out any] func(ctx context.Context, e *direct.Executor, in In) (Out, error)

// read makes an operation that changes nothing.
func read[In, Out any](path, id, summary string, call do[In, Out]) operation {
	return define(operation{method: http.MethodGet, path: path, id: id, summary: summary}, call)
}

// write makes an operation that changes something. It may conflict with the state that things are in.
func write[In, Out any](method, path, id, summary string, call do[In, Out]) operation {
	o := define(operation{method: method, path: path, id: id, summary: summary, writes: true}, call)
	return o.mayRefuse(http.StatusConflict)
}

// list makes an operation that returns all rows at once.
func list[In, Row any](path, id, summary string, call do[In, []Row]) operation {
	return read(path, id, summary, func(ctx context.Context, e *direct.Executor, in In) (pageBody[Row], error) {
		rows, err := call(ctx, e, in)
		return pageOf(rows), err
	})
}

// paged makes an operation that returns its rows in pages. From the last row of a full one, after returns where the
// next one begins.
func paged[In limited, Row any](path, id, summary string, call do[In, []Row], after func(in In, last Row) cursor) operation {
	o := read(path, id, summary, func(ctx context.Context, e *direct.Executor, in In) (pageBody[Row], error) {
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

// and adds sentences to the description.
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

// changedBody is the answer of an operation that a repeat finds done.
type changedBody struct {
	// changedBody is false if things were as they should be before.
	Changed bool `json:"changed" doc:"Whether this request did it; false if it was done before."`
}

func changed(did bool, err error) (changedBody, error) { return changedBody{did}, err }

// nothing is the arguments of an operation that takes none.
type nothing struct{}

// value is the value behind p, or the zero value, which leaves an optional argument to its default.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
