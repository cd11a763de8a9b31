// Package pgerr judges, once for the executor, the worker and tasklib, whether another try at a call of the
// database is worth it.
package pgerr

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// Kind is what an error says about another try.
type Kind int

const (
	// Passing is an error of the moment: no connection, a conflict with another transaction, a server that
	// is shutting down or short of resources. The same call may succeed later.
	Passing Kind = iota
	// Installation is an error of the database's set-up, such as a missing function. The same call succeeds
	// once it is repaired: keep what must not be lost; everything else is an error.
	Installation
	// Refused is the database's judgement of the call itself. It will always be the same.
	Refused
)

// Of returns the kind of an error. What did not come from the database, such as a broken connection or a
// timeout, is Passing.
func Of(err error) Kind {
	if errors.Is(err, pgjson.ErrUnstorable) {
		return Refused
	}
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) || len(pgErr.Code) != 5 {
		return Passing
	}
	switch pgErr.Code {
	case "42501": // no privilege
		return Refused
	case "25006", "55006", "55P03": // read-only after a failover, object in use, lock not available
		return Passing
	}
	switch pgErr.Code[:2] {
	case "TK", "21", "22", "23", "54", "P0": // pgtasker's own, cardinality, data, integrity, program limits, raised by a trigger
		return Refused
	case "08", "40", "53", "57", "58": // connection, rollback, resources, operator intervention, system
		return Passing
	}
	return Installation
}
