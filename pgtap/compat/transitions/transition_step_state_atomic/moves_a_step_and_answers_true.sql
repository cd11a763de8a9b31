begin;
select plan(4);

select tasker_test.start_task();

select is(
  tasker.transition_step_state_atomic(tasker_test.the_step('top'), 'enqueued', 'in_progress'), true,
  'the call returns true'
);
select is(tasker.get_current_step_state(tasker_test.the_step('top')), 'in_progress', 'the step has the new state');
select is(
  (
    select s.transition_count
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('top')
  ),
  2,
  'transition_count is two'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
