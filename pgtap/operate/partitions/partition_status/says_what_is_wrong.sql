begin;
select plan(7);

select tasker_test.start_year('2050-01-04 12:00+00', '7 days', '21 days');
prepare problems as select unnest(problems) from tasker.partition_status();

select is_empty('problems', 'there is no problem at first');
select ok((select healthy from tasker.partition_status()), 'the status is healthy');

select tasker_test.pass('15 days');
select results_eq(
  'problems',
  $$ values ('ranges end at 2050-01-24 00:00:00+00; call tasker.ensure_partitions()') $$,
  'ranges that end in less than a week are a problem'
);
select tasker_test.pass('7 days');
select results_eq(
  'problems',
  $$ values ('no partition covers the current time: new tasks go into the last one; call tasker.ensure_partitions()') $$,
  'a current time without a range is a problem'
);
select ok((select covered_for < interval '0' from tasker.partition_status()), 'covered_for is negative');

select tasker.ensure_partitions();
select is_empty('problems', 'the weeks without ranges are no problem once the next ranges exist');

select tasker_test.pass('14 days');
select tasker.ensure_partitions();
select results_eq(
  'problems',
  $$ values ('2 ranges are past their retention; call tasker.apply_retention()') $$,
  'ranges past their retention are a problem'
);

select * from finish();
rollback;
