begin;
select plan(5);

select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'), '{"amount": 250, "approved": true}');
select tasker_test.complete_step(tasker_test.the_step('left'), '{"amount": 50}');

select tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), 'large', '$.amount > 100');
select results_eq(
  $$
  select total_parents, pending_parents, satisfied_parents
    from tasker.workflow_steps
   where workflow_step_uuid = tasker_test.the_step('bottom')
  $$,
  'values (3, 1, 2)',
  'a settled parent whose condition holds is satisfied'
);

select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), 'large', '$.amount > 100');
select results_eq(
  $$
  select total_parents, pending_parents, satisfied_parents
    from tasker.workflow_steps
   where workflow_step_uuid = tasker_test.the_step('right')
  $$,
  'values (2, 0, 1)',
  'a settled parent whose condition does not hold is not satisfied'
);
select ok(not tasker.step_dependencies_met(tasker_test.the_step('right')), 'the dependencies of the step are not met');
select is(
  tasker.transition_step_state_atomic(tasker_test.the_step('right'), 'pending', 'cancelled', null, '{"event": "Skip"}'),
  true,
  'the step can be skipped'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
