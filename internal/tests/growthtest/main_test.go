package growthtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// exec runs a statement and fails the test with it.
func exec(t testing.TB, db executor.DBTX, sql string, args ...any) {
	t.Helper()
	rows, err := db.Query(t.Context(), sql, args...)
	if err == nil {
		rows.Close()
		err = rows.Err()
	}
	require.NoError(t, err, sql)
}

// scan returns the single value that a query returns.
func scan[T any](t testing.TB, db executor.DBTX, sql string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), sql, args...).Scan(&value), sql)
	return value
}

// requireSound fails the test unless every range has a partition of every table, with the same bounds and with the triggers and
// storage parameters of its table, and no other partition is attached.
func requireSound(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		with leaves as (
		  select i.inhparent, c.oid, c.relname, pg_get_expr(c.relpartbound, c.oid) as bound, c.reloptions
		    from pg_inherits as i
		    join pg_class as c on c.oid = i.inhrelid
		    join tasker.partitioned_tables as t on i.inhparent = format('tasker.%I', t.table_name)::regclass
		   where c.relkind = 'r'
		),
		wanted as (
		  select format('tasker.%I', t.table_name)::regclass as parent,
		         t.table_name || '_' || r.suffix as name,
		         format('FOR VALUES FROM (%L) TO (%L)', r.from_uuid, r.to_uuid) as bound,
		         string_to_array(replace(replace(t.storage, ' = ', '='), ', ', ','), ',') as options,
		         (select count(*) from pg_trigger as g
		           where g.tgrelid = format('tasker.%I', t.table_name)::regclass and not g.tgisinternal) as triggers
		    from tasker.partition_ranges as r
		   cross join tasker.partitioned_tables as t
		)
		select format('%s: wanted %s %s with %s triggers, have %s %s with %s', w.name, w.bound, w.options,
		              w.triggers, l.bound, l.reloptions, h.triggers)
		  from wanted as w
		  full join leaves as l on l.inhparent = w.parent and l.relname = w.name
		 cross join lateral (
		   select (select count(*) from pg_trigger as g where g.tgrelid = l.oid and not g.tgisinternal) as triggers
		 ) as h
		 where (w.bound, w.options, w.triggers) is distinct from (l.bound, l.reloptions, h.triggers)`)
	require.NoError(t, err)
	problems, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, problems)
}
