package executor

import (
	"github.com/pgtasker/pgtasker/gen"
)

// DBTX is the connection of an executor: *pgxpool.Pool, *pgx.Conn, *pgxpool.Conn or pgx.Tx.
type DBTX = gen.DBTX

// SqlFunctionExecutor has a typed method for every public SQL function of pgtasker.
type SqlFunctionExecutor struct {
	*gen.Queries
}

// New returns an executor that runs on db: in a transaction if db is one.
func New(db DBTX) *SqlFunctionExecutor {
	return &SqlFunctionExecutor{Queries: gen.New(translator{db: db})}
}
