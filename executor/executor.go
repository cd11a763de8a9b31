package executor

import (
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// DBTX is the connection of an executor: *pgxpool.Pool, *pgx.Conn, *pgxpool.Conn or pgx.Tx.
type DBTX = gen.DBTX

// SqlFunctionExecutor has a typed method for every public SQL function of pgtasker.
type SqlFunctionExecutor struct {
	// Functions are the methods that are generated from the SQL functions.
	*sqlfn.Functions
	q  *gen.Queries
	db DBTX
}

// New returns an executor that runs on db: in a transaction if db is one.
func New(db DBTX) *SqlFunctionExecutor {
	return newExecutor(translator{db: db}, db)
}

// newExecutor returns an executor whose queries run on calls, and which waits on db.
func newExecutor(calls, db DBTX) *SqlFunctionExecutor {
	q := gen.New(calls)
	return &SqlFunctionExecutor{Functions: sqlfn.New(q), q: q, db: db}
}
