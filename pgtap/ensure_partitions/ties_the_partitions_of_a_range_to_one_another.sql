-- Foreign keys go from leaf to leaf; between parents they would stand in the way of retention.
begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

prepare foreign_keys (text) as
  select format('%s %s', k.conrelid::regclass, pg_get_constraintdef(k.oid))
    from pg_constraint as k
    join pg_class as c on c.oid = k.conrelid
   where k.contype = 'f'
     and c.relnamespace = 'tasker'::regnamespace
     and c.relname like $1;

select set_eq(
  $$ execute foreign_keys ('%\_p20500101') $$,
  array[
    'tasker.workflow_steps_p20500101 FOREIGN KEY (task_uuid) REFERENCES tasker.tasks_p20500101(task_uuid)'
  ],
  'steps to their task; edges are checked a statement at a time'
);
select is_empty(
  $$
  select t.table_name
    from tasker.partitioned_tables as t
   where exists (
     select
       from pg_constraint as k
      where k.contype = 'f'
        and to_regclass('tasker.' || t.table_name) in (k.conrelid, k.confrelid)
   )
  $$,
  'the parents have none'
);
select is(
  (select count(*) from tasker.partition_ranges as r),
  (
    select count(*)
      from pg_constraint as k
      join pg_class as c on c.oid = k.conrelid
     where k.contype = 'f'
       and c.relnamespace = 'tasker'::regnamespace
       and c.relispartition
  ),
  'every range has the same one'
);

select * from finish();
rollback;
