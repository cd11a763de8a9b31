-- By triggers that check a statement at a time: a foreign key would look once for each row, and stand in the way of
-- retention.
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
  'steps to their task, edges to their steps'
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
  'no run table has a foreign key, and none points to one'
);

select * from finish();
rollback;
