create or replace view tasker.held_partitions as
select
  '-infinity'::timestamptz as starts_at,
  '-infinity'::timestamptz as ends_at,
  0::bigint as open_tasks,
  0::bigint as investigations,
  0::bigint as young_tasks,
  '00000000-0000-0000-0000-000000000000'::uuid as first_task,
  ''::text as reason
where false;

comment on view tasker.held_partitions is
  'Row type: why a range may not be dropped.';
comment on column tasker.held_partitions.open_tasks is
  'The number of tasks that have not ended.';
comment on column tasker.held_partitions.investigations is
  'The number of tasks whose entry in the dead-letter queue is not resolved.';
comment on column tasker.held_partitions.young_tasks is
  'The number of ended tasks that were created after the end of the range, because no newer range existed, and that are younger than the retention.';
