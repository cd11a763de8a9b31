-- No range has been created for years.
begin;
select plan(5);

select tasker_test.freeze('2050-01-20 12:00:00+00');

select is(tasker.ensure_partitions(), 4, 'the current month and three months ahead are created');
select results_eq(
  $$
  select starts_at, ends_at, suffix
    from tasker.list_partition_ranges()
   where starts_at > timestamptz '2049-01-01 00:00:00+00'
  $$,
  $$
  values
    (timestamptz '2050-01-01 00:00:00+00', timestamptz '2050-02-01 00:00:00+00', 'p20500101'),
    (timestamptz '2050-02-01 00:00:00+00', timestamptz '2050-03-01 00:00:00+00', 'p20500201'),
    (timestamptz '2050-03-01 00:00:00+00', timestamptz '2050-04-01 00:00:00+00', 'p20500301'),
    (timestamptz '2050-04-01 00:00:00+00', timestamptz '2050-05-01 00:00:00+00', 'p20500401')
  $$,
  'the ranges begin with their months'
);

select tasker_test.pass('40 days');
select is(tasker.ensure_partitions(), 2, 'two more ranges are created forty days later');
select is(tasker.ensure_partitions(), 0, 'a second call creates no range');
select is(
  (select max(ends_at) from tasker.list_partition_ranges()), '2050-07-01 00:00:00+00'::timestamptz,
  'the ranges reach three months ahead again'
);

select * from finish();
rollback;
