package executor

import (
	"github.com/pgtasker/pgtasker/gen"
)

// DBTX is the connection of an executor: *pgxpool.Pool, *pgx.Conn, *pgxpool.Conn or pgx.Tx.
type DBTX = gen.DBTX

// SqlFunctionExecutor has a typed method for every public SQL function of pgtasker.
type SqlFunctionExecutor struct {
	q  *gen.Queries
	db DBTX
}

// New returns an executor that runs on db: in a transaction if db is one.
func New(db DBTX) *SqlFunctionExecutor {
	return &SqlFunctionExecutor{q: gen.New(translator{db: db}), db: db}
}

// each returns the rows of a query in the types of this package.
func each[From, To any](rows []From, convert func(From) To) []To {
	if rows == nil {
		return nil
	}
	converted := make([]To, len(rows))
	for i, row := range rows {
		converted[i] = convert(row)
	}
	return converted
}
