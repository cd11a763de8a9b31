-- Times have a time zone, texts have no length that a later release must widen, JSON is jsonb.
begin;
select plan(4);

prepare columns as
  select format('%s.%s', c.oid::regclass, a.attname)
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid
   where c.relnamespace::regnamespace::text in ('tasker', 'tasklib')
     and c.relkind in ('r', 'p', 'v', 'm', 'c')
     and not c.relispartition
     and a.attnum > 0
     and not a.attisdropped
     and exists (
       select
         from pg_type as t
        where t.oid = a.atttypid
          and coalesce(nullif(t.typelem, 0), t.oid) in (
            'timestamp'::regtype, 'time'::regtype, 'timetz'::regtype, 'varchar'::regtype,
            'bpchar'::regtype, 'json'::regtype, 'money'::regtype, 'real'::regtype
          )
     );

prepare signatures as
  select p.oid::regprocedure
    from pg_proc as p
   where p.pronamespace::regnamespace::text in ('tasker', 'tasklib')
     and p.proargtypes::oid[] || p.prorettype && array[
       'timestamp'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'json'::regtype, 'real'::regtype
     ]::oid[]
     -- Their answers are only sent to workers: json costs a quarter of jsonb to write.
     and p.oid <> all(array['tasker.exchange(jsonb)', 'tasker.exchange_or_sleep(jsonb)']::regprocedure[]);

select is_empty('columns', 'no column is a timestamp without time zone, a varchar, a char, a json or an array of these');
select is_empty('signatures', 'no argument and no result has such a type');

create table tasker.loose (a timestamp, b varchar(10), c char(3), d json, e varchar[], f text);
create function tasker.loose(p_at timestamp) returns text language sql as 'select null';

select set_eq(
  'columns',
  array['tasker.loose.a', 'tasker.loose.b', 'tasker.loose.c', 'tasker.loose.d', 'tasker.loose.e'],
  'columns of such types are found'
);
select results_eq(
  'signatures',
  $$ values ('tasker.loose(timestamp)'::regprocedure) $$,
  'an argument of such a type is found'
);

select * from finish();
rollback;
