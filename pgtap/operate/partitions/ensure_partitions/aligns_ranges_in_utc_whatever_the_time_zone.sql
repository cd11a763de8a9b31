-- In New York it is still Tuesday, 31 December, when in UTC the new year has begun on a Wednesday.
begin;
select plan(10);

set local timezone = 'America/New_York';
select tasker_test.freeze('2053-01-01 01:30:00+00');
update tasker.settings set value = '0' where name = 'uuid_tolerance_seconds';

prepare ranges as
  select to_char(r.starts_at at time zone 'UTC', 'Dy YYYY-MM-DD HH24:MI'),
         to_char(r.ends_at at time zone 'UTC', 'Dy YYYY-MM-DD HH24:MI'),
         r.suffix
    from tasker.list_partition_ranges() as r
   where r.starts_at > timestamptz '2052-06-01 00:00:00+00';

update tasker.partition_config set premake = 2;
savepoint monthly;

select is(tasker.ensure_partitions(), 3, 'three months are created');
select results_eq(
  'ranges',
  $$
  values
    ('Wed 2053-01-01 00:00', 'Sat 2053-02-01 00:00', 'p20530101'),
    ('Sat 2053-02-01 00:00', 'Sat 2053-03-01 00:00', 'p20530201'),
    ('Sat 2053-03-01 00:00', 'Tue 2053-04-01 00:00', 'p20530301')
  $$,
  'a month begins on its first day'
);

rollback to monthly;
update tasker.partition_config set partition_interval = '7 days';
select is(tasker.ensure_partitions(), 3, 'three weeks are created');
select results_eq(
  'ranges',
  $$
  values
    ('Mon 2052-12-30 00:00', 'Mon 2053-01-06 00:00', 'p20521230'),
    ('Mon 2053-01-06 00:00', 'Mon 2053-01-13 00:00', 'p20530106'),
    ('Mon 2053-01-13 00:00', 'Mon 2053-01-20 00:00', 'p20530113')
  $$,
  'a week begins on a Monday'
);

rollback to monthly;
update tasker.partition_config set partition_interval = '1 day';
select is(tasker.ensure_partitions(), 3, 'three days are created');
select results_eq(
  'ranges',
  $$
  values
    ('Wed 2053-01-01 00:00', 'Thu 2053-01-02 00:00', 'p20530101'),
    ('Thu 2053-01-02 00:00', 'Fri 2053-01-03 00:00', 'p20530102'),
    ('Fri 2053-01-03 00:00', 'Sat 2053-01-04 00:00', 'p20530103')
  $$,
  'a day begins at midnight'
);

rollback to monthly;
update tasker.partition_config set partition_interval = '1 hour';
select is(tasker.ensure_partitions(), 3, 'three hours are created');
select results_eq(
  'ranges',
  $$
  values
    ('Wed 2053-01-01 01:00', 'Wed 2053-01-01 02:00', 'p20530101_010000'),
    ('Wed 2053-01-01 02:00', 'Wed 2053-01-01 03:00', 'p20530101_020000'),
    ('Wed 2053-01-01 03:00', 'Wed 2053-01-01 04:00', 'p20530101_030000')
  $$,
  'an hour begins at minute 0'
);

select is(current_setting('timezone'), 'America/New_York', 'the session keeps its time zone');
select is(tasker.ensure_partitions(), 0, 'a second call creates no range');

select * from finish();
rollback;
