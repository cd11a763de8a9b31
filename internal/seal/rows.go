package seal

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/gen"
)

// Rows is a DBTX that changes the columns of the rows that it reads.
type Rows struct {
	DB gen.DBTX
	// JSON changes a JSON value, Text a text. Either may be nil.
	JSON func(ctx context.Context, value *json.RawMessage)
	Text func(ctx context.Context, text *string)
}

// Exec runs a statement.
func (r Rows) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return r.DB.Exec(ctx, sql, args...)
}

// Query runs a query. Its rows are changed when they are scanned.
func (r Rows) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := r.DB.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return changedRows{rows, ctx, r}, nil
}

// QueryRow runs a query of one row.
func (r Rows) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return changedRow{r.DB.QueryRow(ctx, sql, args...), ctx, r}
}

type changedRow struct {
	pgx.Row
	ctx context.Context
	by  Rows
}

func (r changedRow) Scan(dest ...any) error {
	return r.by.change(r.ctx, dest, r.Row.Scan(dest...))
}

type changedRows struct {
	pgx.Rows
	ctx context.Context
	by  Rows
}

func (r changedRows) Scan(dest ...any) error {
	return r.by.change(r.ctx, dest, r.Rows.Scan(dest...))
}

func (r Rows) change(ctx context.Context, dest []any, err error) error {
	if err != nil {
		return err
	}
	for _, column := range dest {
		switch column := column.(type) {
		case *json.RawMessage:
			if r.JSON != nil {
				r.JSON(ctx, column)
			}
		case *string:
			r.Text(ctx, column)
		case **string:
			if *column != nil {
				r.Text(ctx, *column)
			}
		}
	}
	return nil
}
