begin;
select plan(9);

select tasker_test.start_task();

prepare parents (text) as
  select s.pending_parents, s.satisfied_parents, s.total_parents
    from tasker.workflow_steps as s
   where s.workflow_step_uuid = tasker_test.the_step($1);

select results_eq($$ execute parents ('bottom') $$, 'values (2, 0, 2)', 'the join has two pending parents');

select tasker_test.complete_step(tasker_test.the_step('top'));
select results_eq($$ execute parents ('left') $$, 'values (0, 1, 1)', 'a complete parent satisfies its child');
select results_eq($$ execute parents ('right') $$, 'values (0, 1, 1)', 'the other child counts the same parent');
select results_eq($$ execute parents ('bottom') $$, 'values (2, 0, 2)', 'grandchildren do not count it');

select tasker_test.fail_step(tasker_test.the_step('left'));
select tasker_test.move_step(tasker_test.the_step('left'), 'error');
select results_eq($$ execute parents ('bottom') $$, 'values (2, 0, 2)', 'a failed parent does not count as settled');

select tasker_test.move_step(tasker_test.the_step('left'), 'resolved_manually');
select results_eq($$ execute parents ('bottom') $$, 'values (1, 1, 2)', 'a parent that is resolved by hand counts as satisfied');

select tasker_test.move_step(tasker_test.the_step('right'), 'cancelled');
select results_eq(
  $$ execute parents ('bottom') $$,
  'values (0, 1, 2)', 'a cancelled parent counts as settled, not as satisfied'
);
select ok(not tasker.step_dependencies_met(tasker_test.the_step('bottom')), 'a child with a cancelled parent is not met');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
