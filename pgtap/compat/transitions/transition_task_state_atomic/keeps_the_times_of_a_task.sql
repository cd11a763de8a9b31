begin;
select plan(6);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

prepare times as
  select t.started_at, t.completed_at, t.complete
    from tasker.tasks as t
   where t.task_uuid = tasker_test.the_task();

select tasker_test.make_task();
select results_eq('times', 'values (null::timestamptz, null::timestamptz, false)', 'a new task has neither a start nor an end');

select tasker_test.pass('1 minute');
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select results_eq('times', $$ values (timestamptz '2050-01-20 12:01:00+00', null::timestamptz, false) $$, 'a started task has its start');

select tasker_test.pass('1 minute');
select tasker_test.move_task(tasker_test.the_task(), 'error');
select results_eq(
  'times',
  $$ values (timestamptz '2050-01-20 12:01:00+00', timestamptz '2050-01-20 12:02:00+00', true) $$, 'a failed task has its end'
);

select tasker_test.pass('1 minute');
select tasker_test.move_task(tasker_test.the_task(), 'pending');
select results_eq(
  'times',
  $$ values (timestamptz '2050-01-20 12:01:00+00', null::timestamptz, false) $$, 'a reset task has no end'
);

select tasker_test.pass('1 minute');
select tasker_test.move_task(tasker_test.the_task(), 'initializing');
select results_eq(
  'times',
  $$ values (timestamptz '2050-01-20 12:01:00+00', null::timestamptz, false) $$, 'a task that starts again keeps its first start'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
