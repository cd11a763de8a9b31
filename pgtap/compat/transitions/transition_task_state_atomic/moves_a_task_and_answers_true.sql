begin;
select plan(4);

select tasker_test.make_task();

select is(
  tasker.transition_task_state_atomic(tasker_test.the_task(), 'pending', 'initializing'), true,
  'the call returns true'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'initializing', 'the task has the new state');
select is(
  (select t.transition_count from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), 1,
  'transition_count is one'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
