begin;
select plan(6);

select tasker_test.make_task();

select ok(tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right')), 'a new edge returns true');
select results_eq(
  $$
  select e.name, e.condition::text
    from tasker.step_edges as e
   where e.from_step_uuid = tasker_test.the_step('left')
     and e.to_step_uuid = tasker_test.the_step('right')
  $$,
  $$ values ('provides', null::text) $$,
  'the edge has the default name and no condition'
);
select results_eq(
  $$
  select total_parents, pending_parents, satisfied_parents
    from tasker.workflow_steps
   where workflow_step_uuid = tasker_test.the_step('right')
  $$,
  'values (2, 2, 0)',
  'the child waits for one more parent'
);

select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step('top'));
select ok(not tasker.step_dependencies_met(tasker_test.the_step('right')), 'the dependencies are not met when only the first parent is complete');
select tasker_test.complete_step(tasker_test.the_step('left'));
select ok(tasker.step_dependencies_met(tasker_test.the_step('right')), 'the dependencies are met when both parents are complete');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
