package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// used is the cost of a statement in one turn, for each step.
type used struct{ calls, buffers float64 }

// listGrowing prints the statements inside the exchanges whose buffers differ most between the two databases, and the indexes
// that differ in depth. Each further level of an index costs a buffer in each search.
func listGrowing(ctx context.Context, full, empty *side, loads []load) error {
	if err := listDepths(ctx, full, empty); err != nil {
		return err
	}
	for _, l := range loads {
		var of [2]map[string]used
		for i, s := range []*side{full, empty} {
			var err error
			if of[i], err = s.statements(ctx, l); err != nil {
				return err
			}
		}
		grows := func(text string) float64 { return math.Abs(of[0][text].buffers - of[1][text].buffers) }
		texts := slices.SortedFunc(maps.Keys(of[0]), func(a, b string) int { return -cmp.Compare(grows(a), grows(b)) })
		rows := [][]string{{fmt.Sprintf("buffers a step, exchange of %d", l.batch), "full", "empty", "calls a step", "empty"}}
		for _, text := range texts[:min(*growing, len(texts))] {
			a, b := of[0][text], of[1][text]
			rows = append(rows, []string{
				text[:min(160, len(text))],
				fmt.Sprintf("%.2f", a.buffers), fmt.Sprintf("%.2f", b.buffers), fmt.Sprintf("%.3f", a.calls), fmt.Sprintf("%.3f", b.calls),
			})
		}
		lab.Table(rows)
	}
	return nil
}

// statements runs a turn in which the statements inside functions are counted, too.
func (s *side) statements(ctx context.Context, l load) (map[string]used, error) {
	if _, err := s.pool.Exec(ctx, `
		do $$
		begin
		  execute format('alter database %I set pg_stat_statements.track = %L', current_database(), 'all');
		end;
		$$`); err != nil {
		return nil, err
	}
	s.pool.Reset()
	if _, err := s.turn(ctx, l); err != nil { // warms up the new connections
		return nil, err
	}
	t, err := s.turn(ctx, l)
	if err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, `
		select s.query, sum(s.calls)::float / $1::integer, sum(s.shared_blks_hit + s.shared_blks_read)::float / $1::integer
		  from public.pg_stat_statements as s
		  join pg_database as d
		    on d.oid = s.dbid
		 where d.datname = current_database()
		 group by s.query`, t.steps)
	if err != nil {
		return nil, err
	}
	all := map[string]used{}
	var text string
	var u used
	_, err = pgx.ForEachRow(rows, []any{&text, &u.calls, &u.buffers}, func() error {
		all[strings.Join(strings.Fields(text), " ")] = u
		return nil
	})
	return all, err
}

// listDepths prints the levels of the indexes of the run tables below their roots.
func listDepths(ctx context.Context, full, empty *side) error {
	var of [2]map[string]int64
	for i, s := range []*side{full, empty} {
		rows, err := s.pool.Query(ctx, `
			select coalesce(p.relname, c.relname), max(m.level)
			  from pg_class as c
			  left join pg_class as p
			    on p.oid = pg_partition_root(c.oid)
			 cross join lateral public.bt_metap(c.oid::regclass::text) as m
			 where c.relkind = 'i'
			   and c.relnamespace = 'tasker'::regnamespace
			   and c.relam = (select a.oid from pg_am as a where a.amname = 'btree')
			 group by 1`)
		if err != nil {
			return err
		}
		of[i] = map[string]int64{}
		var name string
		var level int64
		if _, err := pgx.ForEachRow(rows, []any{&name, &level}, func() error { of[i][name] = level; return nil }); err != nil {
			return err
		}
	}
	rows := [][]string{{"levels below the root", "full", "empty"}}
	for _, name := range slices.Sorted(maps.Keys(of[0])) {
		if of[0][name] != of[1][name] {
			rows = append(rows, []string{name, fmt.Sprint(of[0][name]), fmt.Sprint(of[1][name])})
		}
	}
	lab.Table(rows)
	return nil
}
