-- These triggers check a whole statement: a foreign key would check each row, and prevent retention from dropping
-- a range.
begin;
select plan(2);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

select set_eq(
  $$
  select format('%s: %s', t.tgrelid::regclass, t.tgfoid::regproc)
    from pg_trigger as t
    join pg_class as c on c.oid = t.tgrelid
   where c.relname like '%\_p20500101'
     and t.tgname like '%\_check\_%'
  $$,
  array[
    'tasker.workflow_steps_p20500101: tasker.check_step_tasks',
    'tasker.added_step_edges_p20500101: tasker.check_step_edges'
  ],
  'the triggers check the tasks of new steps and the steps of new edges'
);
select is_empty(
  $$
  select k.conname
    from pg_constraint as k
    join pg_class as c on c.oid in (k.conrelid, k.confrelid)
    join tasker.partitioned_tables as t on c.relname like replace(t.table_name, '_', '\_') || '%'
   where k.contype = 'f'
     and c.relnamespace = 'tasker'::regnamespace
     and (c.relispartition or c.relkind = 'p')
  $$,
  'no run table has a foreign key, and none is referenced by one'
);

select * from finish();
rollback;
