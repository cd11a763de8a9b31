package executor

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// WithReads returns an executor that runs reading calls on the connection reads, and all other calls on the connection of e. So a hot
// standby can serve lists, reports and histories instead of the primary:
//
//	reports := executor.New(primary).WithReads(standby)
//
// A standby lags: the last transactions may be missing on it. [SqlFunctionExecutor.StandbyLag] returns the lag. A caller that has to see
// its own writes reads through e. [Tasks.Wait] and [Tasks.Watch] always read through e, since the primary notifies them of changes.
func (e *SqlFunctionExecutor) WithReads(reads DBTX) *SqlFunctionExecutor {
	if e.codec == nil {
		return newExecutor(translator{db: split{db: e.db, reads: reads}}, e.db)
	}
	if c, ok := reads.(coded); ok {
		reads = c.DBTX
	}
	with := newExecutor(decoding(translator{db: split{db: e.db, reads: reads}}, e.codec), e.db)
	with.codec, with.known = e.codec, e.known
	return with
}

// split is a DBTX that sends reading queries to another connection.
type split struct{ db, reads DBTX }

// of returns the connection on which a query of package gen runs. It takes the name of the query from the first line of the query.
func (s split) of(sql string) DBTX {
	if name, found := strings.CutPrefix(sql, "-- name: "); found {
		if name, _, _ = strings.Cut(name, " "); reading[name] {
			return s.reads
		}
	}
	return s.db
}

func (s split) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return s.of(sql).Exec(ctx, sql, args...)
}

func (s split) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return s.of(sql).Query(ctx, sql, args...)
}

func (s split) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return s.of(sql).QueryRow(ctx, sql, args...)
}
