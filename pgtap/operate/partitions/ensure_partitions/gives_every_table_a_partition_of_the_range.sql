begin;
select plan(2);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

select set_eq(
  $$
  select c.relname::text
    from pg_class as c
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind = 'r'
     and c.relispartition
     and c.relname like '%\_p20500101'
  $$,
  array[
    'tasks_p20500101', 'workflow_steps_p20500101', 'added_step_edges_p20500101', 'task_log_p20500101',
    'step_log_p20500101', 'task_signals_p20500101', 'kept_results_p20500101',
    'step_streams_p20500101', 'stream_items_p20500101', 'task_attributes_p20500101'
  ],
  'each of the nine run tables gets a partition'
);
select is_empty(
  $$
  select c.oid::regclass
    from pg_class as c
    join tasker.partition_ranges as r
      on c.relname like '%\_' || r.suffix
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind = 'r'
     and c.relispartition
     and pg_get_expr(c.relpartbound, c.oid) is distinct from format('FOR VALUES FROM (%L) TO (%L)', r.from_uuid, r.to_uuid)
  $$,
  'the bounds of each partition are the UUIDs of its range'
);

select * from finish();
rollback;
