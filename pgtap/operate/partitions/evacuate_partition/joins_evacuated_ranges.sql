-- A hundred weeks with one open task each become one range instead of a hundred.
begin;
select plan(5);

select tasker_test.start_year('2050-03-02 12:00+00', '7 days', '21 days');
select tasker_test.make_old_task('41 days', 'pending') as first \gset
select tasker_test.make_old_task('34 days', 'pending') as second \gset
select tasker_test.make_old_task('27 days', 'pending') as third \gset

select results_eq(
  $$ select outcome, detail from tasker.evacuate_partition('2050-01-17 00:00+00') $$,
  $$ values ('evacuated', '1 tasks moved to partitions _p20500117_e1') $$, 'the first range is evacuated'
);
select results_eq(
  $$ select * from tasker.evacuate_partition('2050-01-24 00:00+00') $$,
  $$ values (timestamptz '2050-01-17 00:00+00', timestamptz '2050-01-31 00:00+00', 'evacuated', '2 tasks moved to partitions _p20500117_e2') $$,
  'the second range is merged with it'
);
select tasker_test.move_task(:'first', 'cancelled');
select results_eq(
  $$ select outcome, detail from tasker.evacuate_partition('2050-01-31 00:00+00') $$,
  $$ values ('evacuated', '2 tasks moved to partitions _p20500117_e3') $$,
  'the third range is merged, too, and the task that has ended is deleted'
);
select set_eq(
  'select task_uuid from tasker.tasks', array[:'second', :'third']::uuid[], 'two tasks are left'
);
select is_empty($$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t $$, 'every invariant holds');

select * from finish();
rollback;
