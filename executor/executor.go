package executor

import (
	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// DBTX is the connection of an executor: *pgxpool.Pool, *pgx.Conn, *pgxpool.Conn or pgx.Tx.
type DBTX = gen.DBTX

// SqlFunctionExecutor has a typed method for every public SQL function of pgtasker.
type SqlFunctionExecutor struct {
	// Functions are the methods that are generated from the SQL functions.
	*sqlfn.Functions
	q     *gen.Queries
	db    DBTX
	codec codec.Codec // nil without a codec
	known *knownTemplates
}

// New returns an executor that runs on db. If db is a transaction, its calls take part in it.
func New(db DBTX) *SqlFunctionExecutor {
	if c, ok := db.(coded); ok {
		e := newExecutor(decoding(translator{db: c.DBTX}, c.codec), c.DBTX)
		e.codec, e.known = c.codec, c.known
		return e
	}
	return newExecutor(translator{db: db}, db)
}

// again returns another executor on the same connection, with the same codec.
func (e *SqlFunctionExecutor) again() *SqlFunctionExecutor {
	if e.codec == nil {
		return New(e.db)
	}
	return New(coded{e.db, e.codec, e.known})
}

// newExecutor returns an executor that runs its queries on the connection calls, and whose waits listen on db.
func newExecutor(calls, db DBTX) *SqlFunctionExecutor {
	q := gen.New(calls)
	return &SqlFunctionExecutor{Functions: sqlfn.New(q), q: q, db: db}
}
