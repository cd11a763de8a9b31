// Package sqlfn has a method for each public function of the database schema tasker, with the function's comment, under the
// function's own name. Package executor embeds [Functions] in its SqlFunctionExecutor, through which programs call them: executor
// translates errors, and wraps by hand the functions that want better types.
//
// An argument that may be left out is a value whose zero means the default. An argument is a pointer only where zero is another
// request than none. The package is generated from the SQL functions and changes with them.
package sqlfn

import (
	"github.com/pgtasker/pgtasker/gen"
)

// Functions has the methods.
type Functions struct{ q *gen.Queries }

// New returns the functions on what q runs on.
func New(q *gen.Queries) *Functions { return &Functions{q} }

// By says who does something, and why. Both are kept in the history of the thing that is changed, next to the database role.
type By struct {
	// Actor is the person or program for whom the change is made. Default: the role of the caller.
	Actor string
	// Reason is why. Default: none.
	Reason string
}

// only returns the By that a caller gave, if any.
func only(by []By) By {
	if len(by) == 0 {
		return By{}
	}
	return by[0]
}

// optional is nil, which means the default in SQL, for a zero value.
func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}
