-- The reference pages are generated from these comments. A partition needs none: its parent has one.
begin;
select plan(14);

prepare schemas as
  select n.nspname
    from pg_namespace as n
   where n.nspname in ('tasker', 'tasklib')
     and obj_description(n.oid, 'pg_namespace') is null;

prepare functions as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and obj_description(p.oid, 'pg_proc') is null;

prepare tables as
  select c.oid::regclass
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind in ('r', 'p')
     and not c.relispartition
     and obj_description(c.oid, 'pg_class') is null;

prepare views as
  select c.oid::regclass
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind in ('v', 'm')
     and obj_description(c.oid, 'pg_class') is null;

prepare types as
  select t.oid::regtype
    from pg_type as t
   where t.typnamespace::regnamespace::text in ('tasker', 'tasklib')
     and t.typtype in ('e', 'd', 'r')
     and obj_description(t.oid, 'pg_type') is null;

prepare indexes as
  select c.oid::regclass
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind in ('i', 'I')
     and not c.relispartition
     and not exists (select from pg_constraint as k where k.conindid = c.oid)
     and not exists (select from pg_index as i join pg_class as t on t.oid = i.indrelid
                      where i.indexrelid = c.oid and t.relispartition)
     and obj_description(c.oid, 'pg_class') is null;

prepare triggers as
  select format('%s.%s', t.tgrelid::regclass, t.tgname)
    from pg_trigger as t
    join pg_class as c on c.oid = t.tgrelid
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and not t.tgisinternal
     and not c.relispartition
     and obj_description(t.oid, 'pg_trigger') is null;

select is_empty('schemas', 'every schema has a comment');
select is_empty('functions', 'every function has a comment');
select is_empty('tables', 'every table has a comment');
select is_empty('views', 'every view has a comment');
select is_empty('types', 'every type has a comment');
select is_empty('indexes', 'every index that is not a constraint''s has a comment');
select is_empty('triggers', 'every trigger has a comment');

comment on schema tasker is null;
create function tasker.silent_function() returns trigger language plpgsql as $$ begin return null; end; $$;
create table tasker.silent_table (a integer);
create view tasker.silent_view as select 1 as a;
create type tasker.silent_type as enum ('a');
create index silent_index on tasker.silent_table (a);
create trigger silent_trigger before insert on tasker.silent_table for each row execute function tasker.silent_function();

select results_eq('schemas', $$ values ('tasker'::name) $$, 'a schema without a comment is found');
select results_eq(
  'functions',
  $$ values ('tasker.silent_function()'::regprocedure) $$, 'a function without a comment is found'
);
select results_eq('tables', $$ values ('tasker.silent_table'::regclass) $$, 'a table without a comment is found');
select results_eq('views', $$ values ('tasker.silent_view'::regclass) $$, 'a view without a comment is found');
select results_eq('types', $$ values ('tasker.silent_type'::regtype) $$, 'a type without a comment is found');
select results_eq('indexes', $$ values ('tasker.silent_index'::regclass) $$, 'an index without a comment is found');
select set_eq('triggers', array['tasker.silent_table.silent_trigger'], 'a trigger without a comment is found');

select * from finish();
rollback;
