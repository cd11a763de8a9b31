begin;
select plan(4);

select tasker_test.make_task();

select is(
  tasker.transition_task_state_atomic(tasker_test.the_task(), 'pending', 'initializing'), true,
  'the task was where the caller thought'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'initializing', 'and is where it was to go');
select is(
  (select t.transition_count from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 1,
  'which was its first transition'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
