create or replace view tasker.partition_sizes as
select
  '-infinity'::timestamptz as starts_at,
  '-infinity'::timestamptz as ends_at,
  ''::text as suffix,
  ''::text as status,
  0::bigint as tasks,
  0::bigint as steps,
  0::bigint as bytes,
  null::text as detail
where false;

comment on view tasker.partition_sizes is
  'Row type: one range with its size and its status.';
comment on column tasker.partition_sizes.status is
  'ahead, current, kept, expired (to be dropped), held or busy.';
comment on column tasker.partition_sizes.tasks is
  'The number of tasks, estimated from the server''s statistics.';
comment on column tasker.partition_sizes.bytes is
  'The size, in bytes, of all partitions of the range with their indexes.';
