-- In New York clocks go forward on 10 March 2053: the day has 23 hours there, and the month an hour less.
begin;
select plan(2);

set local timezone = 'America/New_York';
select tasker_test.freeze('2053-03-08 12:00:00+00');
update tasker.partition_config set partition_interval = '1 day', premake = 4;
select tasker.ensure_partitions();

select is_empty(
  $$
  select r.starts_at, r.ends_at
    from tasker.list_partition_ranges() as r
   where r.starts_at > timestamptz '2053-01-01 00:00:00+00'
     and extract(epoch from r.ends_at) - extract(epoch from r.starts_at) is distinct from 86400
  $$,
  'every range of a day has 24 hours'
);
select is(
  (select count(*) from tasker.list_partition_ranges() as r where r.starts_at > timestamptz '2053-01-01 00:00:00+00'),
  5::bigint,
  'five ranges exist, today and four days ahead'
);

select * from finish();
rollback;
