create or replace view tasker.partition_statuses as
select
  ''::text as partition_unit,
  0::integer as premake,
  '0'::interval as retention,
  ''::text as backend,
  ''::text as backend_reason,
  0::integer as ranges,
  0::integer as ahead,
  0::integer as held,
  0::integer as expired,
  null::timestamptz as first_starts_at,
  null::timestamptz as last_ends_at,
  '0'::interval as covered_for,
  0::bigint as bytes,
  false::boolean as healthy,
  '{}'::text[] as problems
where false;

comment on view tasker.partition_statuses is
  'Row type: the configuration of partitioning, the ranges that exist ahead of now, and the problems.';
comment on column tasker.partition_statuses.backend_reason is
  'The reason why this backend is used and not the other.';
comment on column tasker.partition_statuses.ahead is
  'The number of ranges that have not begun.';
comment on column tasker.partition_statuses.expired is
  'The number of ranges that still exist although their retention has passed, including held ranges. Ranges of tasks that are kept longer are not counted.';
comment on column tasker.partition_statuses.covered_for is
  'The time from now to the end of the last range. Negative if that range has ended.';
