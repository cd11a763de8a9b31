-- What a function's names mean must not depend on who calls it. One that is "begin atomic" was bound
-- when it was made.
begin;
select plan(3);

prepare unpinned as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and p.prosqlbody is null
     and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false);

select is_empty('unpinned', 'every function that is not "begin atomic" pins search_path to pg_catalog, pg_temp');

create function tasker.unpinned() returns integer language plpgsql as $$ begin return 1; end; $$;
select results_eq('unpinned', $$ values ('tasker.unpinned()'::regprocedure) $$, 'one that does not is found');

alter function tasker.unpinned() set search_path = pg_temp, pg_catalog;
select results_eq('unpinned', $$ values ('tasker.unpinned()'::regprocedure) $$, 'and one that puts pg_temp first');

select * from finish();
rollback;
