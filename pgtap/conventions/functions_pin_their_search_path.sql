-- The meaning of a name in a function must not depend on the caller. Functions with "begin atomic" resolve their names when
-- they are created. A private function runs under the search_path of its caller, and a setting of its own would cost the
-- hot path a microsecond. So search_path is pinned by functions that a role may call, by functions with other rights than
-- their caller's, and by trigger functions, which any statement may call. The function of a CHECK constraint runs for each
-- row: it is private, qualifies all names outside pg_catalog, and reads no table.
begin;
select plan(6);

select is_empty(
  $$
  select p.oid::regprocedure
    from pg_proc as p
   where p.oid in (
           select d.refobjid
             from pg_constraint as c
             join pg_depend as d
               on d.classid = 'pg_constraint'::regclass
              and d.objid = c.oid
              and d.refclassid = 'pg_proc'::regclass
            where c.contype = 'c'
              and c.conrelid in (
                select t.table_name::regclass
                  from (select 'tasker.' || p.table_name from tasker.partitioned_tables as p) as t (table_name)
              )
         )
     and (p.prosecdef or p.provolatile is distinct from 'i'
          or p.prosrc ~ '\m(select|insert|update|delete|execute|perform)\M')
  $$,
  'a function of a CHECK constraint is immutable, runs with the rights of its caller and reads no table'
);


prepare unpinned as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and p.prosqlbody is null
     and (
       p.prosecdef
       or p.prorettype = 'trigger'::regtype
       or p.proacl is null
       or exists (select from aclexplode(p.proacl) as a where a.grantee <> p.proowner)
     )
     and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false);

select is_empty('unpinned', 'every function that other roles or triggers call pins search_path to pg_catalog, pg_temp');

create function tasker.unpinned() returns integer language plpgsql as $$ begin return 1; end; $$;
select results_eq('unpinned', $$ values ('tasker.unpinned()'::regprocedure) $$, 'a function without a pinned search_path is found');

alter function tasker.unpinned() set search_path = pg_temp, pg_catalog;
select results_eq('unpinned', $$ values ('tasker.unpinned()'::regprocedure) $$, 'a function that puts pg_temp first is found');

alter function tasker.unpinned() reset search_path;
revoke all on function tasker.unpinned() from public;
select is_empty('unpinned', 'a private function needs no pinned search_path');

create function tasker.unpinned_trigger() returns trigger language plpgsql as $$ begin return null; end; $$;
revoke all on function tasker.unpinned_trigger() from public;
select results_eq('unpinned', $$ values ('tasker.unpinned_trigger()'::regprocedure) $$, 'a trigger function without a pinned search_path is found');

select * from finish();
rollback;
