begin;
select plan(8);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days', 'pending');
select tasker_test.make_old_task('41 days', 'pending');
select tasker_test.make_old_task('34 days');
select tasker_test.make_old_task('7 days', 'pending');
select tasker_test.remember_rows();

select throws_ok(
  $$ select tasker.evacuate_partition('2050-01-18 00:00+00') $$,
  'TK404', 'no range begins at 2050-01-18 00:00:00+00', 'a time at which no range begins is refused'
);
select throws_ok('select tasker.evacuate_partition(null)', 'TK422', 'the start of the range is null', 'a null time is refused');
select throws_ok(
  $$ select tasker.evacuate_partition('2050-02-21 00:00+00') $$,
  'TK409', 'the range that begins at 2050-02-21 00:00:00+00 is not past its retention', 'a range that is not past its retention is refused'
);
select throws_ok(
  $$ select tasker.evacuate_partition('2050-01-24 00:00+00') $$,
  'TK409', 'nothing holds the range that begins at 2050-01-24 00:00:00+00', 'a range that retention can drop is refused'
);
select throws_ok(
  $$ select tasker.evacuate_partition('2050-01-17 00:00+00', 0) $$,
  'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused'
);
select throws_ok($$ select tasker.evacuate_partition('2050-01-17 00:00+00', 100001) $$, 'TK422', 'a limit of 100001 is out of range', 'a limit of more than 100,000 is refused');
select results_eq(
  $$ select outcome, detail from tasker.evacuate_partition('2050-01-17 00:00+00', 1) $$,
  $$ values ('held', 'tasks: 2 not ended, more than the 1 that may be copied at once') $$,
  'a range with more tasks than the limit is held'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
