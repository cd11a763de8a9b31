// Command life prints the writes over the life of a task: rows, index entries and WAL by table. It measures tasks of one step
// and diamonds of seven steps. Each call creates one task, and each exchange drains a hundred steps:
//
//	make bench-life
//	make bench-life BASE=92eacbd4
//
// Rows come from the server's statistics. WAL and index entries come from the server's write-ahead log (extension
// pg_walinspect, PostgreSQL 15 and newer). Each record counts for the table that its page belongs to. The server of make
// bench-life writes no full pages to the log.
package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

var (
	base  = flag.String("base", "", "`commits` to show before this tree, separated by spaces")
	tasks = flag.Int("tasks", 500, "how many tasks of each kind")
)

func main() {
	flag.Parse()
	lab.RunServer(func(ctx context.Context, server *lab.Server) error {
		for _, commit := range append(strings.Fields(*base), "") {
			if err := show(ctx, server, commit); err != nil {
				return fmt.Errorf("%s: %w", nameOf(commit), err)
			}
		}
		return nil
	})
}

func nameOf(commit string) string {
	if commit == "" {
		return "this tree"
	}
	return commit
}

// show prints the tables of one schema.
func show(ctx context.Context, server *lab.Server, commit string) error {
	var pool *pgxpool.Pool
	var err error
	if commit == "" {
		pool, err = server.New(ctx)
	} else {
		pool, err = server.NewAt(ctx, commit)
	}
	if err != nil {
		return err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	conn.Conn().Config().DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	if _, err := conn.Exec(ctx, "create extension if not exists pg_walinspect schema public"); err != nil {
		return err
	}
	for _, template := range floor.Templates {
		if _, err := conn.Exec(ctx, "select from tasker.register_task_template($1::jsonb)", template); err != nil {
			return err
		}
	}
	for _, life := range []struct{ template, name string }{{"single", "a task of one step"}, {"diamond", "a diamond of seven steps"}} {
		// The first tasks fill caches and make the worker's row.
		for _, n := range []int{20, *tasks} {
			l, err := measure(ctx, conn.Conn(), life.template, n)
			if err != nil {
				return err
			}
			if n == *tasks {
				fmt.Printf("\n%s, %s: for each task, mean of %d\n\n", life.name, nameOf(commit), n)
				lab.Table(l.table(float64(n)))
			}
		}
	}
	return nil
}

// measured has the writes to a table and its indexes.
type measured struct {
	inserts, updates, hot, deletes int64
	entries, locks                 int64
	created, drained               int64 // bytes of WAL
}

// life has the writes by table.
type life struct {
	names []string
	by    map[string]*measured
}

func (l *life) of(table string) *measured {
	m := l.by[table]
	if m == nil {
		m = &measured{}
		l.by[table] = m
		l.names = append(l.names, table)
	}
	return m
}

// measure creates n tasks and drains them.
func measure(ctx context.Context, conn *pgx.Conn, template string, n int) (*life, error) {
	l := &life{by: map[string]*measured{}}
	if err := l.count(ctx, conn, -1); err != nil {
		return nil, err
	}
	var marks [3]string
	for i, work := range []func() error{
		func() error { return nil },
		func() error {
			for range n {
				if _, err := conn.Exec(ctx, `select from tasker.create_task('bench', $1, '{"order": 4711}')`, template); err != nil {
					return err
				}
			}
			return nil
		},
		func() error { _, err := floor.Drain(ctx, conn, 100, nil); return err },
	} {
		if err := work(); err != nil {
			return nil, err
		}
		// A durable commit flushes all WAL that was written before it.
		if _, err := conn.Exec(ctx, "set synchronous_commit = on; select pg_logical_emit_message(true, 'bench', '')"); err != nil {
			return nil, err
		}
		if err := conn.QueryRow(ctx, "select pg_current_wal_flush_lsn()::text").Scan(&marks[i]); err != nil {
			return nil, err
		}
	}
	if err := l.count(ctx, conn, 1); err != nil {
		return nil, err
	}
	for i, to := range []func(m *measured) *int64{
		func(m *measured) *int64 { return &m.created }, func(m *measured) *int64 { return &m.drained },
	} {
		if err := l.readLog(ctx, conn, marks[i], marks[i+1], to); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// rootOf is a query for the table to which a partition or a TOAST table belongs. %s is the relation.
const rootOf = `(
	select r.relname
	  from pg_class as r
	 where r.oid = coalesce(
	   pg_partition_root((select m.oid from pg_class as m where m.reltoastrelid = %[1]s)),
	   (select m.oid from pg_class as m where m.reltoastrelid = %[1]s),
	   pg_partition_root(%[1]s),
	   %[1]s
	 )
)`

// count adds or subtracts the counters of the server's statistics.
func (l *life) count(ctx context.Context, conn *pgx.Conn, sign int64) error {
	if _, err := conn.Exec(ctx, "select pg_stat_force_next_flush()"); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, `
		select `+fmt.Sprintf(rootOf, "u.relid")+`,
		       sum(u.n_tup_ins)::bigint, sum(u.n_tup_upd)::bigint, sum(u.n_tup_hot_upd)::bigint, sum(u.n_tup_del)::bigint
		  from pg_stat_user_tables as u
		 where u.schemaname = 'tasker'
		 group by 1
		 order by 1`)
	if err != nil {
		return err
	}
	var table string
	var inserts, updates, hot, deletes int64
	_, err = pgx.ForEachRow(rows, []any{&table, &inserts, &updates, &hot, &deletes}, func() error {
		m := l.of(table)
		m.inserts, m.updates = m.inserts+sign*inserts, m.updates+sign*updates
		m.hot, m.deletes = m.hot+sign*hot, m.deletes+sign*deletes
		return nil
	})
	return err
}

// readLog reads a part of the log: its bytes, index entries and row locks by table.
func (l *life) readLog(ctx context.Context, conn *pgx.Conn, from, to string, bytes func(m *measured) *int64) error {
	rows, err := conn.Query(ctx, `
		select coalesce(`+fmt.Sprintf(rootOf, "coalesce(i.indrelid, c.oid)")+`, 'commits and the like'),
		       sum(w.record_length)::bigint,
		       count(*) filter (where w.resource_manager in ('Btree', 'BRIN') and w.record_type ~ '^(INSERT|SAMEPAGE_UPDATE|UPDATE)'),
		       count(*) filter (where w.resource_manager = 'Heap' and w.record_type = 'LOCK')
		  from public.pg_get_wal_records_info($1::text::pg_lsn, $2::text::pg_lsn) as w
		  left join pg_class as c
		    on c.oid <> 0
		   and pg_relation_filenode(c.oid) = (regexp_match(w.block_ref, 'rel \d+/\d+/(\d+)'))[1]::oid
		  left join pg_index as i
		    on i.indexrelid = c.oid
		 group by 1
		 order by 1`, from, to)
	if err != nil {
		return err
	}
	var table string
	var n, entries, locks int64
	_, err = pgx.ForEachRow(rows, []any{&table, &n, &entries, &locks}, func() error {
		m := l.of(table)
		*bytes(m) += n
		m.entries, m.locks = m.entries+entries, m.locks+locks
		return nil
	})
	return err
}

// table prints the mean life of n tasks.
func (l *life) table(n float64) [][]string {
	rows := [][]string{{
		"table", "inserts", "updates", "of them HOT", "deletes", "index entries", "row locks", "WAL of creation, B", "WAL of the drain, B", "WAL, B",
	}}
	var sum measured
	row := func(name string, m measured) []string {
		line := []string{name}
		for _, count := range []int64{m.inserts, m.updates, m.hot, m.deletes, m.entries, m.locks} {
			line = append(line, fmt.Sprintf("%.2f", float64(count)/n))
		}
		for _, size := range []int64{m.created, m.drained, m.created + m.drained} {
			line = append(line, fmt.Sprintf("%.0f", float64(size)/n))
		}
		return line
	}
	for _, name := range l.names {
		m := *l.by[name]
		if m == (measured{}) {
			continue
		}
		rows = append(rows, row(name, m))
		sum = measured{
			sum.inserts + m.inserts, sum.updates + m.updates, sum.hot + m.hot, sum.deletes + m.deletes, sum.entries + m.entries, sum.locks + m.locks,
			sum.created + m.created, sum.drained + m.drained,
		}
	}
	return append(rows, row("sum", sum))
}
