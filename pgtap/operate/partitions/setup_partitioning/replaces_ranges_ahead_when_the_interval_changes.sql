-- In a database with tasks, ranges that have begun stay, and empty ranges ahead are replaced.
begin;
select plan(6);

select tasker_test.start_year('2050-01-20 12:00+00', '1 month', '90 days');
select tasker_test.make_task('old') as task \gset

select results_eq(
  'select tasker_test.range_names()',
  $$ values ('p20500101'), ('p20500201'), ('p20500301') $$,
  'the ranges are months'
);
select lives_ok($$ select tasker.setup_partitioning('7 days', 4) $$, 'the interval can be changed to weeks');
select results_eq('select tasker_test.range_names()', $$ values ('p20500101') $$, 'the empty ranges ahead are dropped');
select is(tasker.ensure_partitions(), 3, 'ensure_partitions creates the new ranges, as far ahead as configured');
select results_eq(
  $$ select suffix, ends_at from tasker.list_partition_ranges() $$,
  $$
  values
    ('p20500101', timestamptz '2050-02-01 00:00+00'),
    ('p20500201', timestamptz '2050-02-07 00:00+00'),
    ('p20500207', timestamptz '2050-02-14 00:00+00'),
    ('p20500214', timestamptz '2050-02-21 00:00+00')
  $$,
  'the first new range fills the gap up to a Monday'
);
select is(
  (select count(*) from tasker.tasks as t where t.task_uuid = :'task'), 1::bigint, 'the task is still there'
);

select * from finish();
rollback;
