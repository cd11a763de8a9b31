begin;
select plan(3);

select results_eq(
  'select starts_at from tasker.list_partition_ranges()',
  'select starts_at from tasker.partition_ranges order by starts_at',
  'the ranges are returned by time'
);
select isnt_empty(
  'select from tasker.list_partition_ranges() where tstzrange(starts_at, ends_at) @> tasker.clock()',
  'one range covers the current time'
);
select is_empty(
  $$
  select suffix
    from tasker.list_partition_ranges()
   where from_uuid is distinct from tasker.uuid_v7_floor(starts_at)
      or to_uuid is distinct from tasker.uuid_v7_floor(ends_at)
      or starts_at is distinct from tasker.uuid_v7_time(from_uuid)
  $$,
  'each range has the UUIDs of its bounds'
);

select * from finish();
rollback;
