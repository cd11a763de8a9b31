-- sqlc has types for the rows of tables and of row types, which are views, and a new column then needs no new signature. It cannot send arrays of enums.
begin;
select plan(6);

prepare loose as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and (p.proargmodes && array['o', 'b', 't']::"char"[] or p.prorettype = 'record'::regtype);

prepare composite as
  select c.oid::regclass
    from pg_class as c
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind = 'c';

prepare enum_arrays as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and exists (
       select
         from unnest(p.proargtypes::oid[] || p.prorettype) as u (type)
         join pg_type as a on a.oid = u.type
         join pg_type as e on e.oid = a.typelem
        where e.typtype = 'e'
          and a.typcategory = 'A'
     );

select is_empty('loose', 'no function has "returns table", an OUT parameter or records without a type');
select is_empty('composite', 'no composite type exists besides those of tables and views');
select is_empty('enum_arrays', 'no signature has an array of an enum');

create function tasker.loose() returns table (a integer) language sql as 'select 1';
create type tasker.composite as (a integer);
create function tasker.enum_array(p_states tasker.step_state[]) returns integer language sql as 'select 1';

select results_eq('loose', $$ values ('tasker.loose()'::regprocedure) $$, 'a "returns table" is found');
select results_eq('composite', $$ values ('tasker.composite'::regclass) $$, 'a composite type is found');
select results_eq(
  'enum_arrays',
  $$ values ('tasker.enum_array(tasker.step_state[])'::regprocedure) $$, 'an array of an enum is found'
);

select * from finish();
rollback;
