-- What a function's names mean must not depend on who calls it. One that is "begin atomic" was bound when it
-- was made. A private one runs under the search_path of the function that calls it, and each setting of its own
-- would cost the hot path a microsecond: so those that a role may call pin it, those that run with other rights
-- than their caller's, and trigger functions, which anybody's statement calls. A CHECK constraint's function runs for
-- each row: it is private, names what is not of pg_catalog with its schema, and looks nothing up.
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
     and (p.prosecdef or p.provolatile <> 'i'
          or p.prosrc ~ '\m(select|insert|update|delete|execute|perform)\M')
  $$,
  'a function of a CHECK constraint runs with nobody''s rights but the writer''s, and looks nothing up'
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

select is_empty('unpinned', 'every function that others may call or that a trigger calls pins search_path to pg_catalog, pg_temp');

create function tasker.unpinned() returns integer language plpgsql as $$ begin return 1; end; $$;
select results_eq('unpinned', $$ values ('tasker.unpinned()'::regprocedure) $$, 'one that does not is found');

alter function tasker.unpinned() set search_path = pg_temp, pg_catalog;
select results_eq('unpinned', $$ values ('tasker.unpinned()'::regprocedure) $$, 'and one that puts pg_temp first');

alter function tasker.unpinned() reset search_path;
revoke all on function tasker.unpinned() from public;
select is_empty('unpinned', 'a private one need not');

create function tasker.unpinned_trigger() returns trigger language plpgsql as $$ begin return null; end; $$;
revoke all on function tasker.unpinned_trigger() from public;
select results_eq('unpinned', $$ values ('tasker.unpinned_trigger()'::regprocedure) $$, 'but a trigger function must');

select * from finish();
rollback;
