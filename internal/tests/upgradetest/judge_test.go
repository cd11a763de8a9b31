package upgradetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// relation is a table or an index of the release, as a migration finds or leaves it.
type relation struct {
	Name string
	Big  bool   // grows with tasks
	File uint32 // its file node, which a rewrite changes
	// The work of the transaction so far, with a table.
	Scans, Read, Written int64
}

// callable is a function that a role of the release may call.
type callable struct {
	Name      string
	Arguments []string // name and type
	Defaults  int      // how many of the last arguments have a default
	Columns   []string // of the rows that it returns
}

const bigTables = `
	select h.inhrelid as oid from pg_inherits as h
	union
	select t.oid::oid
	  from unnest(array['tasker.step_queue', 'tasker.timers', 'tasker.waiting_tasks', 'tasker.task_identities', 'tasker.kept_events',
	                    'tasklib.tasks']) as n (name)
	  join lateral to_regclass(n.name) as t (oid) on t.oid is not null`

func relations(t testing.TB, tx pgx.Tx) map[uint32]relation {
	t.Helper()
	rows, err := tx.Query(t.Context(), `
		with big as materialized (`+bigTables+`)
		select c.oid, c.oid::regclass::text, coalesce(i.indrelid, c.oid) in (select b.oid from big as b), coalesce(pg_relation_filenode(c.oid), 0),
		       coalesce(pg_stat_get_xact_numscans(c.oid), 0), coalesce(pg_stat_get_xact_tuples_returned(c.oid), 0),
		       coalesce(pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid)
		                + pg_stat_get_xact_tuples_deleted(c.oid), 0)
		  from pg_class as c
		  left join pg_index as i on i.indexrelid = c.oid
		 where c.relnamespace in ('tasker'::regnamespace, 'tasklib'::regnamespace) and c.relkind in ('r', 'p', 'i')`)
	require.NoError(t, err)
	found := map[uint32]relation{}
	var oid uint32
	var r relation
	_, err = pgx.ForEachRow(rows, []any{&oid, &r.Name, &r.Big, &r.File, &r.Scans, &r.Read, &r.Written}, func() error {
		found[oid] = r
		return nil
	})
	require.NoError(t, err)
	return found
}

func callables(t testing.TB, tx pgx.Tx) []callable {
	t.Helper()
	rows, err := tx.Query(t.Context(), `
		select p.oid::regproc::text,
		       array(select format('%s %s', p.proargnames[a.no], a.type::regtype)
		               from unnest(p.proargtypes::oid[]) with ordinality as a (type, no) order by a.no),
		       p.pronargdefaults,
		       case
		         when p.proallargtypes is not null then
		           array(select format('%s %s', p.proargnames[a.no], a.type::regtype)
		                   from unnest(p.proallargtypes) with ordinality as a (type, no)
		                  where p.proargmodes[a.no] in ('o', 't') order by a.no)
		         when c.oid is not null then
		           array(select format('%s %s', k.attname, k.atttypid::regtype)
		                   from pg_attribute as k where k.attrelid = c.oid and k.attnum > 0 and not k.attisdropped order by k.attnum)
		         else array[p.prorettype::regtype::text]
		       end
		  from pg_proc as p
		  left join pg_class as c on c.reltype = p.prorettype
		 where p.pronamespace in ('tasker'::regnamespace, 'tasklib'::regnamespace)
		   and exists (select from aclexplode(p.proacl) as x where x.grantee <> p.proowner)
		 order by 1, 2`)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[callable])
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

// answers reports whether calls that were written for the other function, by position or by name, work with this one, and find
// their columns at their places.
func (c callable) answers(other callable) bool {
	return c.Name == other.Name && len(c.Arguments) >= len(other.Arguments) &&
		slices.Equal(c.Arguments[:len(other.Arguments)], other.Arguments) &&
		len(c.Arguments)-c.Defaults <= len(other.Arguments)-other.Defaults &&
		len(c.Columns) >= len(other.Columns) && slices.Equal(c.Columns[:len(other.Columns)], other.Columns)
}

// judge runs a part of a migration in a transaction on a filled database, and returns the effects that break the rules
// of docs/contributing.md.
func judge(t testing.TB, tx pgx.Tx, part string) (findings []string) {
	t.Helper()
	find := func(format string, args ...any) { findings = append(findings, fmt.Sprintf(format, args...)) }
	before, calls := relations(t, tx), callables(t, tx)
	_, err := tx.Exec(t.Context(), part)
	require.NoError(t, err)
	after := relations(t, tx)

	var blocked []string
	var timeout string
	require.NoError(t, tx.QueryRow(t.Context(), `
		select coalesce(array_agg(distinct l.relation::regclass::text order by l.relation::regclass::text), '{}'), current_setting('lock_timeout')
		  from pg_locks as l
		  join pg_class as c on c.oid = l.relation and c.relkind in ('r', 'p')
		 where l.pid = pg_backend_pid()
		   and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
		   and l.relation = any ($1::oid[])`, tablesOf(before)).Scan(&blocked, &timeout))
	if len(blocked) > 0 && timeout == "0" {
		find("waits without an end for the lock of %s, and everybody behind it: set a lock_timeout", blocked[0])
	}
	for oid, was := range before {
		is, kept := after[oid]
		switch {
		case !kept || !was.Big:
		case is.File != was.File:
			find("rewrites %s", was.Name)
		case is.Written > was.Written:
			find("writes %d rows of %s: maintenance does so in batches", is.Written-was.Written, was.Name)
		case is.Scans > was.Scans && len(blocked) > 0 && is.Read > was.Read:
			find("reads %s, while writers wait for %s", was.Name, blocked[0])
		}
	}
	now := callables(t, tx)
	for _, call := range calls {
		if !slices.ContainsFunc(now, func(c callable) bool { return c.answers(call) }) {
			find("takes %s(%s) away from programs of the release before", call.Name, strings.Join(call.Arguments, ", "))
		}
	}
	slices.Sort(findings)
	return findings
}

func tablesOf(all map[uint32]relation) (oids []uint32) {
	for oid := range all {
		oids = append(oids, oid)
	}
	return oids
}
