begin;
select plan(6);

select tasker_test.make_task();

select ok(tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right')), 'the edge is new');
select results_eq(
  $$
  select e.name, e.condition::text
    from tasker.step_edges as e
   where e.from_step_uuid = tasker_test.the_step('left')
     and e.to_step_uuid = tasker_test.the_step('right')
  $$,
  $$ values ('provides', null::text) $$,
  'it has the usual name and no condition'
);
select results_eq(
  $$
  select total_parents, pending_parents, satisfied_parents
    from tasker.workflow_steps
   where workflow_step_uuid = tasker_test.the_step('right')
  $$,
  'values (2, 2, 0)',
  'the second step waits for one more'
);

select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step('top'));
select ok(not tasker.step_dependencies_met(tasker_test.the_step('right')), 'so its first parent is not enough');
select tasker_test.complete_step(tasker_test.the_step('left'));
select ok(tasker.step_dependencies_met(tasker_test.the_step('right')), 'but both are');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
