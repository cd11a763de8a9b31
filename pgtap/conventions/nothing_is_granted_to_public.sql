-- Privileges are granted to roles by name. Every role can execute a function without an access list.
begin;
select plan(8);

prepare schemas as
  select n.nspname
    from pg_namespace as n
   cross join lateral aclexplode(n.nspacl) as a
   where n.nspname in ('tasker', 'tasklib')
     and a.grantee = 0;

prepare functions as
  select p.oid::regprocedure
    from pg_proc as p
   cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and a.grantee = 0;

prepare relations as
  select c.oid::regclass
    from pg_class as c
   cross join lateral aclexplode(c.relacl) as a
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and a.grantee = 0;

prepare columns as
  select format('%s.%s', c.oid::regclass, b.attname)
    from pg_class as c
    join pg_attribute as b on b.attrelid = c.oid
   cross join lateral aclexplode(b.attacl) as a
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and a.grantee = 0;

select is_empty('schemas', 'no schema is granted to PUBLIC');
select is_empty('functions', 'no function can be executed by PUBLIC');
select is_empty('relations', 'no table or view is granted to PUBLIC, partitions included');
select is_empty('columns', 'no column is granted to PUBLIC');

grant usage on schema tasker to public;
create function tasker.open_function() returns integer language sql as 'select 1';
create table tasker.open_table (a integer);
grant select on tasker.open_table to public;
grant update (a) on tasker.open_table to public;

select results_eq('schemas', $$ values ('tasker'::name) $$, 'a schema that is granted to PUBLIC is found');
select results_eq(
  'functions',
  $$ values ('tasker.open_function()'::regprocedure) $$, 'a function with default privileges is found'
);
select results_eq('relations', $$ values ('tasker.open_table'::regclass) $$, 'a table that is granted to PUBLIC is found');
select set_eq('columns', array['tasker.open_table.a'], 'a column that is granted to PUBLIC is found');

select * from finish();
rollback;
