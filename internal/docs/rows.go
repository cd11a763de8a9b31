package docs

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// column is a column of a row that a function returns.
type column struct {
	Row, RowComment, Name, Type string
	Null                        bool
	Comment                     string
}

// In a row type (a view), a column that may be null is selected as null. In a table, other columns are NOT NULL.
const returnedColumns = `
	select
	  c.relname,
	  coalesce(pg_catalog.obj_description(c.oid, 'pg_class'), ''),
	  a.attname,
	  replace(pg_catalog.format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'),
	  case c.relkind
	    when 'v' then pg_catalog.pg_get_viewdef(c.oid) ~ format('\mNULL::[^\n]* AS %I(,|\s)', a.attname)
	    else not a.attnotnull
	  end,
	  coalesce(pg_catalog.col_description(c.oid, a.attnum), '')
	from pg_catalog.pg_class as c
	join pg_catalog.pg_attribute as a
	  on a.attrelid = c.oid
	 and a.attnum > 0
	 and not a.attisdropped
	where c.relnamespace = 'tasker'::regnamespace
	  and c.relname = any ($1::text[])
	order by c.relname, a.attnum`

// readRows returns the columns of the rows that these functions return.
func readRows(ctx context.Context, pool *pgxpool.Pool, functions []function) ([]column, error) {
	var names []string
	for _, f := range functions {
		if name := f.row(); name != "" {
			names = append(names, name)
		}
	}
	rows, err := pool.Query(ctx, returnedColumns, names)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c column, err error) {
		return c, row.Scan(&c.Row, &c.RowComment, &c.Name, &c.Type, &c.Null, &c.Comment)
	})
}

// row is the name of the row type or table whose rows a function returns, or empty.
func (f function) row() string {
	name, isRow := strings.CutPrefix(f.Result, "setof tasker.")
	if !isRow {
		return ""
	}
	return name
}

// rowReference is the end of docs/functions.md: the columns of every row that a function returns.
func rowReference(columns []column) string {
	var b strings.Builder
	for i := 0; i < len(columns); {
		name := columns[i].Row
		fmt.Fprintf(&b, "### Rows of %s\n\n", name)
		if about := strings.TrimPrefix(columns[i].RowComment, "Row type: "); about != "" {
			fmt.Fprintf(&b, "%s%s\n\n", strings.ToUpper(about[:1]), about[1:])
		}
		t := newTable("column", "type", "null", "")
		for ; i < len(columns) && columns[i].Row == name; i++ {
			c := columns[i]
			t.row("`"+c.Name+"`", c.Type, c.Null, cell(c.Comment))
		}
		b.WriteString(t.String() + "\n")
	}
	return b.String()
}
