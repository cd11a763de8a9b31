-- A row type says which columns a function returns. It is a view without rows, so that lists of tables show tables only.
begin;
select plan(10);

prepare strays as
  select c.oid::regclass
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind in ('r', 'p', 'v', 'm', 'c')
     and not c.relispartition
     and (coalesce(obj_description(c.oid, 'pg_class'), '') ~ '^Row type: ')
           is distinct from (c.relkind = 'v' and pg_get_viewdef(c.oid) ~ '\sWHERE false;$');

create temporary table row_types as
  select c.oid,
         c.oid::regclass as name,
         (select a.attname from pg_attribute as a where a.attrelid = c.oid and a.attnum = 1) as first_column
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind = 'v'
     and obj_description(c.oid, 'pg_class') ~ '^Row type: ';

create function pg_temp.answer(p_sql text) returns text language plpgsql as $$
begin
  execute p_sql;
  return 'done';
exception when others then
  return sqlstate;
end;
$$;

select cmp_ok((select count(*) from row_types), '>', 80::bigint, 'row types are found');
select is_empty('strays', 'what is called a row type is a view "where false", and the other way round');
select is_empty(
  $$
  select r.name, d.refobjid::regclass
    from row_types as r
    join pg_rewrite as w on w.ev_class = r.oid
    join pg_depend as d
      on d.classid = 'pg_rewrite'::regclass
     and d.objid = w.oid
     and d.refclassid in ('pg_class'::regclass, 'pg_proc'::regclass)
     and d.refobjid is distinct from r.oid
  $$,
  'no row type reads a relation or calls a function'
);
select is_empty(
  $$
  select r.name, a.answer
    from row_types as r
   cross join lateral (
     values
       (pg_temp.answer(format('insert into %s default values', r.name))),
       (pg_temp.answer(format('update %s set %I = null', r.name, r.first_column))),
       (pg_temp.answer(format('delete from %s', r.name)))
   ) as a (answer)
   where a.answer is distinct from '55000'
  $$,
  'none can be written, not even by a superuser'
);
select is_empty(
  $$
  select r.name, g.rolname
    from row_types as r
   cross join pg_roles as g
   where g.rolname in (
     'tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader', 'tasker_server',
     'tasklib_submitter', 'tasklib_worker', 'tasklib_operator', 'tasklib_reader'
   )
     and has_any_column_privilege(g.oid, r.oid, 'select, insert, update, references')
  $$,
  'no role may read one'
);
select is_empty(
  $$
  select p.oid::regprocedure
    from pg_proc as p
    join pg_type as t on t.oid = p.prorettype
    join pg_class as c on c.oid = t.typrelid
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind = 'v'
     and c.oid not in (select r.oid from row_types as r)
  $$,
  'functions return rows of tables and row types, not of views that have some'
);

create table tasker.stray (a integer);
comment on table tasker.stray is 'Row type: a table.';
select results_eq('strays', $$ values ('tasker.stray'::regclass) $$, 'a table that is called a row type is found');
drop table tasker.stray;
create view tasker.stray as select 1 as a where false;
select results_eq('strays', $$ values ('tasker.stray'::regclass) $$, 'a row type that is not called one is found');
create or replace view tasker.stray as select 1 as a;
comment on view tasker.stray is 'Row type: with a row.';
select results_eq('strays', $$ values ('tasker.stray'::regclass) $$, 'a row type with rows is found');
create table tasker.full (a integer);
drop view tasker.stray;
create view tasker.stray as select a from tasker.full;
select is(pg_temp.answer('delete from tasker.stray'), 'done', 'a view over a table can be written');

select * from finish();
rollback;
