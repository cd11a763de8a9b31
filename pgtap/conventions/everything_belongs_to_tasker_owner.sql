-- A security definer function can do what its owner can: tasker_owner owns these schemas and nothing else.
begin;
select plan(5);

prepare strangers as
  select p.oid::regprocedure::text
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and p.proowner <> 'tasker_owner'::regrole
  union all
  select c.oid::regclass::text
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relowner <> 'tasker_owner'::regrole
  union all
  select t.oid::regtype::text
    from pg_type as t
   where t.typnamespace::regnamespace::text in ('tasker', 'tasklib')
     and t.typowner <> 'tasker_owner'::regrole;

select is_empty('strangers', 'every function, table, view, index and type of tasker and tasklib belongs to tasker_owner');
select set_eq(
  $$ select n.nspowner::regrole::text from pg_namespace as n where n.nspname in ('tasker', 'tasklib') $$,
  array['tasker_owner'],
  'both schemas belong to tasker_owner'
);

create function tasker.stranger() returns integer language sql as 'select 1';
select set_eq('strangers', array['tasker.stranger()'], 'a function of another owner is found');

select is_empty(
  $$
  select r.rolname
    from pg_roles as r
   where r.rolname in (
     'tasker_owner', 'tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader',
     'tasker_server', 'tasklib_submitter', 'tasklib_worker', 'tasklib_operator', 'tasklib_reader'
   )
     and (r.rolcanlogin or r.rolinherit or r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication
          or r.rolbypassrls)
  $$,
  'no group role can log in, inherits or has an attribute such as CREATEDB'
);
select is_empty(
  $$
  select m.member::regrole
    from pg_auth_members as m
   where m.roleid = 'tasker_owner'::regrole
     and m.member::regrole::text ~ '^task(er|lib)_'
  $$,
  'no role of pgtasker is a member of tasker_owner'
);

select * from finish();
rollback;
